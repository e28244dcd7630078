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
# (a machine in the emulated one hangs at times, so that it rests between)
(while [ ! -e /tmp/enough ]; do exits 200 200 >/dev/null; sleep 0.3; done) &
run live perf kvm stat live -n 3
run live_mmio perf kvm stat live -n 2 --event mmio --json
: >/tmp/enough
wait
run guests perf kvm record -o g.data exits 5 5
run evlist perf evlist -v -i g.data
