# SPDX-License-Identifier: GPL-2.0-or-later
# arm64.sh: what arm64.py lets happen in the guest. Every `run NAME COMMAND...` leaves NAME.out,
# NAME.err and NAME.rc in /tmp/out, where the recordings are, too, and says NAME before it begins: vm.py
# looks whether the guest goes on.
# shellcheck shell=sh
mkdir -p /tmp/out
cd /tmp/out || exit 1

# Where things are mapped changes how many instructions the dynamic linker needs.
echo 0 >/proc/sys/kernel/randomize_va_space

run() {
	name=$1
	shift
	echo "$name"
	"$@" >"$name.out" 2>"$name.err"
	echo $? >"$name.rc"
}

run version perf version
run stat perf stat work
run group perf stat -x, -e '{cycles:u,instructions:u}' work
run again perf stat -x, -e '{cycles:u,instructions:u}' work
run repeat perf stat -r 3 -e cycles:u,instructions:u work
run many perf stat -x, -e cycles,instructions,r8,r11,r1b,r3,r4,r14,r13 work 10000000
run passes perf stat --plan --no-multiplex -x, -e cycles:u,instructions:u,r8:u,r11:u,r1b:u,r3:u,r4:u,r14:u,r13:u work
run interval perf stat -x, -I 5 -e cycles:u work 10000000
run missing perf stat -e instructions,branches,L1-dcache-loads true
run missing_all perf stat -e branches,L1-dcache-loads true
run pmu perf stat -x, -e armv8_pmuv3/cpu_cycles/u,armv8_pmuv3/event=0x8/u,armv8_pmuv3/inst_retired/u work
run json perf stat -j -e cycles:u work
run leader perf stat -x, -e '{cycles,r8,r11,r1b,r3,r4,r14,r13,r10}' work

# The documents' command lines, with counters.
run seed_default perf stat ls /
run seed_detailed perf stat -d ls /
run seed_list perf stat -e cycles,instructions,cache-references,cache-misses,bus-cycles -a sleep 0.1
run seed_raw perf stat -e cycles,instructions,r8,r11 ls /
run seed_raw_all perf stat -e r0011 -a sleep 0.1
run seed_terms perf stat -e cycles -e armv8_pmuv3/event=0x11/ -a sleep 0.1
run seed_interval perf stat -I 100 -e r11 work 20000000
run seed_cores perf stat -I 100 -a --per-core -e r11 work 20000000
run seed_loads perf stat -I 100 -e instructions --per-core -a work 20000000
run seed_busy sh -c 'work 200000000 & perf stat -p $! sleep 0.1; kill $!'
run seed_all perf stat -a -d sleep 0.1
run seed_names sh -c 'perf list | grep Hardware'

run rec_period perf record -o period.data -g -e cycles:u -c 19999 work
run rec_freq perf record -o freq.data -e cycles -F 2000 work 5000000
run rec_group perf record -o group.data -e '{cycles:u,instructions:u}:S' -c 100000 work
run rec_regs perf record -o regs.data --intr-regs --user-regs=x0,lr,sp,pc -e cycles:u -c 200000 work
run rec_dwarf perf record -o dwarf.data --call-graph dwarf,1024 -e cycles:u -c 400000 work
run rec_trace perf record -o trace.data -e raw_syscalls:sys_enter,sched:sched_switch sh -c true
run rec_clock perf record -o clock.data -e task-clock -a sleep 0.05
# Runs until it is killed; its innermost function uses the frame pointer for something else.
run rec_auto sh -c 'trash & sleep 0.2; perf record -o auto.rec -e cycles:u -c 1000000 --call-graph auto,40000 -p $! sleep 1; kill $!'
run auto_script perf script -i auto.rec -F comm,ip,sym --no-inline
run auto_doctor perf doctor auto.rec
cat /proc/kallsyms >kallsyms
# All but those that only start commands, as the other runs here do: two thirds of the time.
run selftest perf test --skip Commands
run bench perf bench mem memcpy -c -f default -s 64KB

PERF=perf
. /reads.sh
echo reads
read_texts /tmp/out /tmp/out/guest_read "$guest_texts" --kallsyms=/tmp/out/kallsyms
read_texts /data /tmp/out/x86_read "$data_texts" --kallsyms=/dev/null --symfs=/nothing
