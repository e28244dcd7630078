# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables of the differential test: what is run on each file, what is recorded, and which
differences from the reference are wanted."""

# Name, arguments, and whether it belongs to the short list that every test run does (a glob: for
# these files only). The views script-stacks* are compared by stacks_agree() of stacks.py.
# {symfs} stands for "--symfs EMPTYDIR" where a file comes from another machine.
VIEWS = [
    ('script', 'script {symfs}', True),
    ('script-header', 'script --header {symfs}', False),
    ('script-fields', 'script -F comm,tid,pid,time,cpu,event,ip,sym,dso {symfs}', True),
    ('script-seed-fields', 'script --header -F comm,pid,tid,cpu,time,event,ip,sym,dso {symfs}', False),
    ('script-symoff', 'script -F ip,sym,symoff,dso,period {symfs}', False),
    ('script-time-event-trace', 'script -F time,event,trace', False),
    ('script-comm', 'script -F comm', False),
    ('script-misc', 'script -F +misc {symfs}', False),
    ('script-minus', 'script -F -ip,-sym,-dso {symfs}', False),
    ('script-addr', 'script -F comm,addr,ip,sym {symfs}', False),
    ('script-phys', 'script -F addr,phys_addr,data_page_size,code_page_size', False),
    ('script-dsrc', 'script -F addr,data_src,weight', False),
    ('script-iregs', 'script -F ip,iregs {symfs}', False),
    ('script-uregs', 'script -F ip,uregs {symfs}', False),
    ('script-brstack', 'script -F brstack {symfs}', False),
    ('script-brstacksym', 'script -F brstacksym {symfs}', False),
    ('script-ns', 'script --ns {symfs}', False),
    ('script-reltime', 'script --reltime {symfs}', False),
    ('script-deltatime', 'script --deltatime {symfs}', False),
    ('script-no-callchain', 'script -G {symfs}', False),
    ('script-max-stack', 'script --max-stack=2 {symfs}', False),
    ('script-side-events', 'script --show-task-events --show-mmap-events {symfs}', True),
    ('script-task-events', 'script --show-task-events {symfs}', False),
    ('script-mmap-events', 'script --show-mmap-events {symfs}', False),
    ('script-switch-events', 'script --show-switch-events {symfs}', False),
    ('script-namespace-events', 'script --show-namespace-events {symfs}', False),
    ('script-lost-events', 'script --show-lost-events {symfs}', False),
    ('script-round-events', 'script --show-round-events {symfs}', False),
    ('script-bpf-events', 'script --show-bpf-events {symfs}', False),
    ('script-cgroup-events', 'script --show-cgroup-events {symfs}', False),
    ('script-dump', 'script -D {symfs}', False),
    ('script-cpu0', 'script -C 0 {symfs}', False),
    ('script-no-demangle', 'script --no-demangle', False),
    ('script-stacks', 'script --no-inline -F comm,tid,time,event,ip,sym,dso {symfs}', '*-dwarf*'),
    ('report', 'report --stdio {symfs}', True),
    ('report-no-children', 'report --stdio --no-children {symfs}', True),
    ('report-rows', 'report --stdio --no-children -g none --no-inline {symfs}', '*-dwarf*'),
    ('report-n', 'report --stdio -n {symfs}', False),
    ('report-header', 'report --stdio --header {symfs}', False),
    ('report-header-only', 'report --header-only', True),
    ('report-header-full', 'report --header-only -I', False),
    ('report-caller', 'report --stdio -g caller {symfs}', True),
    ('report-callee', 'report --stdio -g callee {symfs}', False),
    ('report-G', 'report --stdio -G {symfs}', False),
    ('report-graph-nochildren', 'report --stdio --no-children -g graph {symfs}', False),
    ('report-graph-05-caller', 'report --stdio -g graph,0.5,caller {symfs}', False),
    ('report-fractal', 'report --stdio -g fractal,0.5 {symfs}', False),
    ('report-fractal-nc', 'report --stdio --no-children -g fractal,0.5,callee {symfs}', False),
    ('report-folded', 'report --stdio -n -g folded {symfs}', True),
    ('report-folded-nc', 'report --stdio --no-children -g folded,0,callee,count {symfs}', False),
    ('report-flat', 'report --stdio --no-children -g flat {symfs}', False),
    ('report-g-none', 'report --stdio -g none {symfs}', False),
    ('report-g-period', 'report --stdio --no-children -g caller,0.5,period {symfs}', False),
    ('report-g-count', 'report --stdio --no-children -g callee,0.5,count {symfs}', False),
    ('report-g-address', 'report --stdio --no-children -g callee,address {symfs}', False),
    ('report-comm-dso', 'report --stdio --sort comm,dso {symfs}', True),
    ('report-comm', 'report --stdio -n --sort comm {symfs}', False),
    ('report-pid', 'report --stdio --sort pid,sym {symfs}', False),
    ('report-tid', 'report --stdio --no-children --sort tid,dso {symfs}', False),
    ('report-cpu-comm', 'report --stdio --no-children --sort cpu,comm {symfs}', False),
    ('report-socket', 'report --stdio --no-children --sort socket,cpu {symfs}', False),
    ('report-dso-size', 'report --stdio --no-children --sort dso_size,dso {symfs}', False),
    ('report-symbol-size', 'report --stdio --no-children --sort symbol_size,sym', False),
    ('report-parent', 'report --stdio --no-children --sort parent {symfs}', False),
    ('report-time', 'report --stdio --no-children --sort time,sym {symfs}', False),
    ('report-trace', 'report --stdio --no-children --sort trace', False),
    ('report-trace-raw', 'report --stdio --no-children -g none --raw-trace --sort trace_fields', False),
    ('report-trace-fields', 'report --stdio --no-children -g none --sort comm,trace_fields', False),
    ('report-trace-field', 'report --stdio --hierarchy -g none --sort common_pid,common_flags', False),
    ('report-cgroup', 'report --stdio --no-children --sort cgroup,comm', False),
    ('report-cgroup-id', 'report --stdio --no-children --sort cgroup_id,comm', False),
    ('report-sym-dso', 'report --stdio --no-children -g none --sort sym,dso {symfs}', False),
    ('report-plus', 'report --stdio --sort +pid {symfs}', False),
    ('report-fields', 'report --stdio --no-children -F overhead,sample,period,comm,sym {symfs}', False),
    ('report-fields-sys', 'report --stdio --no-children -F overhead,overhead_sys,overhead_us,dso {symfs}',
     False),
    ('report-total-period', 'report --stdio --show-total-period {symfs}', False),
    ('report-mem', 'report --stdio --mem-mode {symfs}', False),
    ('report-mem-chains', 'report --stdio --mem-mode -s mem,sym', '*-addr-chains'),
    ('report-mem-bits', 'report --stdio --mem-mode -g none -s mem,locked,tlb,snoop,blocked', False),
    ('report-mem-places', 'report --stdio --mem-mode -g none -s phys_daddr,data_page_size', False),
    ('report-mem-data', 'report --stdio --mem-mode -g none -s dso_daddr,symbol_daddr {symfs}', False),
    ('report-weight', 'report --stdio --no-children -g none -n -s weight,ins_lat,addr', False),
    ('report-b-addr', 'report --stdio -b -s addr_from,addr_to {symfs}', False),
    ('report-b-kinds', 'report --stdio -b -s dso_from,dso_to,mispredict,in_tx,abort {symfs}', False),
    ('report-group', 'report --stdio --group --no-children -g none {symfs}', False),
    ('report-group-all', 'report --stdio --group -n -g none --sort comm,dso {symfs}', False),
    ('report-no-group', 'report --stdio --no-group --no-children -g none {symfs}', False),
    ('report-more-fields', 'report --stdio --no-children -g none -F +period,sample {symfs}', False),
    ('report-symbol-word', 'report --stdio --symbol-filter=a {symfs}', False),
    ('report-hierarchy-sep', 'report --stdio --hierarchy --no-children -g none -n -t: {symfs}', False),
    ('report-hierarchy', 'report --stdio --hierarchy {symfs}', False),
    ('report-hierarchy-nc', 'report --stdio --hierarchy --no-children -g none -n {symfs}', False),
    ('report-percent-limit', 'report --stdio --percent-limit 2 {symfs}', False),
    ('report-max-stack', 'report --stdio --max-stack 3 {symfs}', False),
    ('report-separator', 'report --stdio -t , --no-children -g none {symfs}', False),
    ('report-separator-digit', 'report --stdio -n -t 0 --no-children -g none {symfs}', False),
    ('report-widths', 'report --stdio -w 8,20,30 --no-children -g none {symfs}', False),
    ('report-hide-unresolved', 'report --stdio -U --no-children', False),
    ('report-cpu0', 'report --stdio -C 0 --no-children {symfs}', False),
    ('report-quiet', 'report --stdio -q --no-children -g none {symfs}', False),
    ('report-stats', 'report --stats', True),
    ('report-tasks', 'report --tasks', False),
    ('report-mmaps', 'report --mmaps', False),
    ('report-dump', 'report -D {symfs}', False),
    ('report-real', 'report --stdio --no-children -g caller', False),
    ('report-stats-head', 'report --stats --header', False),
    ('report-stats-filter', 'report --stats --comms perf {symfs}', False),
    ('report-quiet-filter', 'report --stdio -q -g none --comms perf {symfs}', False),
    ('report-one-comm', 'report --stdio -g none -F comm,overhead --comms perf {symfs}', False),
    ('report-more-period', 'report --stdio -g none -F +period {symfs}', False),
    ('report-empty', 'report --stdio -g none -s weight,addr --comms nobody {symfs}', False),
    ('report-raw-trace', 'report --stdio -g none --raw-trace {symfs}', False),
    ('report-wide', 'report --stdio -g none -n -w 50,12 {symfs}', False),
    ('report-stages', 'report --stdio -g none -F p_stage_cyc,local_p_stage_cyc', False),
    ('report-narrow', 'report --stdio -g none -n -w 3,3,3 {symfs}', False),
    ('report-hierarchy-narrow', 'report --stdio -g none --hierarchy -w 3,3,3 {symfs}', False),
    ('report-time-dump', 'report -D --time 1, {symfs}', False),
    ('script-time-dump', 'script -D --time ,1 {symfs}', False),
    ('script-cpu0-tasks', 'script -C 0 --show-task-events {symfs}', False),
    ('script-latency-tasks', 'script -L --show-task-events {symfs}', False),
    ('script-type-fields', 'script -F hw:+data_src,+addr -F trace:+addr {symfs}', False),
    ('script-text-poke-events', 'script --show-text-poke-events {symfs}', False),
    ('script-kernel-path', 'script --show-kernel-path -F ip,dso {symfs}', False),
    ('script-flags', 'script -F hw:+flags {symfs}', False),
    ('report-parent-symbol', 'report --stdio -g none -p . -s symbol {symfs}', False),
    ('report-group-children', 'report --stdio --group -g none -F overhead_children,comm {symfs}', False),
    ('evlist-verbose-fields', 'evlist -v --trace-fields', False),
    ('evlist-group-fields', 'evlist -g --trace-fields', False),
    ('evlist', 'evlist', True),
    ('evlist-v', 'evlist -v', True),
    ('evlist-F', 'evlist -F', True),
    ('evlist-g', 'evlist -g', False),
    ('evlist-trace-fields', 'evlist --trace-fields', False),
    ('buildid-list', 'buildid-list', True),
    ('buildid-list-H', 'buildid-list -H', False),
]

# Name, arguments of record, workload. Recorded with our perf and with the reference; each file
# is then read by both.
RECIPES = [
    ('flat', '-F 999', 'busy'),
    ('fp', '-g -F 999', 'busy'),
    ('fp-system', '-a -g -F 499', 'busy'),
    ('period', '-c 1000003 -e cpu-clock -g', 'busy'),
    ('two-events', '-e cpu-clock -e page-faults -g', 'busy'),
    ('group', '-e {cpu-clock,task-clock,page-faults} -F 499', 'busy'),
    ('group-leader', '-e {cpu-clock,page-faults}:S -c 1000000', 'busy'),
    ('software', '-a -e context-switches,migrations,minor-faults', 'ls'),
    ('sched', '-a -e sched:*', 'ls'),
    ('sched-g', '-a -g -e sched:sched_switch -e sched:sched_process_*', 'ls'),
    ('mixed', '-e syscalls:sys_enter_openat,cpu-clock -g', 'busy'),
    ('filter', '-e syscalls:sys_enter_read --filter count<1000', 'ls'),
    ('raw-syscalls', '-e raw_syscalls:*', 'ls'),
    ('switch', '--switch-events -a -F 499', 'busy'),
    ('namespaces', '--namespaces -F 499', 'busy'),
    ('cgroups', '--all-cgroups -a -F 499', 'busy'),
    ('addr', '-d -e page-faults -c 1', 'ls'),
    ('addr-chains', '-d -g -e page-faults -c 1', 'busy'),
    ('page-size', '-d --phys-data --data-page-size --code-page-size -e page-faults -c 1', 'ls'),
    ('intr-regs', '-I -F 499', 'busy'),
    ('user-regs', '--user-regs=ip,sp,bp -F 499', 'busy'),
    ('fields', '--sample-cpu -P -T -s -W -F 499', 'busy'),
    ('raw', '-R -T -e syscalls:sys_enter_openat', 'ls'),
    ('clock', '-k mono -F 499', 'busy'),
    ('terms', '-g -e cpu-clock/max-stack=2,name=short/,cpu-clock/call-graph=no,name=flat/', 'busy'),
    ('identifier', '--sample-identifier -F 499', 'busy'),
    ('clock-real', '-k CLOCK_REALTIME -a -F 199', 'busy'),
    ('delay', '-D 20 -F 999', 'busy'),
    ('all-fields', '-d -W -P -T --sample-cpu -I --user-regs=ip,sp --switch-events --namespaces '
     '--all-cgroups -F 499', 'busy'),
    ('pipe', '-F 499 -g -o -', 'busy'),
    ('pipe-trace', '-e sched:sched_switch -e syscalls:sys_enter_openat -o -', 'ls'),
    ('buildid-mmap', '--buildid-mmap -F 499 -g', 'busy'),
    ('buildid-all', '--buildid-all -F 499', 'busy'),
    ('dwarf-short', '--call-graph dwarf,1024{raw} -F 199', 'busy'),
    ('dwarf', '--call-graph dwarf{raw} -F 999', 'ls'),
]

# The views that are compared of some recipes only, unless asked for: of all others another view says the same.
CAPTURED = {
    # script-side-events prints the same samples, and more between them
    'script': 'fp raw-syscalls group pipe',
    # which fields there are does not depend on the recording, but for those that a sample lacks (flat: refused)
    'script-fields': 'flat fp-system sched-g page-size fields all-fields pipe',
    # without callers it is the same as report
    'report-no-children': 'flat fp fp-system period two-events group sched-g mixed addr-chains terms pipe buildid-mmap',
    # the same as report, where there are callers; nothing elsewhere
    'report-caller': 'fp pipe',
    # the graph of report-no-children in other words; nothing without callers
    'report-folded': 'fp fp-system two-events sched-g terms',
    # the names of commands and files, which report shows too, in other rows
    'report-comm-dso': 'flat fp-system group software sched terms switch pipe',
    # report-header-only prints all of each event, but for streams
    'evlist-v': 'flat group mixed sched terms page-size all-fields',
    'evlist': 'flat two-events group sched',
    'evlist-F': 'flat period mixed group-leader',
    # of the two workloads, and where build ids are found in another way (a stream has none)
    'buildid-list': 'flat fp-system addr sched buildid-mmap buildid-all dwarf',
}

STACKS = 'inlined functions, and where callers in copied stacks end: script-stacks compares them'

# Wanted differences: view (glob), file (glob), a pattern of lines left out of the comparison on
# both sides (None: the pair is not compared), and why. Each reason stands in
# doc/compatibility.md at greater length.
DIFFERENCES = [
    ('*', '*', r'^# (  e_flags : |e_machine : |cacheline size: )', 'header features of newer perfs'),
    ('script', '*-dwarf*', None, STACKS),
    ('script-fields', '*-dwarf*', None, STACKS),
    ('script-*-events', '*-dwarf*', None, STACKS),
    ('report', '*-dwarf*', None, STACKS),
    ('report-no-children', '*-dwarf*', None, STACKS),
    ('report-caller', '*-dwarf*', None, STACKS),
    ('report-folded', '*-dwarf*', None, STACKS),
    ('report-comm-dso', '*-dwarf*', None, STACKS),
    ('*', 'linux-perf-data-sleep.compressed.data', None, 'attributes newer than 6.1 knows; ours reads it'),
    ('*', 'linux-perf-data-sleep.compressed2.data', None, 'attributes newer than 6.1 knows; ours reads it'),
    ('script*', 'made-jit-embedded.data', None, 'names that travel with the recording: ours reads them'),
    ('report*', 'made-jit-embedded.data', None, 'names that travel with the recording: ours reads them'),
    ('buildid-list*', 'made-jit-embedded.data', None, 'code of a JIT compiler belongs to its jit-PID.dump'),
    ('evlist*', 'linux-perf-data-sleep.compressed.pipe.data', None, 'ours knows the modifier P'),
    ('evlist*', 'quipper-perf.data.piped*', None, 'streams: ours shows the recorded names and groups'),
    ('evlist*', '*-pipe*', None, 'streams: ours shows the recorded names and groups'),
    ('report-stats', '*', r'^stacks ', 'how many stacks are cut, end early or are incomplete'),
    ('report-stats', '*-pipe*', r' stats:$', 'streams: ours shows the recorded names'),
    ('evlist*', 'linuxtracepoints-pipe.data', None, 'streams: ours shows the recorded names'),
    ('report*', 'quipper-perf.data.branch-4.14', r'[ ,:0](-23395|42141) ', 'cycles that the reference shows as negative'),
    ('script-round-events', '*', None, 'the reference does not keep the order of time with this option'),
    ('*-dump', '*', r'/tmp/perf-vdso|\[vdso\]', 'the vdso of another kernel, named by a temporary file'),
    ('script-kernel-path', '*', r'/tmp/perf-vdso|\[vdso\]', 'the vdso of another kernel, named by a temporary file'),
    ('buildid-list-H', '*', r'/tmp/perf-vdso|\[vdso\]', 'the vdso of another kernel, named by a temporary file'),
    ('*-dump', 'quipper-perf.data.piped.header_features-4.16', r'PERF_RECORD_(FEATURE|ATTR)$', 'stamps before the attributes are known'),
    ('*-dump', 'simpleperf-*etm*.data', None, 'AUX data is not decoded yet'),
    ('*-dump', '*compressed*', None, 'places of records: in the decompressed data'),
    ('report-header-full', 'autofdo-ro_sample.perf', r'Core ID', 'strings without padding'),
    ('report-header-full', 'quipper-perf.data.weight_struct', r'Core ID', 'strings without padding'),
    ('report-socket', 'quipper-perf.data.weight_struct', r'^ +\d', 'strings without padding: the topology is not read'),
    ('report-group*', 'quipper-perf.data.branch_stack_hw_index', None, 'a group whose leader has no samples'),
    ('report-mmaps', 'ours-*', r'^ {30}', 'bytes of the build id as the inode'),
    ('report-g-address', 'ref-*', None, 'lines where addr2line answers in time'),
    ('report-g-address', 'ours-*', None, 'lines where addr2line answers in time'),
    ('buildid-list', '*pipe*', r'/tmp/perf-vdso|\[vdso\]', 'the vdso of a stream, named by a temporary file'),
    ('report-mmaps', '*', r' \[vdso(32)?\]$', 'the vdso of 32-bit processes whose program is not there'),
    ('report-mmaps', 'quipper-perf.data.branch_stack_hw_index', r'^ {36}', 'a thread told of before its process'),
    ('report-mmaps', 'quipper-perf.data.weight_struct', r'^ {37}', 'a thread told of before its process'),
    ('report-tasks', 'simpleperf-perf_with_arm_regs.data', r':23725$', 'a task of which only mappings were recorded'),
    ('report-trace', 'linuxtracepoints-pipe.data', r'^#|eventheader_flags|^ +100.00%', 'a text that the reference cuts'),
    ('report-mem*', 'quipper-perf.data.piped.header_features-4.16', None, 'equally heavy rows without symbols'),
    ('report-*', 'linux-perf-data-sleep.compressed.pipe.data', r'__start_rodata', 'samples in a symbol of data'),
    ('script-header', 'quipper-perf.data.piped*', r'^# group:', 'streams: ours shows the recorded names'),
    ('report-stats-*', '*pipe*', None, 'streams: the reference shows an empty header and made-up names'),
    ('*-dump', 'made-stat-big.data', r'^WARNING: No sample_id_all|^\.  0010:  01 00|^\.\.\. scale:',
     'scales of another byte order, which the reference does not swap'),
    ('*-dump', 'made-stat.data', r'^WARNING: No sample_id_all', 'a warning of the reference'),
    ('script-*-events', 'simpleperf-*etm*.data', r' PERF_RECORD_MMAP2 (17235|16049)/',
     'the name of a task before the COMM of the same time'),
    ('report-stats', 'simpleperf-*etm*.data', r'^Aggregated', 'AUX data is not decoded yet'),
    ('report-stats', 'quipper-perf.data.piped*', None, 'streams: the reference fails or counts otherwise'),
    ('report-stats', '*-pipe-trace*', None, 'streams: the reference fails or counts otherwise'),
    ('report-weight', '*branch*', None, 'addresses of branches that the reference maps twice'),
    ('report-mem*', '*piped.target.throttled*', None, 'equally heavy rows without symbols'),
    ('report-dso-size', '*', r'kernel.kallsyms', 'sizes of kernels without an end that the reference cuts to 32 bits'),
    ('report*', '*', r'^# \((Tip: |Cannot load tips)|^#$', 'the closing tip is chosen at random'),
] + [
    ('report-symbol-word', name, None, 'the reference filters the first of several events alone')
    for name in ('*armv7-3.4', '*branch_stack_hw_index', '*group_desc-*', '*lost_samples-4.4',
                 '*singleprocess-3.4', '*two_event_types.data', 'linuxtracepoints-*', '*-two-events', '*-group*', '*-mixed',
                 '*-software', '*-sched*', '*-raw-syscalls', '*-terms', '*-pipe-trace')
] + [
    (view, name, None, "no build id, and another release: the reference takes this machine's kernel for it")
    for view in ('script-no-demangle', 'report-symbol-size', 'report-hide-unresolved', 'report-real')
    for name in ('linux-perf-data-sleep.compressed.pipe.data', 'linuxtracepoints-pipe.data',
                 'quipper-perf.data.piped.header_features-4.16')
]

# (view, file): the same lines in another order are equal. Callers without a symbol whose addresses are
# garbage stand in an order that depends on which sample the reference saw first, and so do their
# callees; captures of the whole machine always have some.
REORDERED = [('report*', '*-fp-system')]

# Files that both programs refuse, with other words: view (glob), file (glob), why.
REFUSALS = [
    ('script-*', '*pipe*', "streams: the reference refuses at an event's first record, before it has a name"),
    ('script-phys', '*etm*', 'several fields are missing, another is named'),
    ('diff', 'a nothere', 'the name is quoted, and it is told once'),
]

# Samples left out, when a view differs with them, before it is compared again: view (glob), file
# (glob), a pattern of lines of their text, and why. They stand in doc/compatibility.md.
SCRUBS = [
    ('*', '*', r'plt\b', 'entries of procedure linkage tables: many without a name, or a wrong one'),
    ('*', '*-*', r'\bjit-\d+\.dump\b', "a JIT compiler's dump: the reference asks the compiler's map beside it"),
    ('report*', '*-terms', r'^ *flat: ', 'an event without chains: the reference shows those of others'),
    ('report*', '*-*', r'^\s+[0-9a-f]+ \[unknown\] \((?!\[unknown\])',
     'addresses without a symbol, of several processes: a function stands in a graph several times'),
    ('report*', '*-*', r'^\s+(?!ffff)[0-9a-f]{13,16} \[unknown\] \(\[unknown\]\)',
     'no addresses of programs, from code without frame pointers: the order of addresses goes in a '
     'circle, equal rows and branches stand otherwise, and a function in a graph several times'),
]

# Parts of a line that are not compared: pattern, replacement, and a string of every line that has one.
SUBSTITUTIONS = [
    # line ends in names and texts, as ours writes them (doc/compatibility.md)
    (r'\\x0a', '\n', '\\x0a'),
    # report: the place of an address in a symbol of data; what is not shown of a fractal graph
    (r'^( .*%.*\[.\] .*)\+0x[0-9a-f]+( *)$', r'\1', '+0x'),
    (r'\[\.\.\.\] \(inlined\)', '[...]', '(inlined)'),
    (r'/tmp/perf-vdso\.so-\w{6}', '/tmp/perf-vdso.so-XXXXXX', '/tmp/perf-'),
    (r'/tmp/perf-diff-\w{8}', '/tmp/perf-diff', '/tmp/perf-'),
]
