# perf evlist: names, attributes, groups of recordings of all kinds.
=== names
argv: perf evlist -i $DATA/perfdata/quipper-perf.data.armv7-3.4
--- stdout
cycles
instructions
cache-references
cache-misses
branches
branch-misses

=== all attributes
argv: perf evlist -v -i $DATA/perfdata/quipper-perf.data.lost_samples-4.4
--- stdout
cycles:pp: size: 112, { sample_period, sample_freq }: 20003, sample_type: IP|TID|TIME|ID|PERIOD, read_format: ID, disabled: 1, inherit: 1, mmap: 1, comm: 1, enable_on_exec: 1, task: 1, precise_ip: 2, sample_id_all: 1, exclude_guest: 1, mmap2: 1, comm_exec: 1
instructions:pp: size: 112, config: 0x1, { sample_period, sample_freq }: 20003, sample_type: IP|TID|TIME|ID|PERIOD, read_format: ID, inherit: 1, precise_ip: 2, sample_id_all: 1, exclude_guest: 1
branch-instructions:pp: size: 112, config: 0x4, { sample_period, sample_freq }: 20003, sample_type: IP|TID|TIME|ID|PERIOD, read_format: ID, inherit: 1, precise_ip: 2, sample_id_all: 1, exclude_guest: 1

=== frequency
argv: perf evlist -F -i $DATA/perfdata/simpleperf-perf_with_two_event_types.data
--- stdout
cycles:HG: sample_freq=4000
cpu-clock:HG: sample_freq=4000

=== groups
argv: perf evlist -g -i $DATA/perfdata/quipper-perf.data.piped.header_feautres_group_desc-6.8
--- stdout
{cycles:u,instructions:u}

=== core and atom
argv: perf evlist -i $DATA/perfdata/quipper-perf.data.hybrid_topology
--- stdout
cpu_core/cycles:ppp/
cpu_atom/cycles:ppp/
dummy:HG

=== a stream from standard input
sh: perf evlist -i - < $DATA/perfdata/quipper-perf.data.piped.header_features-4.16
--- stdout
cpu-clock

=== a tracepoint names the option for its fields
sh: perf evlist -i $DATA/perfdata/linuxtracepoints-pipe.data | tail -1
--- stdout
# Tip: use 'perf evlist --trace-fields' to show fields for tracepoint events

=== no file
argv: perf evlist
exit: 255
--- stderr
error: failed to open 'perf.data': No such file or directory
hint: try 'perf record' first

=== not a recording
argv: perf evlist -i $DATA/perfdata/README.md
exit: 255
--- stderr
error: '$DATA/perfdata/README.md' is no perf.data file

=== unknown option
argv: perf evlist --bogus
exit: 129
--- stderr
  Error: unknown option `bogus'

 Usage: perf evlist [<options>]

    -f, --force           don't complain, do it
    -F, --freq            Show the sample frequency
    -g, --group           Show event group information
    -i, --input <file>    Input file name
    -v, --verbose         Show all event attr details
        --trace-fields    Show tracepoint fields


