# A copy holds what the recording held: from files and streams to files and streams.
=== a file to a file
sh: perf inject -f -i $DATA/perfdata/quipper-perf.data.hybrid_topology -o out.data; perf script -f -i $DATA/perfdata/quipper-perf.data.hybrid_topology > a; perf script -i out.data > b; cmp a b && wc -l < b; perf buildid-list -i out.data; perf evlist -g -i out.data
--- stdout
7
4d8da7461ede4247af093af473f1c8ddaa2ba242 [kernel.kallsyms]
72d2e6b04eddddbe609e3ce78f0c16a03f516b35 [vdso]
cpu_core/cycles:ppp/
cpu_atom/cycles:ppp/
dummy:HG

=== a stream to a stream, a file, and back
sh: S=$DATA/perfdata/quipper-perf.data.piped.header_feautres_group_desc-6.8; perf inject -f -i $S > s; perf inject -i s -o f; perf inject -i f | cat > s2; for i in $S s f s2; do perf script -f --symfs . -i $i | md5sum; perf evlist -f -g -i $i; done; head -c 16 s | od -An -tx1; head -c 16 f | od -An -tx1; perf report --header-only -i f | grep -E 'hostname|cmdline|nrcpus'
--- stdout
ff0867393f436af530c8e44176743240  -
{cycles:u,instructions:u}
ff0867393f436af530c8e44176743240  -
{cycles:u,instructions:u}
ff0867393f436af530c8e44176743240  -
{cycles:u,instructions:u}
ff0867393f436af530c8e44176743240  -
{cycles:u,instructions:u}
 50 45 52 46 49 4c 45 32 10 00 00 00 00 00 00 00
 50 45 52 46 49 4c 45 32 68 00 00 00 00 00 00 00
# hostname : skanev.svl.corp.google.com
# nrcpus online : 12
# nrcpus avail : 12
# cmdline : /google/bin/images/image-661e485a-0000-27c1-9c01-2405888070fc/usr/bin/perf5 record -e {cycles,instructions} -o - -- echo Hello, World! 

=== compressed records are decompressed
sh: perf inject -f -i $DATA/perfdata/linux-perf-data-sleep.compressed.data -o out.data; perf script --kallsyms=/dev/null -i out.data | md5sum; perf script --kallsyms=/dev/null -f -i $DATA/perfdata/linux-perf-data-sleep.compressed.data | md5sum; perf report --header-only -i out.data | grep -c '^# compressed'
needs: feature:zstd
exit: 1
--- stdout
8ae171fe9facb7b26d43c385fdd655e4  -
8ae171fe9facb7b26d43c385fdd655e4  -
0

=== AUX data is copied, and where it is
sh: perf inject -f -i $DATA/perfdata/simpleperf-perf_etm.data -o out.data; perf report -D -i out.data | sed 's/@[^ ]*//' > a; perf report -f -D -i $DATA/perfdata/simpleperf-perf_etm.data | sed 's/@[^ ]*//' > b; cmp a b && grep -c AUXTRACE a; perf report -I --header-only -i out.data | grep -i aux
--- stdout
4
# contains AUX area data (e.g. instruction trace)

=== a file is not written over itself
sh: cp $DATA/perfdata/quipper-perf.data.callgraph-3.8 x.data; perf inject -f -i x.data -o ./x.data; echo $?; cmp x.data $DATA/perfdata/quipper-perf.data.callgraph-3.8
--- stdout
255
--- stderr
error: './x.data' cannot be read and written at once: name another file with -o

=== an existing file is kept as .old
sh: echo old > out.data; perf inject -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -o out.data; cat out.data.old
--- stdout
old

=== build ids of samples, of a stream too
sh: F=$DATA/perfdata/quipper-perf.data.remmap-3.2; I='00112233445566778899aabbccddeeff00112233 /lib64/ld-2.15.so,44556677 /usr/sbin/perf'; perf inject -f -b --known-build-ids="$I" -i $F -o out.data; perf buildid-list -i out.data; perf inject -f -i $F | perf inject -b --known-build-ids="$I" | perf buildid-list -i -
--- stdout
fa86d26236224a94aa2eb9229bbf91dd8029de42 [kernel.kallsyms]
00112233445566778899aabbccddeeff00112233 /lib64/ld-2.15.so
82e221886235e46c3e624f4064a393c2e0372c5f /mnt/host/source/src/scripts/mmap_perf_test/libfoo.so
fa86d26236224a94aa2eb9229bbf91dd8029de42 [kernel.kallsyms]
00112233445566778899aabbccddeeff00112233 /lib64/ld-2.15.so
82e221886235e46c3e624f4064a393c2e0372c5f /mnt/host/source/src/scripts/mmap_perf_test/libfoo.so

=== build ids that are none
sh: perf inject -b --known-build-ids='xyz /bin/ls' -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -o out.data; echo $?; perf inject -b --known-build-ids=file:///nonexistent -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -o out.data; echo $?
--- stdout
255
255
--- stderr
error: 'xyz /bin/ls' is not a build id and a path
error: cannot open '/nonexistent': No such file or directory

=== options that do not fit
sh: for o in '--strip' '--known-build-ids=x' '--one-object' '--itrace=i100us,z' '-B --mmap2-buildid-all' '--aslr -j' '--vm-time-correlation' '--guest-data=x,1' '-k /nonexistent' '-s'; do perf inject -f -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -o out.data $o 2>&1 | sed -n 1p; echo "${PIPESTATUS[0]}"; done; ls
--- stdout
error: --strip option requires --itrace option
255
error: --known-build-ids option requires --build-ids or --buildid-all
255
error: --one-object option requires --jit option
255
Bad Instruction Tracing options 'i100us,z'
129
error: -B leaves out what --mmap2-buildid-all keeps: only one of them
255
error: --aslr goes with -b and --buildid-all alone: run inject twice, with --aslr last
255
error: Output file name must not be specified for in-place updating
255
--guest-data is not supported yet: recordings of virtual machines are not put together
129
error: invalid file '/nonexistent': No such file or directory
255
error: --sched-stat needs samples of sched:sched_switch and of sched:sched_stat_*
255

=== build ids in records of mappings: of all, and of those that were used
sh: F=$DATA/perfdata/quipper-perf.data.remmap-3.2; perf script -f -i $F > want; for o in --mmap2-buildid-all -B; do perf inject -f $o --known-build-ids="00112233445566778899aabbccddeeff00112233 /lib64/ld-2.15.so,44556677 /usr/sbin/perf" -i $F -o out.data; perf script -i out.data | cmp - want; perf inject -f -i $F | perf inject $o | perf script -i - | cmp - want; perf report -D -i out.data | sed -n 's/.* PERF_RECORD_MMAP/MMAP/p' | grep -e ld-2 -e sbin/perf; perf report --stats -i out.data | awk '/MMAP/ { n += $3 } END { print n }'; done
threads: 1 3
--- stdout
MMAP2 5644/5644: [0x400000(0x8e000) @ 0 <44556677>]: r-xp /usr/sbin/perf
MMAP2 5644/5644: [0x7f8abd2f7000(0x21000) @ 0 <00112233445566778899aabbccddeeff00112233>]: r-xp /lib64/ld-2.15.so
MMAP2 5644/5644: [0x7fa031a72000(0x224000) @ 0 <00112233445566778899aabbccddeeff00112233>]: r-xp /lib64/ld-2.15.so
138
MMAP2 5644/5644: [0x7fa031a72000(0x224000) @ 0 <00112233445566778899aabbccddeeff00112233>]: r-xp /lib64/ld-2.15.so
82

=== no samples that are not made of traces
sh: F=$DATA/perfdata/quipper-perf.data.callgraph-3.8; perf inject -f --itrace --strip -i $F -o out.data; perf report --stats -i out.data | grep -c -e SAMPLE; perf report --stats -i out.data | grep MMAP
--- stdout
0
            MMAP events:       1793  (88.3%)
--- stderr
warning: --strip leaves no samples: '$DATA/perfdata/quipper-perf.data.callgraph-3.8' has no hardware traces

=== no such file
argv: perf inject -i nonexistent.data -o out.data
exit: 255
--- stderr
error: failed to open 'nonexistent.data': No such file or directory
hint: try 'perf record' first

=== words that are no options
sh: perf inject foo 2>&1 | sed -n 1,3p; echo ${PIPESTATUS[0]}
--- stdout

 Usage: perf inject [<options>]

129

=== names that travel with the file
sh: perf report -I --header-only -i $DATA/perfdata/made-jit-embedded.data | grep embedded; perf script -i $DATA/perfdata/made-jit-embedded.data --ns -F time,ip,sym,symoff,dso
threads: 1 3
--- stdout
# embedded symbols : 5 of 1 objects
    0.000001500: 
	              10 first+0x10 (/tmp/jit-example/jit-77.dump)
	              c0 caller with blanks+0x0 (/tmp/jit-example/jit-77.dump)

    0.000001600: 
	              20 first+0x20 (/tmp/jit-example/jit-77.dump)
	              c0 caller with blanks+0x0 (/tmp/jit-example/jit-77.dump)

    0.000002500: 
	              50 second+0x10 (/tmp/jit-example/jit-77.dump)
	              c0 caller with blanks+0x0 (/tmp/jit-example/jit-77.dump)

    0.000002600: 
	              60 second+0x20 (/tmp/jit-example/jit-77.dump)
	              c0 caller with blanks+0x0 (/tmp/jit-example/jit-77.dump)

    0.000003500: 
	              84 third+0x4 (/tmp/jit-example/jit-77.dump)
	              c0 caller with blanks+0x0 (/tmp/jit-example/jit-77.dump)

    0.000004500: 
	              88 third+0x8 (/tmp/jit-example/jit-77.dump)
	              c0 caller with blanks+0x0 (/tmp/jit-example/jit-77.dump)


=== they stay in a copy, and other copies do not have them
sh: perf inject -i $DATA/perfdata/made-jit-embedded.data -o out.data; perf report --header-only -i out.data | grep embedded; perf inject --embed-symbols -i out.data -o again.data; cmp out.data again.data; $DATA/../tools/make_jit_file.py .; perf report --header-only -i perf.data | grep -c embedded
exit: 1
--- stdout
# embedded symbols : 5 of 1 objects
0

=== names are put in once more, from files
sh: $DATA/../tools/make_jit_file.py . && perf inject --embed-symbols -i perf.data -o out.data && mv jit-77.dump gone && perf report --no-children -g none --stdio -s sym -i out.data | grep %; perf report --no-children -g none --stdio -s sym -i perf.data | grep -c first
exit: 1
--- stdout
    33.33%  [.] first
    33.33%  [.] second
    33.33%  [.] third
0
--- stderr
warning: the code of 1 JIT compilers has no names: cannot open '$TMP/jit-77.dump': No such file or directory

=== streams carry them, too: files and streams to files and streams
sh: M=$DATA/perfdata/made-jit-embedded.data; perf script -i $M > want; perf inject -i $M > s; perf inject -i s > s2; cmp s s2; cat s | perf script -i - | cmp - want; cat s | perf inject --embed-symbols | perf script -i - | cmp - want; cat s | perf inject --embed-symbols -o f; perf script -i f | cmp - want; perf inject --embed-symbols -i s | perf inject | perf script -i - | cmp - want; perf report --header-only -i f | grep embedded; perf inject --embed-symbols=line -i x -o y 2>&1 | sed -n 1p
--- stdout
# embedded symbols : 5 of 1 objects
'line' is nothing that --embed-symbols knows: only 'lines'

=== behind the samples, as record writes them
sh: M=$DATA/perfdata/made-jit-embedded.data; perf script -i $M > want; perf inject -i $M > s; for n in 8 56 100000 '24 twice'; do $DATA/../tools/move_symbols.py $n < s > e; cmp -s s e && echo same; perf script -i e | cmp - want; cat e | perf script -i - | cmp - want; cat e | perf inject | cmp - s; cat e | perf inject -b | perf script -i - | cmp - want; done; cat e | perf report --header-only -i - | grep embedded
--- stdout
# embedded symbols : 5 of 1 objects

=== or not at all
sh: M=$DATA/perfdata/made-jit-embedded.data; perf inject -i $M > s; for n in '8 none' '8 gap'; do $DATA/../tools/move_symbols.py $n < s > e; cat e | perf script -i - -F ip,sym | sed -n 2p; done
--- stdout
	           10010 [unknown]
	           10010 [unknown]
--- stderr
warning: 'standard input': the stream ends before the names that it should carry
warning: the code of 1 JIT compilers has no names: cannot open '/tmp/jit-example/jit-77.dump': No such file or directory
warning: 'standard input': the stream ends before the names that it should carry
warning: the code of 1 JIT compilers has no names: cannot open '/tmp/jit-example/jit-77.dump': No such file or directory

=== a stream that there is not
sh: perf inject --embed-symbols < /dev/null; echo $?; TMPDIR=/nonexistent; export TMPDIR; perf inject -i $DATA/perfdata/made-jit-embedded.data | perf inject --embed-symbols; echo $?
--- stdout
255
255
--- stderr
error: no data on '-'
error: cannot put a stream aside in '/nonexistent': No such file or directory
hint: set TMPDIR to a folder with room for all of it

=== broken ones are told
sh: python3 -c "d=bytearray(open('$DATA/perfdata/made-jit-embedded.data','rb').read()); d[1156]=9; open('v.data','wb').write(d); d[1156]=1; d[1176]=255; open('n.data','wb').write(d)"; for f in v n; do perf script -i $f.data -F ip,sym | sed -n 2p; done
--- stdout
	           10010 [unknown]
	           10010 [unknown]
--- stderr
warning: 'v.data': the embedded symbols are of an unknown version
warning: the code of 1 JIT compilers has no names: cannot open '/tmp/jit-example/jit-77.dump': No such file or directory
warning: 'n.data': the embedded symbols are broken
warning: the code of 1 JIT compilers has no names: cannot open '/tmp/jit-example/jit-77.dump': No such file or directory

=== copies of stacks become callchains
sh: F=$DATA/perfdata/simpleperf-perf_g_fp.data; perf inject -f --convert-callchain -i $F -o out.data; perf script -f -i $F > a; perf script -i out.data > b; cmp a b && wc -l < b; perf evlist -v -i out.data | grep -o 'sample_type: [^,]*'; perf report --header-only -i out.data | grep -o 'sample_type = [^,]*'; stat -c %s out.data; perf inject -f -i $F | perf inject --convert-callchain | perf script | cmp - b
threads: 1 3
--- stdout
73
sample_type: IP|TID|TIME|CALLCHAIN|CPU|PERIOD
19448
--- stderr
Warning:
Processed 143 events and lost 1 chunks!

Check IO/CPU overload!

Warning:
Processed 143 events and lost 1 chunks!

Check IO/CPU overload!

Warning:
Processed 148 events and lost 1 chunks!

Check IO/CPU overload!


=== and what has none is told
sh: perf inject -f --convert-callchain -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -o out.data; echo $?; ls
--- stdout
255
--- stderr
error: '$DATA/perfdata/quipper-perf.data.callgraph-3.8' has no copies of stacks with callchains
hint: perf record --call-graph dwarf,SIZE,raw makes them

=== other addresses: nothing stays where it was, and shows the same
sh: D=$DATA/perfdata/quipper-perf.data.callgraph-3.8; perf inject -f --aslr -i $D -o out.data; for i in $D out.data; do perf report -f --stdio -i $i -s comm,dso --no-children -g none | grep -v '^#' >$(basename $i).text; done; cmp *.text && grep -c % out.data.text; perf script -i out.data --show-mmap-events | grep -o 'MMAP.*' | sort | head -5; perf script -i out.data -F ip,dso | head -5; perf inject -f -i $D -o - | perf inject --aslr -o - | perf script -i - | cmp - <(perf script -i out.data)
--- stdout
45
MMAP -1/0: [0xffff800010000198(0x299ffe67) @ 0xffff800010000198]: x [kernel.kallsyms]_stext
MMAP -1/0: [0xffff800039a00000(0x5fff) @ 0]: x /lib/modules/3.8.11/kernel/drivers/input/joydev.ko
MMAP -1/0: [0xffff800039a06000(0x6fff) @ 0]: x /lib/modules/3.8.11/kernel/drivers/media/v4l2-core/videobuf2-memops.ko
MMAP -1/0: [0xffff800039a0d000(0x6fff) @ 0]: x /lib/modules/3.8.11/kernel/drivers/media/v4l2-core/videobuf2-vmalloc.ko
MMAP -1/0: [0xffff800039a14000(0x1afff) @ 0]: x /lib/modules/3.8.11/kernel/drivers/media/v4l2-core/videodev.ko

	ffff800010013abf ([kernel.kallsyms])
	ffff8000100104fd ([kernel.kallsyms])
	ffff8000100ad76e ([kernel.kallsyms])
	ffff80001000edee ([kernel.kallsyms])

=== the same: what may hold addresses is left out; stacks must be callchains before
sh: perf inject -f --aslr -i $DATA/perfdata/quipper-perf.data.raw-3.4 -o out.data; perf evlist -v -i out.data | grep -o 'sample_type: [^,]*'; $DATA/../tools/make_kernel_file.py . && perf inject --aslr -i perf.data -o k.data && perf script -i k.data -F ip,sym -k $DATA/elf/tinyvmlinux; perf inject --aslr -b -i perf.data -o - | perf script -i - -k $DATA/elf/tinyvmlinux -F ip,sym | head -1
--- stdout
sample_type: IP|TID|TIME|CPU|PERIOD
 ffff800010000000 _text
 ffff80001000000a _text
 ffff80001000000b schedule
 ffff800010000014 schedule
 ffff80001000001a schedule
 ffff80001000001f schedule
 ffff800010001000 [unknown]
 ffff800010000000 _text
--- stderr
warning: 441 samples lost registers, copies of memory or fields of tracepoints, which may hold addresses

=== traces have addresses, also in a stream, whose header does not tell of them
sh: D=$DATA/perfdata/simpleperf-perf_etm.data; perf inject -f --aslr -i $D -o out.data; perf inject -f -i $D -o - | perf inject --aslr -o out.data; ls
--- stderr
error: --aslr does not change addresses in hardware traces
error: --aslr does not change addresses in hardware traces

=== times of virtual machines in a recording without traces: nothing to do
sh: cp $DATA/perfdata/quipper-perf.data.callgraph-3.8 x; perf inject --vm-time-correlation=dry-run -i x; perf inject -f --vm-time-correlation -i x; perf inject --vm-time-correlation -f -i x -o y; cmp x $DATA/perfdata/quipper-perf.data.callgraph-3.8
--- stderr
error: Output file name must not be specified for in-place updating

=== --convert-callchain of a file whose stacks are callchains already copies it
sh: F=$DATA/perfdata/simpleperf-perf_g_fp.data; perf inject -f --convert-callchain -i $F -o a.data; perf inject --convert-callchain -i a.data -o b.data; echo $?; perf script -i a.data >a; perf script -i b.data | cmp - a
--- stdout
0
--- stderr
warning: the stacks of 'a.data' are callchains already: it is copied as it is
Warning:
Processed 143 events and lost 1 chunks!

Check IO/CPU overload!

Warning:
Processed 143 events and lost 1 chunks!

Check IO/CPU overload!


=== a feature behind records that were written when it came: those of a stream stay
sh: perf inject -f --itrace=i -i $DATA/edit/late-feature.data >o; echo $?; perf evlist -i o
--- stdout
255
unknown attr type: 8
--- stderr any

