# SPDX-License-Identifier: GPL-2.0-or-later
# kvm.sh: what kvm.py lets happen in the guest; NAME.out, NAME.err and NAME.rc as in x86.sh.
# shellcheck shell=sh
mkdir -p /tmp/out
cd /tmp/out || exit 1
echo 1 >/proc/sys/kernel/panic_on_rcu_stall

run() {
	name=$1
	shift
	echo "$name"
	"$@" >"$name.out" 2>"$name.err"
	echo $? >"$name.rc"
}

run record perf kvm stat record -o k.data exits 60 25
for event in vmexit mmio ioport; do
	run $event perf kvm -i k.data stat report --event $event
	[ ! -x /bin/ref ] || run ref_$event ref kvm -i k.data stat report --event $event
done
# (a machine in the emulated one hangs at times)
(while [ ! -e /tmp/enough ]; do timeout -s KILL 10 exits 200 200 >/dev/null; sleep 0.3; done) &
run live perf kvm stat live -n 3
# what is typed: another sort key, the second virtual CPU (there is none), all of them, the end
wait_for() {
	tries=0
	until grep -q "$1" live_keys.out || [ $tries = 60 ]; do
		tries=$((tries + 1))
		sleep 1
	done
}
type_keys() {
	wait_for 'by sample'
	printf s
	wait_for 'by time'
	printf 'v1\n'
	wait_for 'VCPU 1:'
	printf 'v\n'
	tries=0 # until the last table is of all and has rows
	until awk '/for all VMs/ { all = /all VCPUs/; rows = 0 } /us [(] *[+]-/ { rows++ } END { exit !(all && rows) }' live_keys.out ||
		[ $tries = 60 ]; do
		tries=$((tries + 1))
		sleep 0.3
	done
	sleep 0.5
	printf q
	tries=0 # script ends with its input
	until [ -e live_keys.rc ] || [ $tries = 30 ]; do
		tries=$((tries + 1))
		sleep 0.3
	done
}
if [ -x /bin/script ]; then
	type_keys | run live_keys timeout -s KILL 120 script -qefc 'perf kvm stat live' /dev/null
fi
run live_mmio perf kvm stat live -n 2 --event mmio --json
: >/tmp/enough
wait
run guests perf kvm record -o g.data exits 5 5
run evlist perf evlist -v -i g.data
