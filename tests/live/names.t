# Names of objects that are replaced, gone, or elsewhere by the time of the report.
=== a file that was replaced: no wrong names, and said so
sh: p() { echo "volatile long x; __attribute__((noinline)) void $1(void) { for (long i = 0; i < 100000000; i++) x += i; } int main(void) { $1(); }" | gcc -O$2 -x c - -o prog; }; p first_one 1 && perf record -q -N -e cpu-clock:u -o x.data ./prog && perf report -i x.data --stdio -s sym | grep -c first_one; p second_one 2; perf report -i x.data --stdio -s sym | grep -c '_one'; perf script -i x.data -F ip,sym | grep -c '_one'
needs: perf-events gcc
exit: 1
--- stdout
1
0
0
--- stderr
warning: '$TMP/prog': no names, since the file has been replaced after the recording (another build id)
warning: '$TMP/prog': no names, since the file has been replaced after the recording (another build id)

=== the same with a copy in the build-id cache: the right names, nothing to say
sh: p() { echo "volatile long x; __attribute__((noinline)) void $1(void) { for (long i = 0; i < 100000000; i++) x += i; } int main(void) { $1(); }" | gcc -O$2 -x c - -o prog; }; p first_one 1 && perf record -q -e cpu-clock:u -o x.data ./prog && p second_one 2; perf report -i x.data --stdio -s sym | grep -c first_one; rm prog; perf report -i x.data --stdio -s sym | grep -c first_one
needs: perf-events gcc
--- stdout
1
1

=== without a build id: a file that was changed is told
sh: echo 'volatile long x; __attribute__((noinline)) void no_id(void) { for (long i = 0; i < 100000000; i++) x += i; } int main(void) { no_id(); }' | gcc -O1 -Wl,--build-id=none -x c - -o prog && perf record -q -N -e cpu-clock:u -o x.data ./prog && perf report -i x.data --stdio -s sym | grep -c no_id; touch -d 'now + 1 hour' prog; perf report -i x.data --stdio -s sym | grep -c no_id
needs: perf-events gcc
--- stdout
1
1
--- stderr
warning: '$TMP/prog': names may be wrong: the file was changed after the recording, and no build id was recorded

=== files that were replaced before and while they are recorded: read where they are mapped, and kept
sh: p() { echo "volatile long x; __attribute__((noinline)) void $1(void) { for (;;) x += $2; } int main(void) { $1(); }" | gcc -O1 -x c - -o prog; }; p first_one 1 && { ./prog & pid=$!; cp prog kept; p second_one 2; perf record -q -e cpu-clock:u -o x.data -p $pid -- sleep 0.3; perf record -q --no-buildid-mmap -e cpu-clock:u -o y.data -p $pid -- sleep 0.3; perf --buildid-dir none record -q -e cpu-clock:u -o z.data -p $pid -- sleep 0.3; perf --buildid-dir other report -i z.data --stdio -q -s sym | grep -c first_one; kill $pid; wait $pid 2>/dev/null; for f in x y; do perf report -i $f.data --stdio -q -s sym | grep -c first_one; perf buildid-list -i $f.data | grep -c "$(readelf -n kept | grep -o '[0-9a-f]\{40\}')"; done; mv kept prog; ./prog & pid=$!; mkfifo ready; { read x <ready; p third_one 3; } & perf record -q -e cpu-clock:u -o v.data -p $pid -- sh -c 'echo >ready; sleep 0.1; while ! nm prog | grep -q third_one; do sleep 0.1; done'; kill $pid; perf report -i v.data --stdio -q -s sym | grep -c first_one; } 2>/dev/null
needs: perf-events gcc root readelf
--- stdout
1
1
1
1
1
1

=== in another mount namespace: while it runs, and from the cache when it is gone
sh: echo 'volatile long x; __attribute__((noinline)) void in_a_box(void) { for (;;) x++; } int main(void) { in_a_box(); }' | gcc -O1 -x c - -o prog && mkdir box && { unshare -m sh -c 'mount -t tmpfs none box && cp prog box/inner && rm prog && { box/inner & echo $! >pid; wait; }' 2>/dev/null & for i in {1..100}; do [ -s pid ] && break; sleep 0.05; done; sleep 0.2; pid=$(cat pid); perf record -q -e cpu-clock:u -o x.data -p $pid -- sleep 0.3; perf --buildid-dir $PWD/none report -i x.data --stdio -s dso,sym | grep -o 'inner .*in_a_box'; kill $pid; wait; perf report -i x.data --stdio -s dso,sym | grep -o 'inner .*in_a_box'; perf --buildid-dir $PWD/none report -i x.data --stdio -s dso,sym | grep -c in_a_box; }
needs: perf-events gcc root mount-namespace
exit: 1
--- stdout
inner          [.] in_a_box
inner          [.] in_a_box
0

=== a file of another mount namespace goes into the cache
sh: mkdir box && { unshare -m sh -c 'mount -t tmpfs none box && cp /bin/true box/inner && { sleep 30 & echo $! >pid; wait; }' 2>/dev/null & for i in {1..100}; do [ -s pid ] && break; sleep 0.05; done; sleep 0.2; pid=$(cat pid); perf buildid-cache -a box/inner; perf buildid-cache -v --target-ns $pid -a box/inner 2>&1 | sed 's/[0-9a-f]\{40\}/ID/'; kill $pid; wait; (cd $PERF_BUILDID_DIR && find . -name elf | sed 's/[0-9a-f]\{40\}/ID/'); perf buildid-cache --target-ns 99999999 -a box/inner; }
needs: root mount-namespace
exit: 255
--- stdout
Adding ID box/inner: Ok
.$TMP/box/inner/ID/elf
--- stderr
error: cannot open 'box/inner': No such file or directory
error: cannot read the mount namespace of process 99999999: No such file or directory

=== stripped Go programs: functions from the runtime's own table, and enough to see their frame pointers
sh: cat >spin.go && go build -ldflags='-s -w' -o spinner spin.go && perf record -q -N -e cpu-clock:u -g -o x.data ./spinner 2>/dev/null && perf report -i x.data --stdio --no-children -g none -s dso,sym | grep -o 'spinner *\[.\] main.(\*box).spin' && perf script -i x.data -F ip,sym | grep -c runtime.main | sed 's/[1-9][0-9]*/called/'; perf doctor ./spinner | grep -c "keeps frame pointers .*functions and lines in Go's own table"
needs: perf-events go
--- stdin
package main

type box struct{ n int }

//go:noinline
func (b *box) spin() {
	for i := 0; i < 300000000; i++ {
		b.n += i
	}
}

func main() {
	b := box{}
	b.spin()
	println(b.n)
}
--- stdout
spinner        [.] main.(*box).spin
called
1

=== code that a JIT compiler runs from a file in memory: perf-PID.map, and embedded names when that is gone
sh: cat >jit.c && gcc -O1 -o jit jit.c && perf record -q -e cpu-clock:u --embed-symbols -o x.data ./jit >pid && perf report -i x.data --stdio -q -s dso,sym | grep -c 'JIT. tid .*Program::Main(int32)\[Tier0\]'; perf record -q -e cpu-clock:u -o y.data ./jit unlink >/dev/null; perf report -i y.data --stdio -q -s dso,sym | grep -o 'memfd:doublemapper' | sort -u; rm /tmp/perf-$(cat pid).map; perf script -i x.data -F ip,sym | grep -c Program::Main | sed 's/[1-9][0-9]*/named/'
needs: perf-events gcc
--- stdin
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static const unsigned char code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 }; /* counts rdi down */
	int fd = memfd_create("doublemapper", 0);
	char name[64], *to_write;
	void (*run)(long);
	FILE *f;

	if (ftruncate(fd, 0x20000))
		return 1;
	to_write = mmap(NULL, 0x20000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
	f = fopen(name, "w");
	run = mmap(NULL, 0x10000, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0x10000);
	memcpy(to_write + 0x10000, code, sizeof(code));
	fprintf(f, "%016lX %x void [app] Program::Main(int32)[Tier0]\n", (long)run, (int)sizeof(code));
	fclose(f);
	printf("%d\n", getpid());
	run(300000000);
	if (argc > 1)
		unlink(name);
	return 0;
}
--- stdout
1
memfd:doublemapper
named

=== names of code of JIT compilers stay with the recording, those of others do not
sh: cat >jit.c && gcc -O1 -o jit jit.c && perf record -q -B -e cpu-clock:u -o x.data ./jit >pid && perf record -q -N -e cpu-clock:u -o z.data ./jit >>pid && perf record -q -B -e cpu-clock:u --no-embed-symbols -o y.data ./jit >>pid && for p in $(cat pid); do rm /tmp/perf-$p.map; done; for f in x z y; do perf script -i $f.data -F ip,sym | grep -c ' compiled$' | sed 's/^[1-9][0-9]*/named/'; perf report -i $f.data --header-only | grep -o 'embedded symbols : .*' || true; done
needs: perf-events gcc
--- stdin
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	static const unsigned char code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 }; /* counts rdi down */
	unsigned char *at = mmap(NULL, 0x10000, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	FILE *f;

	snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
	f = fopen(name, "w");
	memcpy(at, code, sizeof(code));
	fprintf(f, "%lX %x compiled\n%lX %x not sampled\n", (long)at, (int)sizeof(code), (long)at + 64, 16);
	fclose(f);
	printf("%d\n", getpid());
	((void (*)(long))at)(300000000);
	return 0;
}
--- stdout
named
embedded symbols : 1 of 1 objects
named
embedded symbols : 1 of 1 objects
0

=== functions inlined in callers that frame pointers tell: where they are asked for
sh: echo 'volatile long x; static inline __attribute__((always_inline)) void in_line(void) { for (long i = 0; i < 100000000; i++) x += i; } __attribute__((noinline)) void real(void) { in_line(); } int main(void) { real(); x++; }' | gcc -O1 -g -fno-omit-frame-pointer -x c - -o prog && perf record -q -N -g -e cpu-clock:u -o x.data ./prog && perf script -i x.data -F ip,sym >a; perf script --no-inline -i x.data -F ip,sym >b; cmp a b; grep -c inlined a; perf script --inline -i x.data -F ip,sym | grep -o 'in_line (inlined)' | sort -u
needs: perf-events gcc
--- stdout
0
in_line (inlined)
