#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Does watching the machine stay within its memory? A consumer that decays as a top does (tests/tools/live_sums)
# watches all CPUs for so many seconds while compilers and short tasks come and go; a line a second tells what it uses.
#
#	bench/live_soak.sh BUILD [SECONDS] [FREQUENCY] > LOG
set -u
sums=$(realpath "$1")/tests/tools/live_sums
seconds=${2:-600}
rate=${3:-999}
work=$(mktemp -d)
# (the last compilers end a moment later)
trap 'kill $storms 2>/dev/null; wait; sleep 2; rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >Makefile <<'END'
all: $(foreach n,$(shell seq 40),part$(n).o)
part%.o:
	echo 'int part$*(int x) { for (int i = 0; i < x; i++) x ^= i * $*; return x; }' >part$*.c
	$(CC) -O2 -c part$*.c
END
(while :; do make -s -j2 >/dev/null 2>&1; rm -f part*; done) &
storms=$!
(while :; do for i in 1 2 3 4 5 6 7 8; do (/bin/true; exec /bin/true) & done; wait; done) &
storms="$storms $!"
"$sums" -a -D -r 100 -F "$rate" -g fp -s "$seconds" 2>&1 >/dev/null
