# Scripts in Python.
=== a tracepoint's handler, and what it gets when it declares the sample
needs: libpython
sh: printf 'def sched__sched_switch(name, context, cpu, secs, nsecs, pid, comm, chain, *fields):\n if nsecs %% 7 == 0: print(name, cpu, secs, nsecs, pid, comm, len(chain), fields)\n' > s.py; perf script -i $DATA/script/sched-stacks.data -s s.py
--- stdout
sched__sched_switch 1 3089 81213300 4552 bash 7 ('bash', 4552, 120, 1, 'swapper/1', 0, 120)
sched__sched_switch 0 3089 99602748 4560 bash 10 ('bash', 4560, 120, 256, 'migration/0', 18, 0)
sched__sched_switch 1 3089 243753475 4560 gzip 5 ('gzip', 4560, 120, 0, 'memfd:sealed-91', 3351, 120)
sched__sched_switch 1 3089 283485006 4560 gzip 6 ('gzip', 4560, 120, 0, 'kcompactd0', 36, 120)

=== trace_unhandled
needs: libpython
sh: printf 'n = 0\ndef trace_begin(): print("begin")\ndef trace_end(): print("end", n)\ndef trace_unhandled(name, context, fields):\n global n\n n += 1\n if n == 1:\n  fields["common_callchain"] = fields["common_callchain"][:2]\n  for k, v in fields.items(): print(k, repr(v))\n' > s.py; perf script -i $DATA/script/sched-stacks.data -s s.py --symfs $TMP --kallsyms /dev/null
--- stdout
begin
common_cpu 1
common_s 3089
common_ns 79504191
common_pid 4552
common_comm 'bash'
common_callchain [{'ip': 18446744071597689688, 'dso': '[kernel.kallsyms]'}, {'ip': 18446744071597692629, 'dso': '[kernel.kallsyms]'}]
prev_comm 'bash'
prev_pid 4552
prev_prio 120
prev_state 256
next_comm 'perf'
next_pid 4551
next_prio 120
end 25

=== arguments, modules and names of flags
needs: libpython
sh: printf 'import os, sys\nsys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")\nfrom perf_trace_context import *\nfrom Core import *\nfrom Util import *\ndone = False\ndef sched__sched_switch(name, context, *a):\n global done\n if done: return\n done = True\n print(common_pc(context), common_flags(context), common_lock_depth(context), flag_str(name, "prev_state", 3), nsecs(1, 2))\n try: common_pc(1)\n except ValueError as e: print(e)\nprint(sys.argv)\n' > s.py; perf script -i $DATA/script/sched-stacks.data -s s.py one --two
--- stdout
['s.py', 'one', '--two']
3 1 0 S | D 1000000002
PyCapsule_GetPointer called with invalid PyCapsule object

=== process_event
needs: libpython
sh: printf 'n = 0\ndef process_event(e):\n global n\n n += 1\n if n > 1: return\n for k, v in e.items(): print(k, v)\n' > s.py; perf script -i $DATA/script/group.data -s python:s.py --symfs $TMP --kallsyms /dev/null
--- stdout
ev_name cpu-clock
attr b'\x01\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xa0\x0f\x00\x00\x00\x00\x00\x00W\x01\x00\x00\x00\x00\x00\x00\x1c\x00\x00\x00\x00\x00\x00\x00\x017\x94a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00'
sample {'pid': 4831, 'tid': 4831, 'cpu': 4294967295, 'ip': 140590971897386, 'time': 3102541671858, 'period': 261170, 'phys_addr': 0, 'addr': 0, 'values': [(7135, 261170, 0), (7137, 9, 0)], 'weight': 0, 'transaction': 0, 'datasrc': 84410401, 'datasrc_decode': '|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A', 'cpumode': 2}
raw_buf b''
comm bash
dso /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
dso_bid 7ebc65e52f2bbea498b4040fa92f7238377aaba9
dso_map_start 140590971817984
dso_map_end 140590971973632
callchain []
brstack []
brstacksym []
iregs 
uregs 

=== branches and registers
needs: libpython
sh: printf 'n = 0\ndef process_event(e):\n global n\n n += 1\n if n > 2: return\n for k in ("callchain", "brstack", "brstacksym", "iregs"): print(k, e[k])\n' > s.py; perf script -i $DATA/branches/stack.data -s s.py --symfs $DATA/branches
--- stdout
callchain [{'ip': 4194664, 'sym': {'start': 342, 'end': 370, 'binding': 1, 'name': 'recurse'}, 'sym_off': 18, 'dso': '/walk'}, {'ip': 4194826, 'sym': {'start': 471, 'end': 544, 'binding': 1, 'name': 'once'}, 'sym_off': 51, 'dso': '/walk'}, {'ip': 4194869, 'sym': {'start': 544, 'end': 585, 'binding': 1, 'name': 'main'}, 'sym_off': 21, 'dso': '/walk'}]
brstack [{'from': 4194652, 'to': 4194661, 'mispred': False, 'predicted': True, 'in_tx': False, 'abort': False, 'cycles': 8, 'from_dsoname': '/walk', 'to_dsoname': '/walk'}, {'from': 4194824, 'to': 4194646, 'mispred': False, 'predicted': True, 'in_tx': False, 'abort': False, 'cycles': 1, 'from_dsoname': '/walk', 'to_dsoname': '/walk'}, {'from': 4194722, 'to': 4194796, 'mispred': False, 'predicted': True, 'in_tx': False, 'abort': False, 'cycles': 2, 'from_dsoname': '/walk', 'to_dsoname': '/walk'}, {'from': 4194791, 'to': 4194674, 'mispred': False, 'predicted': True, 'in_tx': False, 'abort': False, 'cycles': 3, 'from_dsoname': '/walk', 'to_dsoname': '/walk'}, {'from': 4194864, 'to': 4194775, 'mispred': True, 'predicted': False, 'in_tx': False, 'abort': False, 'cycles': 5, 'from_dsoname': '/walk', 'to_dsoname': '/walk'}]
brstacksym [{'from': 'recurse+0x6', 'to': 'recurse+0xf', 'pred': 'P', 'in_tx': '-', 'abort': '-'}, {'from': 'once+0x31', 'to': 'recurse+0x0', 'pred': 'P', 'in_tx': '-', 'abort': '-'}, {'from': 'loop+0x30', 'to': 'once+0x15', 'pred': 'P', 'in_tx': '-', 'abort': '-'}, {'from': 'once+0x10', 'to': 'loop+0x0', 'pred': 'P', 'in_tx': '-', 'abort': '-'}, {'from': 'main+0x10', 'to': 'once+0x0', 'pred': 'M', 'in_tx': '-', 'abort': '-'}]
iregs 
callchain [{'ip': 4194638, 'sym': {'start': 324, 'end': 342, 'binding': 1, 'name': 'leaf'}, 'sym_off': 10, 'dso': '/walk'}, {'ip': 4194771, 'sym': {'start': 370, 'end': 471, 'binding': 1, 'name': 'loop'}, 'sym_off': 97, 'dso': '/walk'}, {'ip': 4194796, 'sym': {'start': 471, 'end': 544, 'binding': 1, 'name': 'once'}, 'sym_off': 21, 'dso': '/walk'}, {'ip': 4194869, 'sym': {'start': 544, 'end': 585, 'binding': 1, 'name': 'main'}, 'sym_off': 21, 'dso': '/walk'}]
brstack [{'from': 4194766, 'to': 4194628, 'mispred': False, 'predicted': True, 'in_tx': False, 'abort': False, 'cycles': 0, 'from_dsoname': '/walk', 'to_dsoname': '/walk'}, {'from': 4194756, 'to': 4194742, 'mispred': True, 'predicted': False, 'in_tx': False, 'abort': False, 'cycles': 40, 'from_dsoname': '/walk', 'to_dsoname': '/walk'}, {'from': 4194756, 'to': 4194742, 'mispred': False, 'predicted': True, 'in_tx': False, 'abort': False, 'cycles': 40, 'from_dsoname': '/walk', 'to_dsoname': '/walk'}, {'from': 4194761, 'to': 4194723, 'mispred': True, 'predicted': False, 'in_tx': False, 'abort': False, 'cycles': 1, 'from_dsoname': '/walk', 'to_dsoname': '/walk'}, {'from': 4194708, 'to': 4194732, 'mispred': False, 'predicted': True, 'in_tx': False, 'abort': False, 'cycles': 0, 'from_dsoname': '/walk', 'to_dsoname': '/walk'}, {'from': 4194791, 'to': 4194674, 'mispred': False, 'predicted': True, 'in_tx': False, 'abort': False, 'cycles': 2, 'from_dsoname': '/walk', 'to_dsoname': '/walk'}, {'from': 4194864, 'to': 4194775, 'mispred': False, 'predicted': True, 'in_tx': False, 'abort': False, 'cycles': 8, 'from_dsoname': '/walk', 'to_dsoname': '/walk'}]
brstacksym [{'from': 'loop+0x5c', 'to': 'leaf+0x0', 'pred': 'P', 'in_tx': '-', 'abort': '-'}, {'from': 'loop+0x52', 'to': 'loop+0x44', 'pred': 'M', 'in_tx': '-', 'abort': '-'}, {'from': 'loop+0x52', 'to': 'loop+0x44', 'pred': 'P', 'in_tx': '-', 'abort': '-'}, {'from': 'loop+0x57', 'to': 'loop+0x31', 'pred': 'M', 'in_tx': '-', 'abort': '-'}, {'from': 'loop+0x22', 'to': 'loop+0x3a', 'pred': 'P', 'in_tx': '-', 'abort': '-'}, {'from': 'once+0x10', 'to': 'loop+0x0', 'pred': 'P', 'in_tx': '-', 'abort': '-'}, {'from': 'main+0x10', 'to': 'once+0x0', 'pred': 'P', 'in_tx': '-', 'abort': '-'}]
iregs 

=== context switches
needs: libpython
sh: printf 'n = 0\ndef context_switch(*a):\n global n\n n += 1\n if n < 4: print(*a)\n' > s.py; perf script -i $DATA/script/switches.data -s s.py
--- stdout
3100282593301 0 0 0 4782 4784 -1 True True 0 -1
3100282597236 0 4782 4784 0 0 -1 False False 0 -1
3100282620161 0 4782 4784 0 0 -1 True False 0 -1

=== throttling
needs: libpython
sh: printf 'def throttle(*a): print("throttle", *a)\ndef unthrottle(*a): print("unthrottle", *a)\n' > s.py; perf script -f -i $DATA/perfdata/quipper-perf.data.piped.target.throttled-3.4 -s s.py | head -2
--- stdout
throttle 596462216208706 32 32 3 0 0
unthrottle 596462225086513 32 32 3 0 0

=== counts of perf stat record
needs: libpython
sh: printf 'def stat__cycles(*a): print("cycles", *a)\ndef stat__instructions(*a): print("instructions", *a)\ndef stat__interval(t): print("interval", t)\n' > s.py; perf script -i $DATA/perfdata/made-stat.data -s s.py
--- stdout
cycles -1 -1 1000000000 6250000000 4000000000 4000000000
instructions -1 -1 1000000000 4166666666 4000000000 2000000000
interval 1000000000
cycles -1 -1 2000000000 6250000000 4000000000 4000000000
instructions -1 -1 2000000000 12500000000 4000000000 2000000000
interval 2000000000

=== filters choose the samples that a script sees
needs: libpython
sh: printf 'n = 0\ndef trace_unhandled(*a):\n global n\n n += 1\ndef trace_end(): print(n)\n' > s.py; perf script -i $DATA/script/sched-stacks.data -s s.py; perf script -i $DATA/script/sched-stacks.data -c bash -s s.py
--- stdout
25
13

=== a stream
needs: libpython
sh: printf 'from collections import Counter\nc = Counter()\ndef trace_unhandled(name, *a): c[name] += 1\ndef trace_end():\n for k in sorted(c)[:5]: print(k, c[k])\n' > s.py; perf script -i - -s s.py < $DATA/perfdata/linuxtracepoints-pipe.data
--- stdout
sched__sched_switch 297
user_events__Long_Provider_Name_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX0123456789_L5K0Gasdf 1
user_events__TestProviderC_L1Kf123456789abcdef 1
user_events__TestProviderC_L4K85 1
user_events__TestProviderC_L5K0 109

=== an exception ends the script
needs: libpython
sh: printf 'def trace_unhandled(*a): print("one"); 1 / 0\ndef trace_end(): print("never")\n' > s.py; perf script -i $DATA/script/sched-stacks.data -s s.py
exit: 255
--- stdout
one
--- stderr contains
ZeroDivisionError: division by zero
error: the script's trace_unhandled() failed

=== what is asked of a record after its handler has returned
needs: libpython
sh: printf 'import atexit\nfrom perf_trace_context import *\nc = perf_script_context\ndef late(): print(common_flags(c), common_pc(c), perf_sample_insn(c), perf_sample_srcline(c), perf_sample_srccode(c))\natexit.register(late)\ndef trace_unhandled(*a): late(); 1 / 0\n' > s.py; perf script -i $DATA/script/sched-stacks.data --symfs $TMP --kallsyms /dev/null -s s.py
exit: 255
--- stdout
1 3 None (None, 0) (None, 0, None)
0 0 None (None, 0) (None, 0, None)
--- stderr contains
error: the script's trace_unhandled() failed

=== handlers that take each other's place
needs: libpython
sh: printf 'n = 0\ndef trace_unhandled(a, b, c):\n global sched__sched_switch\n def sched__sched_switch(*f):\n  global trace_unhandled, sched__sched_switch\n  del trace_unhandled, sched__sched_switch\n  def trace_unhandled(a, b, c, d):\n   global n\n   n += 1\ndef trace_end(): print(n)\n' > s.py; perf script -i $DATA/script/sched-stacks.data -s s.py
--- stdout
23

=== a depth without bounds
needs: libpython
sh: printf 'n = 0\ndef trace_unhandled(a, b, c):\n global n\n n = max(n, len(c["common_callchain"]))\ndef trace_end(): print(n > 5)\n' > s.py; perf script -i $DATA/script/sched-stacks.data --max-stack 2147483647 -s s.py
--- stdout
True

=== so does sys.exit(), with its number
needs: libpython
sh: printf 'import sys\ndef trace_unhandled(*a): sys.exit(7)\n' > s.py; perf script -i $DATA/script/sched-stacks.data -s s.py
exit: 7

=== a mistake in the script
needs: libpython
sh: printf 'def x(:\n' > s.py; perf script -i $DATA/script/sched-stacks.data -s s.py
exit: 255
--- stderr contains
SyntaxError: invalid syntax
error: cannot run the Python script 's.py'

=== no such script
argv: perf script -i $DATA/script/sched-stacks.data -s none.py
exit: 255
--- stderr
error: cannot open 'none.py': No such file or directory

=== no such language
argv: perf script -i $DATA/script/sched-stacks.data -s none
exit: 129
--- stderr
error: 'none': invalid script extension
hint: perf script -s lang lists the languages

=== no such language before a colon, told before the recording is opened
argv: perf script -i none.data -s foo:x.py
exit: 129
--- stderr
error: 'foo:x.py': invalid language specifier
hint: perf script -s lang lists the languages

=== no Perl
argv: perf script -i $DATA/script/sched-stacks.data -s x.pl
exit: 255
--- stderr
error: scripts in Perl are not supported
hint: write it in Python (perf script -g python), or read the text: perf script | ./your-parser

=== no Python where one is named
sh: touch s.py; PERF_PYTHON=/none perf script -i $DATA/script/sched-stacks.data -s s.py
exit: 255
--- stderr
error: PERF_PYTHON: '/none' is no Python 3 with a shared library
hint: name an interpreter or a libpython3.N.so.1.0 (Debian's package: libpython3.N), or unset PERF_PYTHON

=== the languages
argv: perf script -s lang
--- stderr
Scripting language extensions (used in perf script -s [spec:]script.[spec]):

  Perl                                       [Perl] (not supported)
  pl                                         [Perl] (not supported)
  Python                                     [Python]
  py                                         [Python]


=== a script to begin with
sh: perf script -i $DATA/script/sched-stacks.data -g python && cat perf-script.py
--- stdout
# A script for perf, written by `perf script -g python`: change it, then run
#     perf script -s perf-script.py
#
# Every tracepoint of the recording has a function below, which is called for each of its
# samples. It gets what all of them have (common_*), then the event's own fields. What else
# is known of a sample is in perf_sample_dict; what few need is told by functions of context,
# like common_pc(context). See perf help script.

from __future__ import print_function

import os
import sys

sys.path.append(os.environ['PERF_EXEC_PATH'] + \
	'/scripts/python/Perf-Trace-Util/lib/Perf/Trace')

from perf_trace_context import *
from Core import *


def trace_begin():
	print("in trace_begin")

def trace_end():
	print("in trace_end")

def sched__sched_switch(event_name, context, common_cpu,
	common_secs, common_nsecs, common_pid, common_comm,
	common_callchain, prev_comm, prev_pid, prev_prio, prev_state, 
	next_comm, next_pid, next_prio, perf_sample_dict):
		print_header(event_name, common_cpu, common_secs, common_nsecs,
			common_pid, common_comm)

		print("prev_comm=%s, prev_pid=%d, prev_prio=%d, " \
		"prev_state=%s, next_comm=%s, next_pid=%d, " \
		"next_prio=%d" % \
		(prev_comm, prev_pid, prev_prio, 
		flag_str("sched__sched_switch", "prev_state", prev_state), 
		next_comm, next_pid, next_prio))

		print('Sample: {'+get_dict_as_string(perf_sample_dict['sample'], ', ')+'}')

		for node in common_callchain:
			if 'sym' in node:
				print("	[%x] %s%s%s%s" % (
					node['ip'], node['sym']['name'],
					"+0x{:x}".format(node['sym_off']) if 'sym_off' in node else "",
					" ({})".format(node['dso']) if 'dso' in node else "",
					" " + node['sym_srcline'] if 'sym_srcline' in node else ""))
			else:
				print("	[%x]" % (node['ip']))

		print()

def trace_unhandled(event_name, context, event_fields_dict, perf_sample_dict):
		print(get_dict_as_string(event_fields_dict))
		print('Sample: {'+get_dict_as_string(perf_sample_dict['sample'], ', ')+'}')

def print_header(event_name, cpu, secs, nsecs, pid, comm):
	print("%-20s %5u %05u.%09u %8u %-20s " % \
	(event_name, cpu, secs, nsecs, pid, comm), end="")

def get_dict_as_string(a_dict, delimiter=' '):
	return delimiter.join(['%s=%s'%(k,str(v))for k,v in sorted(a_dict.items())])
--- stderr
generated Python script: perf-script.py

=== which runs
needs: libpython
sh: perf script -i $DATA/script/sched-stacks.data -g python 2> /dev/null && perf script -i $DATA/script/sched-stacks.data -s perf-script.py | head -3
--- stdout
in trace_begin
sched__sched_switch      1 03089.079504191     4552 bash                 prev_comm=bash, prev_pid=4552, prev_prio=120, prev_state=, next_comm=perf, next_pid=4551, next_prio=120
Sample: {addr=0, cpu=1, cpumode=1, datasrc=84410401, datasrc_decode=|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A, ip=18446744071597689688, period=1, phys_addr=0, pid=4552, tid=4552, time=3089079504191, transaction=0, values=[(0, 0, 0)], weight=0}

=== installed scripts
sh: mkdir -p scripts/python/bin; printf '#!/bin/sh\n# description: counts things\n# args: <what> [how]\necho report "$@"\n' > scripts/python/bin/count-report; printf '#!/bin/sh\necho record "$@" > /dev/stderr\n' > scripts/python/bin/count-record; export PERF_EXEC_PATH=$PWD; perf script -l; perf script record count -F 99; perf script record count -F 99 sleep 1; perf script report count a b; perf script count what true
--- stdout
List of available trace scripts:
  count <what> [how]                   counts things
report a b
report what -i -
--- stderr
record -a -F 99
record -F 99 sleep 1
record -q -o - true

=== an installed script that is none
sh: PERF_EXEC_PATH=/none perf script none
exit: 129
--- stderr
error: couldn't find script 'none' in '/none/scripts'
hint: perf script -l lists them; perf script -s FILE runs a script of your own

=== a name that is no installed script
sh: PERF_EXEC_PATH=/none perf script report none
exit: 255
--- stderr
error: couldn't find script 'none' in '/none/scripts'
hint: perf script -l lists them; perf script -s FILE runs a script of your own

=== the scripts that come with perf
sh: export PERF_EXEC_PATH=$DATA/../..; perf script -l
--- stdout
List of available trace scripts:
  failed-syscalls-by-pid [comm]        system calls that failed, by task and error
  stackcollapse                        stacks on lines of their own with their number, for flame graphs
  syscall-counts [comm]                system calls, by how often they were made

=== stackcollapse
needs: libpython
sh: export PERF_EXEC_PATH=$DATA/../..; perf script report stackcollapse -i $DATA/branches/stack.data --symfs $DATA/branches
--- stdout
walk;main 3
walk;main;once 2
walk;main;once;loop 5
walk;main;once;loop;leaf 1
walk;main;once;recurse 1

=== stackcollapse: samples of tracepoints, too
needs: libpython
sh: export PERF_EXEC_PATH=$DATA/../..; perf script report stackcollapse -i $DATA/script/sched-stacks.data --symfs /none --kallsyms /dev/null | sed 's/.*;//' | awk '{ n += $2 } END { print n }'
--- stdout
25

=== syscall-counts, failed-syscalls-by-pid
needs: libpython perf-events tracefs
sh: export PERF_EXEC_PATH=$DATA/../..; for s in syscall-counts failed-syscalls-by-pid; do perf script record $s -q -o $s.data cat /nonexistent 2> /dev/null; perf script report $s cat -i $s.data > $s; done; grep -c '^[a-z0-9_]* *[1-9][0-9]*$' syscall-counts | awk '{ print ($1 > 5) }'; grep -c '    err = ENOENT *[1-9]' failed-syscalls-by-pid | awk '{ print ($1 > 0) }'; perf script report syscall-counts none -i syscall-counts.data
--- stdout
1
1

syscall events for none:

event                                          count
\----------------------------------------  -----------

=== the same, while it is recorded
needs: libpython perf-events tracefs
sh: export PERF_EXEC_PATH=$DATA/../..; perf script failed-syscalls-by-pid cat /nonexistent 2> /dev/null | grep -c '    err = ENOENT *[1-9]' | awk '{ print ($1 > 0) }'
--- stdout
1

=== perf tells that it runs scripts
needs: feature:libpython
sh: perf version --build-options | grep ' libpython:'
--- stdout
             libpython: [ on  ]  # HAVE_LIBPYTHON_SUPPORT

=== a generated script in a file of one's own
needs: libpython
sh: perf script -g mine.py -i $DATA/script/sched-stacks.data; head -1 mine.py | cut -c1-20; ls
--- stdout
# A script for perf,
mine.py
--- stderr
generated Python script: mine.py

=== no file of a language
argv: perf script -g x.zz -i $DATA/script/sched-stacks.data
exit: 255
--- stderr
error: 'x.zz' is no language for scripts, and no file of one
hint: perf script -g python, perf script -g FILE.py

=== a program that is run where it was built has the scripts of the sources above it
sh: mkdir -p tree/build; cp -r $DATA/../../scripts tree/scripts; cp -L "$(command -v perf)" tree/build/perf; tree/build/perf script -l | cut -c-30
--- stdout
List of available trace script
  failed-syscalls-by-pid [comm
  stackcollapse               
  syscall-counts [comm]       

