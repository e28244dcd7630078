# SPDX-License-Identifier: GPL-2.0-or-later
# x86.sh: what x86.py lets happen in the guest. Every `run NAME COMMAND...` leaves NAME.out, NAME.err
# and NAME.rc in /tmp/out, and says NAME before it begins: vm.py looks whether the guest goes on.
# shellcheck shell=sh
mkdir -p /tmp/out
cd /tmp/out || exit 1
export PERF_BUILDID_DIR=/tmp/cache

# An emulated CPU may stop answering the other one, with any program: the guest ends, and vm.py starts another.
echo 1 >/proc/sys/kernel/panic_on_rcu_stall

run() {
	name=$1
	shift
	echo "$name"
	"$@" >"$name.out" 2>"$name.err"
	echo $? >"$name.rc"
}

as_user() { su -s /bin/sh nobody -c "$*"; }

for level in -1 0 1 2 3; do
	echo $level >/proc/sys/kernel/perf_event_paranoid
	run own_$level as_user perf stat -x, -e task-clock:u,task-clock true
	run wide_$level as_user perf stat -x, -a -e cpu-clock sleep 0.01
	run rec_$level as_user perf record -o /tmp/user.data -e cpu-clock -F 5000 perf test -w brstack 50000
	run evlist_$level as_user perf evlist -i /tmp/user.data
	run test_$level as_user perf test 1
	rm -f /tmp/user.data
done
echo 1 >/proc/sys/kernel/perf_event_paranoid
# All but those that only start commands, as the other runs here do: half of the time.
run selftest perf test --skip Commands

run numa_bound perf bench numa mem -p 2 -t 1 -P 4 -l 4 -s 9 -C 0,1 -M 1,0 -q
run numa_pages perf bench numa mem -p 1 -t 1 -P 16 -l 4 -s 9 -M 1 -C 0 -q
run numa_converge perf bench numa mem -p 2 -t 2 -P 4 -s 1 -c

run stats_record perf sched stats record -o stats.data -- sh /say.sh
run stats perf sched stats report -i stats.data
run stats_live perf sched stats -C 0 -- sh /say.sh
run stats_switch cat /proc/sys/kernel/sched_schedstats

# The guest's own output goes through a driver that is a module: its functions are in the stacks.
run rec_module perf record -o module.data -e kmem:kmalloc -g -a -- sh /say.sh
run module perf script -i module.data --show-mmap-events -F comm,event,ip,sym,dso
run rec_reads perf stat -x, -e syscalls:sys_enter_read perf record -o /dev/null -e dummy true
run module_ids perf buildid-list -i module.data
cat /proc/modules >modules
cat /proc/iomem >iomem

# Code of the kernel and of the modules that the root folder is behind.
run rec_code perf record -o code.data -a -e cpu-clock:k -F 5000 -- find / -xdev -name say.sh
run code_objects perf report --stdio -q -s dso,sym -i code.data
run code_kernel perf annotate --stdio -d '[kernel.kallsyms]' --percent-limit 2 -i code.data
module=$(sed -n 's/^ *[0-9.]*% *\(\[[a-z0-9_]*\]\) .*/\1/p' code_objects.out | head -n 1)
run code_module perf annotate --stdio -d "$module" -i code.data
run code_view perf annotate --stdio2 -d "$module" -i code.data
run code_user as_user perf annotate -f --stdio -d '[kernel.kallsyms]' --percent-limit 2 -i /tmp/out/code.data
run rec_kcore perf record --kcore -o kcore.data -e cpu-clock -F 5000 -g sh /say.sh
cp -rl kcore.data renamed.data
tr k K <kcore.data/kcore_dir/kallsyms >renamed
mv -f renamed renamed.data/kcore_dir/kallsyms
run kcore perf script -i kcore.data -F event,ip,sym,dso
run kcore_renamed perf script -i renamed.data -F event,ip,sym,dso
chmod -R a+rX kcore.data /tmp/out
run kcore_code as_user perf annotate -f --stdio -d '[kernel.kallsyms]' --percent-limit 5 -i /tmp/out/kcore.data
run kcore_attrs perf evlist -v -i kcore.data
run kcore_files ls kcore.data kcore.data/kcore_dir
run kcache perf --buildid-dir /kcache buildid-cache -v -k /proc/kcore
run kcache_again perf --buildid-dir /kcache buildid-cache -v -k /proc/kcore
run kcache_files sh -c 'find /kcache -type f | xargs ls -l'
run kcache_size sh -c 'test $(stat -c %s kcore.data/kcore_dir/kcore) = $(stat -c %s /kcache/*/*/*/kcore)'
run kcache_purge sh -c 'perf --buildid-dir /kcache buildid-cache -P; find /kcache -type f'
rm -rf kcore.data renamed.data
run kcore_user as_user perf record --kcore -o /tmp/user.data -e cpu-clock:u true

run probe_add perf probe vfs_write
run probe_some perf probe -a 'ours:back=do_sys_openat2%return $retval' -a 'ours:name=do_sys_openat2 file=+0(%si):string' \
	-a 'ours:typed=do_sys_openat2 dfd filename:ustring how->flags'
module=$(sed -n '1s/ .*//p' /proc/modules)
function=$(sed -n "s/^[0-9a-f]* t \\([a-z_0-9]*\\)\t\\[$module\\]\$/\\1/p" /proc/kallsyms | sed -n 1p)
run probe_module perf probe -m "$module" "ours:within=$function"
run probe_module_funcs perf probe -m "$module" -F "$function"
run probe_again perf probe vfs_write
run probe_wrong perf probe ours:black=do_int3
run probe_pattern perf probe 'ours:p=vfs_*acl*'
run probe_list perf probe -l
run probe_pattern_delete perf probe -d 'ours:p*'
run probe_refused perf probe -a ours:q=vfs_read -a ours:r=vfs_caches_init
run probe_refused_left perf probe -l 'ours:q*'
run probe_lines perf probe vfs_write:3
run probe_record perf record -o probe.data -e ours:name,ours:back__return,probe:vfs_write sh /say.sh
run probe_script perf script -i probe.data -F comm,event,trace
run probe_keep perf --buildid-dir /kept probe --cache ours:kept=vfs_read
run probe_kept perf --buildid-dir /kept probe --cache -l
run probe_definition perf --buildid-dir /kept probe -D %ours:kept
run place_record perf record -o place.data -e 'kprobe:do_sys_openat2(name=+0(%si):ustring),kretprobe:do_sys_openat2($retval:s32)' \
	-e kprobe:vfs_write,kretprobe:vfs_write sh /say.sh
run place_script perf script -i place.data -F event,ip,sym,trace
run btf_record perf record -o btf.data -e ours:typed -e 'kprobe:vfs_open(path->dentry->d_name.name:string)' cat /say.sh
run btf_script perf script -i btf.data -F event,trace
run place_near perf record -e kprobe:do_sys_opnat2 true
run place_left grep perf_ /sys/kernel/tracing/kprobe_events
# The lines about tcp_sendmsg of perf's documents, with a program that sends.
if [ -x /send ]; then
	run tcp_add perf probe --add tcp_sendmsg
	run tcp_raw perf record -o tcp.data -e probe:tcp_sendmsg -aR /send
	run tcp_raw_script perf script -i tcp.data -F comm,event,trace
	run tcp_chains perf record -o tcp.data -e probe:tcp_sendmsg -ag -- /send
	run tcp_chains_script perf script -i tcp.data -F comm,event,ip,sym
	run tcp_del perf probe -d tcp_sendmsg
	run tcp_alias perf probe -a 'tcp_sendmsg%return $retval' -a 'tcp_sendmsg bytes=%dx'
	echo tcp_bytes
	perf record -o tcp.data -e probe:tcp_sendmsg --filter 'bytes > 100' >tcp_bytes.out 2>tcp_bytes.err &
	i=0
	until ls -l /proc/$!/fd | grep -q perf_event || [ $i = 300 ]; do sleep 0.1; i=$((i + 1)); done
	for i in 1 2 3 4 5 6 7 8; do sleep 0.1; /send; done >/dev/null
	kill -INT $!
	wait $!
	echo $? >tcp_bytes.rc
	run tcp_bytes_script perf script -i tcp.data -F comm,event,trace
	run tcp_result perf record -o tcp.data -e probe:tcp_sendmsg__return -a /send
	run tcp_result_script perf script -i tcp.data -F comm,event,trace
	run tcp_del perf probe -d 'tcp_sendmsg*'
	run tcp_dry perf probe -nv 'tcp_sendmsg size sk->__sk_common.skc_state'
	run tcp_state perf probe 'tcp_sendmsg size sk->__sk_common.skc_state'
	run tcp_closing perf record -o tcp.data -e probe:tcp_sendmsg --filter 'size > 0 && skc_state != 1' -a /send
	run tcp_closing_script perf script -i tcp.data -F comm,event,trace
	run tcp_all perf record -o tcp.data -e probe:tcp_sendmsg -a /send
	run tcp_all_script perf script -i tcp.data -F comm,event,trace
	run tcp_del perf probe -d tcp_sendmsg
fi
# Lines of the kernel's source, which x86.py has looked up in the kernel's debug information.
if [ -f /lines ]; then
	run lines_add sh -c 'cat /lines >>/sys/kernel/tracing/kprobe_events'
	run lines_record perf record -o lines.data -e ours:line -a /send
	run lines_script perf script -i lines.data -F comm,event,trace
	run lines_del perf probe -d ours:line
fi
# BPF programs that x86.py has compiled; the guest has no clang
if [ -f /old.o ]; then
	run bpf_old perf record -o bpf.data -e bpf-output/no-inherit,name=evt/ -e /old.o/map:channel.event=evt/ -a -- sh /say.sh
	run bpf_old_script perf script -i bpf.data -F comm,event,trace,bpf-output
	run bpf_args perf record -o bpf.data -e bpf-output/no-inherit,name=evt/ -e /args.o/map:channel.event=evt/ sh /say.sh
	run bpf_args_script perf script -i bpf.data -F comm,event,trace,bpf-output
	run bpf_left grep perf_ /sys/kernel/tracing/kprobe_events
	perf record -o /dev/null -e /busy.o -a sleep 120 2>bpf_busy &
	busy=$!
	# the same one twice: while perf asks what the kernel has, it loads others for a moment
	i=0 id='' before=''
	until { [ -n "$id" ] && [ "$id" = "$before" ]; } || [ $i = 300 ] || ! kill -0 $busy; do
		sleep 0.2
		before=$id i=$((i + 1))
		id=$(cat /proc/$busy/fdinfo/* 2>/dev/null | sed -n 's/^prog_id:[^0-9]*//p' | head -n 1)
	done
	run bpf_within perf stat -x, -e cpu-clock,page-faults -b "$id" -- sh /say.sh
	run bpf_within_text perf stat -e cpu-clock -b "$id,$id" -- sh /say.sh
	kill $busy
	wait $busy
	run bpf_gone perf stat -e cpu-clock -b "$id" true
fi
run probe_unwritable as_user perf probe vfs_write
echo 2 >/proc/sys/kernel/perf_event_paranoid
run probe_user as_user perf probe vfs_write
echo 1 >/proc/sys/kernel/perf_event_paranoid
run probe_delete perf probe -d '*'
run probe_left cat /sys/kernel/tracing/kprobe_events

echo 2 >/proc/sys/kernel/kptr_restrict
run probe_hidden perf probe -D vfs_write
run rec_hidden as_user perf record -o /tmp/hidden.data -e cpu-clock:u perf test -w brstack
run hidden as_user perf report --stdio -i /tmp/hidden.data
run hidden_kallsyms as_user perf kallsyms schedule
echo 0 >/proc/sys/kernel/kptr_restrict

echo 0 >/sys/devices/system/cpu/cpu1/online
run off_stat perf stat -x, -C 1 -e cpu-clock true
run off_stat_both perf stat -x, -A -C 0-1 -e cpu-clock true
run off_stat_all perf stat -x, -A -a -e cpu-clock true
run off_record perf record -C 0,1 -o off.data -e cpu-clock true
run off_record_all perf record -a -o off_all.data -e cpu-clock true
run off_header perf report --header-only -i off_all.data
echo 1 >/sys/devices/system/cpu/cpu1/online
leave='sleep 0.3; echo 0 >/sys/devices/system/cpu/cpu1/online; sleep 0.2'
run going_stat perf stat -x, -a -e cpu-clock sh -c "$leave"
echo 1 >/sys/devices/system/cpu/cpu1/online
run going_record perf record -a -o going.data -e cpu-clock -F 500 sh -c "$leave"
run going_script perf script -i going.data
echo 1 >/sys/devices/system/cpu/cpu1/online
# Away and back again, between two looks.
return="sleep 0.3; cd /sys/devices/system/cpu/cpu1; echo 0 >online; echo 1 >online; sleep 0.2"
run back_stat perf stat -x, -a -e cpu-clock sh -c "$return"
run back_record perf record -a -o back.data -e cpu-clock -F 500 sh -c "$return"
wait_for() { for i in 0 1 2 3 4 5 6 7 8 9; do for k in 0 1 2 3 4 5 6 7 8 9; do ! grep -q "$@" || return 0; sleep 0.1; done; done; }
perf top --stdio -d 1 -a -F 500 >back_top.out 2>back_top.err &
wait_for PerfTop back_top.out
echo 0 >/sys/devices/system/cpu/cpu1/online
echo 1 >/sys/devices/system/cpu/cpu1/online
wait_for 'went offline' back_top.err
kill -INT $!
wait $!
echo $? >back_top.rc

# The function tracer: what it prints, beside the reference where that is there, and what stays behind.
# With one CPU: while the kernel's code is changed, two that are emulated often hang.
echo 0 >/sys/devices/system/cpu/cpu1/online
tracing=/sys/kernel/tracing
tracing_state() {
	for file in current_tracer tracing_on set_ftrace_filter set_ftrace_notrace set_graph_function set_graph_notrace \
		max_graph_depth tracing_thresh set_ftrace_pid tracing_cpumask trace_clock trace_options; do
		echo "$file: $(cat $tracing/$file)"
	done
	ls $tracing/instances
}
run ftrace_kept sh -c "echo do_exit >$tracing/set_ftrace_filter; echo do_exit >$tracing/set_graph_notrace; echo 7 >$tracing/max_graph_depth"
tracing_state >ftrace_before
run ftrace_function perf ftrace -T 'do_nanosleep' sleep 0.01
run ftrace_irqs perf ftrace -t function -T 'do_nano*' --func-opts irq-info sleep 0.01
run ftrace_stack perf ftrace -T do_nanosleep -N schedule --func-opts call-graph sleep 0.01
run ftrace_graph perf ftrace -T '*_nanosleep' -G hrtimer_nanosleep --graph-opts depth=2,noirqs sleep 0.01
run ftrace_verbose perf ftrace -T 'hrtimer_*' -G hrtimer_nanosleep --graph-opts verbose,nosleep-time,noirqs -m 64K sleep 0.01
run ftrace_list perf ftrace -F 'do_nanosl*'
run ftrace_latency perf ftrace latency -T do_nanosleep sleep 0.01
run ftrace_kprobe perf ftrace latency -b -T do_nanosleep sleep 0.01
run ftrace_inherit perf ftrace latency -T do_nanosleep --inherit -- sh -c 'sleep 0.01; sleep 0.01; true'
run ftrace_profile perf ftrace profile -T '*n*sleep' sleep 0.01
for key in total avg max count; do
	run "ftrace_sort_$key" perf ftrace profile --sort "$key" -T '*n*sleep' sleep 0.01
done
run ftrace_sort_wrong perf ftrace profile -s nosuch true
run ftrace_tail perf ftrace -T '*_nanosleep' -G hrtimer_nanosleep --graph-opts depth=1,noirqs,tail sleep 0.01
run ftrace_args perf ftrace -T '*_nanosleep' -G hrtimer_nanosleep --graph-opts depth=2,noirqs,args sleep 0.01
run ftrace_profile_graph perf ftrace profile -s name -T '*_nanosleep' -G hrtimer_nanosleep sleep 0.01
run ftrace_quiet perf ftrace -T do_nanosleep true
run ftrace_killed perf ftrace --inherit -T do_nanosleep -- sh -c 'sleep 0.01; kill -9 $$'
run ftrace_nothing perf ftrace -T no_such_function true
run ftrace_failed perf ftrace -T do_nanosleep /nonexistent
# not by timeout: the clock of a guest on a busy machine leaps by minutes
perf ftrace -T do_nanosleep -p 1 >ftrace_stopped.out 2>ftrace_stopped.err &
i=0
while [ $i -lt 300 ] && ! grep -qs 1 $tracing/instances/*/tracing_on; do sleep 0.1; i=$((i + 1)); done
kill $!
wait $!
echo $? >ftrace_stopped.rc
perf ftrace latency -T do_nanosleep -a >ftrace_term.out 2>ftrace_term.err &
sleep 1
kill $!
wait $!
echo $? >ftrace_term.rc
tracing_state >ftrace_after
echo function >$tracing/current_tracer
run ftrace_busy perf ftrace latency -T do_nanosleep sleep 0.01
run ftrace_beside perf ftrace -T do_nanosleep sleep 0.01
echo nop >$tracing/current_tracer
run ftrace_unkept sh -c "echo >$tracing/set_ftrace_filter; echo >$tracing/set_graph_notrace; echo 0 >$tracing/max_graph_depth"
if [ -x /bin/ref ]; then
	run ref_function ref ftrace -T 'do_nanosleep' sleep 0.01
	run ref_irqs ref ftrace -t function -T 'do_nano*' --func-opts irq-info sleep 0.01
	run ref_stack ref ftrace -T do_nanosleep -N schedule --func-opts call-graph sleep 0.01
	run ref_graph ref ftrace -T '*_nanosleep' -G hrtimer_nanosleep --graph-opts depth=2,noirqs sleep 0.01
	run ref_verbose ref ftrace -T 'hrtimer_*' -G hrtimer_nanosleep --graph-opts verbose,nosleep-time,noirqs -m 64K sleep 0.01
	run ref_list ref ftrace -F 'do_nanosl*'
fi
# What is brought back goes through the emulated machine, too.
rm -rf ./*.data ./*.data.old
