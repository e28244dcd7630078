# Rows by the fields of tracepoints.
=== a field of any event
argv: perf report --stdio --no-children -g none -s next_comm,prev_state -i $DATA/script/sched-stacks.data
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 25  of event 'sched:sched_switch'
# Event count (approx.): 25
#
# Overhead         next_comm          prev_state
# ........  ................  ..................
#
    36.00%   memfd:sealed-91                   R
    20.00%         swapper/1                   S
    20.00%       migration/0                  R+
     8.00%              bash                   S
     4.00%       rcu_preempt                   R
     4.00%              perf                  R+
     4.00%         kdamond.0                   R
     4.00%        kcompactd0                   R


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a field of one event, plain
argv: perf report --stdio --no-children -g none -s comm,sched:sched_switch.prev_state/raw -i $DATA/script/sched-stacks.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 25  of event 'sched:sched_switch'
# Event count (approx.): 25
#
# Overhead  Command          prev_state
# ........  .......  ..................
#
    48.00%  gzip                      0
    28.00%  bash                      1
    24.00%  bash                    256


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== all fields, plain
argv: perf report --stdio --no-children -g none -s trace_fields --raw-trace -i $DATA/script/sched-stacks.data
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 25  of event 'sched:sched_switch'
# Event count (approx.): 25
#
# Overhead         prev_comm    prev_pid   prev_prio          prev_state         next_comm    next_pid   next_prio
# ........  ................  ..........  ..........  ..................  ................  ..........  ..........
#
    20.00%              gzip        4560         120                   0   memfd:sealed-91        3025         120
    20.00%              bash        4552         120                   1         swapper/1           0         120
    16.00%              gzip        4560         120                   0   memfd:sealed-91        3351         120
     4.00%              gzip        4560         120                   0       rcu_preempt          15         120
     4.00%              gzip        4560         120                   0         kdamond.0          77         120
     4.00%              gzip        4560         120                   0        kcompactd0          36         120
     4.00%              bash        4560         120                 256       migration/0          18           0
     4.00%              bash        4558         120                 256       migration/0          18           0
     4.00%              bash        4557         120                 256       migration/0          18           0
     4.00%              bash        4556         120                 256       migration/0          18           0
     4.00%              bash        4555         120                 256       migration/0          18           0
     4.00%              bash        4552         120                   1              bash        4559         120
     4.00%              bash        4552         120                   1              bash        4554         120
     4.00%              bash        4552         120                 256              perf        4551         120


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== all fields of an event, separated
argv: perf report --stdio --no-children -g none -t : -s sched_switch.* -i $DATA/script/sched-stacks.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 25  of event 'sched:sched_switch'
# Event count (approx.): 25
#
# Overhead:       prev_comm:  prev_pid: prev_prio:        prev_state:       next_comm:  next_pid: next_prio
 20.00% :            gzip:      4560:       120:                 R: memfd.sealed-91:      3025:       120
 20.00% :            bash:      4552:       120:                 S:       swapper/1:         0:       120
 16.00% :            gzip:      4560:       120:                 R: memfd.sealed-91:      3351:       120
 4.00%  :            gzip:      4560:       120:                 R:     rcu_preempt:        15:       120
 4.00%  :            gzip:      4560:       120:                 R:       kdamond.0:        77:       120
 4.00%  :            gzip:      4560:       120:                 R:      kcompactd0:        36:       120
 4.00%  :            bash:      4560:       120:                R+:     migration/0:        18:         0
 4.00%  :            bash:      4558:       120:                R+:     migration/0:        18:         0
 4.00%  :            bash:      4557:       120:                R+:     migration/0:        18:         0
 4.00%  :            bash:      4556:       120:                R+:     migration/0:        18:         0
 4.00%  :            bash:      4555:       120:                R+:     migration/0:        18:         0
 4.00%  :            bash:      4552:       120:                 S:            bash:      4559:       120
 4.00%  :            bash:      4552:       120:                 S:            bash:      4554:       120
 4.00%  :            bash:      4552:       120:                R+:            perf:      4551:       120


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== in a hierarchy
argv: perf report --stdio --hierarchy -g none -s prev_comm,next_pid -i $DATA/script/sched-stacks.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 25  of event 'sched:sched_switch'
# Event count (approx.): 25
#
#    Overhead  prev_comm / next_pid
# ...........  ....................
#
    52.00%     bash
       20.00%     18
       20.00%     0
        4.00%     4559
        4.00%     4554
        4.00%     4551
    48.00%     gzip
       20.00%     3025
       16.00%     3351
        4.00%     77
        4.00%     36
        4.00%     15


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== the whole text without its format
argv: perf report --stdio --no-children -g none -s trace --raw-trace -i $DATA/script/sched-stacks.data
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 25  of event 'sched:sched_switch'
# Event count (approx.): 25
#
# Overhead  Trace output                                                                                                  
# ........  ..............................................................................................................
#
    20.00%   prev_comm=bash prev_pid=4552 prev_prio=120 prev_state=1 next_comm=swapper/1 next_pid=0 next_prio=120
    20.00%   prev_comm=gzip prev_pid=4560 prev_prio=120 prev_state=0 next_comm=memfd:sealed-91 next_pid=3025 next_prio=120
    16.00%   prev_comm=gzip prev_pid=4560 prev_prio=120 prev_state=0 next_comm=memfd:sealed-91 next_pid=3351 next_prio=120
     4.00%   prev_comm=bash prev_pid=4552 prev_prio=120 prev_state=1 next_comm=bash next_pid=4554 next_prio=120
     4.00%   prev_comm=bash prev_pid=4552 prev_prio=120 prev_state=1 next_comm=bash next_pid=4559 next_prio=120
     4.00%   prev_comm=bash prev_pid=4552 prev_prio=120 prev_state=256 next_comm=perf next_pid=4551 next_prio=120
     4.00%   prev_comm=bash prev_pid=4555 prev_prio=120 prev_state=256 next_comm=migration/0 next_pid=18 next_prio=0
     4.00%   prev_comm=bash prev_pid=4556 prev_prio=120 prev_state=256 next_comm=migration/0 next_pid=18 next_prio=0
     4.00%   prev_comm=bash prev_pid=4557 prev_prio=120 prev_state=256 next_comm=migration/0 next_pid=18 next_prio=0
     4.00%   prev_comm=bash prev_pid=4558 prev_prio=120 prev_state=256 next_comm=migration/0 next_pid=18 next_prio=0
     4.00%   prev_comm=bash prev_pid=4560 prev_prio=120 prev_state=256 next_comm=migration/0 next_pid=18 next_prio=0
     4.00%   prev_comm=gzip prev_pid=4560 prev_prio=120 prev_state=0 next_comm=kcompactd0 next_pid=36 next_prio=120
     4.00%   prev_comm=gzip prev_pid=4560 prev_prio=120 prev_state=0 next_comm=kdamond.0 next_pid=77 next_prio=120
     4.00%   prev_comm=gzip prev_pid=4560 prev_prio=120 prev_state=0 next_comm=rcu_preempt next_pid=15 next_prio=120


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a file without tracepoints
argv: perf report --stdio -s trace_fields -i $DATA/perfdata/autofdo-ro_sample.perf
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 13  of event 'cycles:u'
# Event count (approx.): 527357
#
# Overhead
# ........
#
   100.00%


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== no such field
argv: perf report --stdio -s nothing.here -i $DATA/script/sched-stacks.data
exit: 129
--- stderr contains
Unknown --sort key: `nothing.here'

=== another ending
argv: perf report --stdio -s prev_comm/hex -i $DATA/script/sched-stacks.data
exit: 129
--- stderr contains
Unknown --sort key: `prev_comm/hex'

=== a text no wider than asked for
sh: perf report --stdio --no-children -g none -w 8,20 -s trace -i $DATA/perfdata/linuxtracepoints-pipe.data | grep -m1 -A3 '# Overhead'
--- stdout
# Overhead  Trace output        
# ........  ....................
#
   100.00%  eventheader_flags=7 

