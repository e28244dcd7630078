# The events of recordings: names from the file or from the attributes, groups, all fields.
=== names from the file
argv: perf evlist -f -i $DATA/perfdata/quipper-perf.data.hybrid_topology
--- stdout
cpu_core/cycles:ppp/
cpu_atom/cycles:ppp/
dummy:HG

=== names made from the attributes
argv: perf evlist -f -i $DATA/perfdata/simpleperf-perf_with_two_event_types.data
--- stdout
cycles:HG
cpu-clock:HG

=== fields of an old file
argv: perf evlist -f -v -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4
--- stdout
cycles: size: 80, { sample_period, sample_freq }: 1000, sample_type: IP|TID|TIME|ID|PERIOD, read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID, disabled: 1, inherit: 1, mmap: 1, comm: 1, freq: 1, enable_on_exec: 1, sample_id_all: 1, exclude_guest: 1
instructions: size: 80, config: 0x1, { sample_period, sample_freq }: 1000, sample_type: IP|TID|TIME|ID|PERIOD, read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID, disabled: 1, inherit: 1, freq: 1, enable_on_exec: 1, sample_id_all: 1, exclude_guest: 1
cache-references: size: 80, config: 0x2, { sample_period, sample_freq }: 1000, sample_type: IP|TID|TIME|ID|PERIOD, read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID, disabled: 1, inherit: 1, freq: 1, enable_on_exec: 1, sample_id_all: 1, exclude_guest: 1
cache-misses: size: 80, config: 0x3, { sample_period, sample_freq }: 1000, sample_type: IP|TID|TIME|ID|PERIOD, read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID, disabled: 1, inherit: 1, freq: 1, enable_on_exec: 1, sample_id_all: 1, exclude_guest: 1
branches: size: 80, config: 0x4, { sample_period, sample_freq }: 1000, sample_type: IP|TID|TIME|ID|PERIOD, read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID, disabled: 1, inherit: 1, freq: 1, enable_on_exec: 1, sample_id_all: 1, exclude_guest: 1
branch-misses: size: 80, config: 0x5, { sample_period, sample_freq }: 1000, sample_type: IP|TID|TIME|ID|PERIOD, read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID, disabled: 1, inherit: 1, freq: 1, enable_on_exec: 1, sample_id_all: 1, exclude_guest: 1

=== all kinds of fields
argv: perf evlist -f -v -i $DATA/perfdata/quipper-perf.data.branch-4.14
--- stdout
cycles:ppp: size: 112, { sample_period, sample_freq }: 4000, sample_type: IP|TID|TIME|PERIOD|BRANCH_STACK, disabled: 1, inherit: 1, mmap: 1, comm: 1, freq: 1, enable_on_exec: 1, task: 1, precise_ip: 3, sample_id_all: 1, exclude_guest: 1, mmap2: 1, comm_exec: 1, branch_sample_type: ANY

=== registers and stacks
argv: perf evlist -f -v -i $DATA/perfdata/simpleperf-perf_with_arm_regs.data
--- stdout
cycles:HG: size: 120, { sample_period, sample_freq }: 4000, sample_type: IP|TID|TIME|CALLCHAIN|ID|CPU|PERIOD|REGS_USER|STACK_USER, read_format: TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID, disabled: 1, inherit: 1, mmap: 1, comm: 1, freq: 1, enable_on_exec: 1, mmap_data: 1, sample_id_all: 1, exclude_callchain_user: 1, mmap2: 1, use_clockid: 1, sample_regs_user: 0x1ffffffff, sample_stack_user: 65528, clockid: 1

=== an attribute longer than ours
argv: perf evlist -f -v -i $DATA/perfdata/linux-perf-data-sleep.compressed2.data
--- stdout
cycles:Pu: size: 136, { sample_period, sample_freq }: 4000, sample_type: IP|TID|TIME|PERIOD, read_format: ID|LOST, disabled: 1, inherit: 1, exclude_kernel: 1, exclude_hv: 1, mmap: 1, comm: 1, freq: 1, enable_on_exec: 1, task: 1, precise_ip: 3, sample_id_all: 1, mmap2: 1, comm_exec: 1, use_clockid: 1, ksymbol: 1, bpf_event: 1, clockid: 1

=== frequencies and periods
argv: perf evlist -f -F -i $DATA/perfdata/quipper-perf.data.lost_samples-4.4
--- stdout
cycles:pp: sample_period=20003
instructions:pp: sample_period=20003
branch-instructions:pp: sample_period=20003

=== groups
argv: perf evlist -f -g -i $DATA/perfdata/quipper-perf.data.group_desc-4.14
--- stdout
{cache-references,branch-misses}

=== groups of a stream
argv: perf evlist -f -g -i $DATA/perfdata/quipper-perf.data.piped.header_feautres_group_desc-6.8
--- stdout
{cycles:u,instructions:u}

=== tracepoints of a stream
argv: perf evlist -f -i $DATA/perfdata/linuxtracepoints-pipe.data
--- stdout
user_events:Long_Provider_Name_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX0123456789_L5K0Gasdf
user_events:TestProviderC_L1Kf123456789abcdef
user_events:TestProviderC_L4K85
user_events:TestProviderC_L5K0
user_events:TestProviderC_L5K0Gmsft
user_events:TestProviderCpp_L1Kf123456789abcdef
user_events:TestProviderCpp_L4K85
user_events:TestProviderCpp_L5K0
user_events:TestProviderCpp_L5K0Gmsft
sched:sched_switch
dummy:HG
# Tip: use 'perf evlist --trace-fields' to show fields for tracepoint events

=== their fields
argv: perf evlist -f --trace-fields -i $DATA/perfdata/linuxtracepoints-pipe.data
--- stdout
user_events:Long_Provider_Name_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX0123456789_L5K0Gasdf: trace_fields: eventheader_flags,version,id,tag,opcode,level
user_events:TestProviderC_L1Kf123456789abcdef: trace_fields: eventheader_flags,version,id,tag,opcode,level
user_events:TestProviderC_L4K85: trace_fields: eventheader_flags,version,id,tag,opcode,level
user_events:TestProviderC_L5K0: trace_fields: eventheader_flags,version,id,tag,opcode,level
user_events:TestProviderC_L5K0Gmsft: trace_fields: eventheader_flags,version,id,tag,opcode,level
user_events:TestProviderCpp_L1Kf123456789abcdef: trace_fields: eventheader_flags,version,id,tag,opcode,level
user_events:TestProviderCpp_L4K85: trace_fields: eventheader_flags,version,id,tag,opcode,level
user_events:TestProviderCpp_L5K0: trace_fields: eventheader_flags,version,id,tag,opcode,level
user_events:TestProviderCpp_L5K0Gmsft: trace_fields: eventheader_flags,version,id,tag,opcode,level
sched:sched_switch: trace_fields: prev_comm,prev_pid,prev_prio,prev_state,next_comm,next_pid,next_prio
dummy:HG: (not a tracepoint)

=== -g excludes the other options
argv: perf evlist -g -v
exit: 129
--- stderr
  Error: --group option is not compatible with other options


 Usage: perf evlist [<options>]

    -f, --force           don't complain, do it
    -F, --freq            Show the sample frequency
    -g, --group           Show event group information
    -i, --input <file>    Input file name
    -v, --verbose         Show all event attr details
        --trace-fields    Show tracepoint fields


=== no such file
argv: perf evlist -i nonexistent.data
exit: 255
--- stderr
error: failed to open 'nonexistent.data': No such file or directory
hint: try 'perf record' first

=== no recording
argv: perf evlist -f -i $DATA/perfdata/README.md
exit: 255
--- stderr
error: '$DATA/perfdata/README.md' is no perf.data file

=== a header whose attributes have no size
argv: perf evlist -f -i $DATA/perfdata/malformed/poc-8b38b630443e3d51
exit: 255
--- stderr
error: '$DATA/perfdata/malformed/poc-8b38b630443e3d51' is broken: its attrs have 0 bytes

