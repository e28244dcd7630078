# Options that change what is opened, or which rows there are.
=== rows with a count of 0 are left out
needs: perf-events
sh: perf stat -x, --hide-zero-events -e cpu-clock,alignment-faults,page-faults true 2>&1 | cut -d, -f2,3; perf stat -x, -e alignment-faults true 2>&1 | cut -d, -f1,3
--- stdout
msec,cpu-clock
,page-faults
0,alignment-faults

=== parts of -d
needs: perf-events
sh: perf record -q -B --sample-mem-info -e cpu-clock:u -o a.data true; perf evlist -v -i a.data | grep -o 'sample_type: [A-Z_|]*'; perf record -q -B --data-mmap -e cpu-clock:u -o b.data true; perf evlist -v -i b.data | grep -o 'sample_type: [A-Z_|]*\|mmap_data: 1'; perf record -q -B --vmlinux /nosuch -e cpu-clock:u -o c.data true && echo recorded
--- stdout
sample_type: IP|TID|TIME|PERIOD|DATA_SRC
sample_type: IP|TID|TIME|PERIOD
mmap_data: 1
recorded
