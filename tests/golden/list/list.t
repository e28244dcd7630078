# perf list: what does not depend on the machine. Compared with the installed perf by tests/diff/list.py.
=== software events
argv: perf list sw
needs: perf-events
--- stdout
  alignment-faults                                   [Software event]
  bpf-output                                         [Software event]
  cgroup-switches                                    [Software event]
  context-switches OR cs                             [Software event]
  cpu-clock                                          [Software event]
  cpu-migrations OR migrations                       [Software event]
  dummy                                              [Software event]
  emulation-faults                                   [Software event]
  major-faults                                       [Software event]
  minor-faults                                       [Software event]
  page-faults OR faults                              [Software event]
  task-clock                                         [Software event]
  duration_time                                      [Tool event]
  user_time                                          [Tool event]
  system_time                                        [Tool event]

=== software events, names only
argv: perf list --raw-dump sw
needs: perf-events
--- stdout
alignment-faults bpf-output cgroup-switches context-switches cpu-clock cpu-migrations dummy emulation-faults major-faults minor-faults page-faults task-clock duration_time user_time system_time 
\\ no newline at end

=== a tool event as JSON
argv: perf list -j tool
--- stdout
[
{
	"EventName": "duration_time",
	"EventType": "Tool event"
},
{
	"EventName": "user_time",
	"EventType": "Tool event"
},
{
	"EventName": "system_time",
	"EventType": "Tool event"
},
{
	"EventName": "num_cpus",
	"EventType": "Tool event"
},
{
	"EventName": "num_cpus_online",
	"EventType": "Tool event"
},
{
	"EventName": "num_cores",
	"EventType": "Tool event"
},
{
	"EventName": "num_dies",
	"EventType": "Tool event"
},
{
	"EventName": "num_packages",
	"EventType": "Tool event"
},
{
	"EventName": "smt_on",
	"EventType": "Tool event"
},
{
	"EventName": "system_tsc_freq",
	"EventType": "Tool event"
},
{
	"EventName": "has_pmem",
	"EventType": "Tool event"
}
]

=== no such event: nothing, and an empty list
sh: perf list no_such_event_at_all; perf list -j no_such_event_at_all
--- stdout
[]
--- stderr
warning: no event and no kind of events is called 'no_such_event_at_all'
hint: 'perf list' alone lists all
warning: no event and no kind of events is called 'no_such_event_at_all'
hint: 'perf list' alone lists all

=== how to write events without a name
argv: perf list raw
--- stdout
  rNNN                                               [Raw hardware event descriptor]
  cpu/t1=v1[,t2=v2,t3 ...]/modifier                  [Raw hardware event descriptor]
  mem:<addr>[/len][:access]                          [Hardware breakpoint]

=== into a file that cannot be written
argv: perf list -o /no/such/folder/x sw
exit: 255
--- stderr
error: cannot write '/no/such/folder/x': No such file or directory

=== output goes to the file
sh: perf list -o x --no-desc cs; grep -c context-switches x
needs: perf-events
--- stdout
1

=== an unknown option names itself
sh: perf list --no-such-option 2>&1 | head -3
--- stdout
  Error: unknown option `no-such-option'

 Usage: perf list [<options>] [hw|sw|cache|tracepoint|pmu|sdt|metric|metricgroup|tool|event_glob]

=== metrics of a model
sh: perf list -j --details tma_light_operations; perf list metricgroup | head -5
env: PERF_CPUID=GenuineIntel-6-8F-8
--- stdout
[
{
	"MetricGroup": "TopdownL2;tma_L2_group",
	"MetricName": "tma_light_operations",
	"MetricExpr": "max(0, tma_retiring - tma_heavy_operations)",
	"MetricThreshold": "tma_light_operations > 0.6",
	"ScaleUnit": "100%",
	"BriefDescription": "Slots that retired uops of simple instructions"
}
]

Metric Groups:

BrMispredicts
Branches

=== expressions and thresholds of metrics
sh: perf list --details metric | grep -A3 tma_light_operations | head -4; perf list --details metric | grep -A3 '^  IPC$'
env: PERF_CPUID=GenuineIntel-6-8F-8
--- stdout
  tma_light_operations
       [Slots that retired uops of simple instructions]
       [max(0, tma_retiring - tma_heavy_operations)]
       [tma_light_operations > 0.6]
  IPC
       [Instructions per cycle]
       [INST_RETIRED.ANY / CPU_CLK_UNHALTED.THREAD]
  IpBranch

=== groups with names only
argv: perf list --raw-dump metricgroup
env: PERF_CPUID=AuthenticAMD-23-31-0
--- stdout
Default Default2 Default3 Default4 Summary branch_prediction decoder 
\\ no newline at end

=== an id that is none
argv: perf list --raw-dump metricgroup
env: PERF_CPUID=Zen
--- stdout
Default Default2 Default3 Default4 
\\ no newline at end
--- stderr
warning: PERF_CPUID is not an id of a CPU: VENDOR-FAMILY-MODEL-STEPPING or 0xMIDR

=== tracepoints: those in the kernel's list, and those with an id
sh: mkdir -p t/events/a/listed t/events/a/with_id t/events/a/neither t/events/b/listed t/events/b/record && echo 7 >t/events/a/with_id/id && printf 'a:listed\na:gone\nb:listed\n' >t/available_events && PERF_DEBUGFS_DIR=$PWD/t perf list --raw-dump tracepoint; echo; rm t/available_events; PERF_DEBUGFS_DIR=$PWD/t perf list --raw-dump tracepoint; echo
--- stdout
a:listed a:with_id b:listed 
a:with_id 

