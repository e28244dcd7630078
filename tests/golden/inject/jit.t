# Code of a JIT compiler becomes objects and mappings from their time on.
=== an object for each function
sh: $DATA/../tools/make_jit_file.py . && perf inject -j -i perf.data -o out.data && ls && perf script -i out.data --ns -F time,ip,sym,symoff,dso | sed "s,$PWD/,," && perf buildid-list -i out.data | sed "s,$PWD/,,"
--- stdout
jit-77.dump
jitted-77-0.so
jitted-77-1.so
jitted-77-2.so
jitted-77-3.so
out.data
perf.data
    0.000001500: 
	              90 first+0x10 (jitted-77-0.so)
	              80 caller with blanks+0x0 (jitted-77-3.so)

    0.000001600: 
	              a0 first+0x20 (jitted-77-0.so)
	              80 caller with blanks+0x0 (jitted-77-3.so)

    0.000002500: 
	              90 second+0x10 (jitted-77-1.so)
	              80 caller with blanks+0x0 (jitted-77-3.so)

    0.000002600: 
	              a0 second+0x20 (jitted-77-1.so)
	              80 caller with blanks+0x0 (jitted-77-3.so)

    0.000003500: 
	              84 third+0x4 (jitted-77-2.so)
	              80 caller with blanks+0x0 (jitted-77-3.so)

    0.000004500: 
	              88 third+0x8 (jitted-77-2.so)
	              80 caller with blanks+0x0 (jitted-77-3.so)

ca9123b924875827146ee53b45b3bd0ce9d04430 jitted-77-0.so
b34996321c728e3ae32c10830c5bfb165546642a jitted-77-3.so
b1c10976ce94607496808d87a8b44fc3d43defe1 jitted-77-1.so
cdd6d1f6bada2fde4c880d704ac1351968d7c86f jitted-77-2.so

=== one object
sh: $DATA/../tools/make_jit_file.py . && perf inject -j --one-object -v -i perf.data -o out.data && ls && perf script -i out.data --ns -F time,ip,sym,symoff,dso | sed "s,$PWD/,,"; perf report -i out.data --no-children -g none --stdio -s sym | grep %
--- stdout
jit-77.dump
jitted-77.so
out.data
perf.data
    0.000001500: 
	              90 first+0x10 (jitted-77.so)
	              c0 caller with blanks+0x0 (jitted-77.so)

    0.000001600: 
	              a0 first+0x20 (jitted-77.so)
	              c0 caller with blanks+0x0 (jitted-77.so)

    0.000002500: 
	             110 second+0x10 (jitted-77.so)
	              c0 caller with blanks+0x0 (jitted-77.so)

    0.000002600: 
	             120 second+0x20 (jitted-77.so)
	              c0 caller with blanks+0x0 (jitted-77.so)

    0.000003500: 
	             144 third+0x4 (jitted-77.so)
	              c0 caller with blanks+0x0 (jitted-77.so)

    0.000004500: 
	             148 third+0x8 (jitted-77.so)
	              c0 caller with blanks+0x0 (jitted-77.so)

    33.33%  [.] first
    33.33%  [.] second
    33.33%  [.] third
--- stderr
5 mappings of code of 1 compilers in 1 objects
15 records, 1 build ids

=== from a stream to a stream
sh: $DATA/../tools/make_jit_file.py . stream && perf inject -j < perf.data | perf script --ns -F time,ip,sym | grep -v caller
--- stdout
    0.000001500: 
	              90 first

    0.000001600: 
	              a0 first

    0.000002500: 
	              90 second

    0.000002600: 
	              a0 second

    0.000003500: 
	              84 third

    0.000004500: 
	              88 third


=== times of another clock: as far apart as the file's mapping and its first record
sh: $DATA/../tools/make_jit_file.py . other && python3 -c "d=bytearray(open('perf.data','rb').read()); d[104+40+3]&=~2; open('perf.data','wb').write(d)" && perf inject -j -i perf.data -o out.data; perf script -i out.data --ns -F time,ip,sym | grep -v caller | grep .
--- stdout
    0.000001500: 
	              90 first
    0.000001600: 
	              a0 first
    0.000002500: 
	              90 second
    0.000002600: 
	              a0 second
    0.000003500: 
	              84 third
    0.000004500: 
	              88 third
--- stderr regex
warning: the times of '.*/jit-77.dump' are of another clock than the recording's: .*

=== a recording without a dump
sh: perf inject -f -j -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -o out.data; echo $?
--- stdout
0
--- stderr
warning: no recorded process has mapped a jit-PID.dump file: there is nothing to merge
hint: node --perf-prof, java with a jitdump agent, python -X perf_jit write one

=== a dump that is gone
sh: $DATA/../tools/make_jit_file.py . && rm jit-77.dump && perf inject -j -i perf.data -o out.data; echo $?
--- stdout
0
--- stderr
warning: no code of process 77: cannot open '$TMP/jit-77.dump': No such file or directory

=== what lies in the way of an object is not followed
sh: $DATA/../tools/make_jit_file.py . && echo precious > target && ln -s target jitted-77-0.so && perf inject -j -i perf.data -o out.data; cat target; stat -c %F jitted-77-0.so
--- stdout
precious
regular file

=== the compiler's call frame information, in the dump, in objects of one and of all functions
sh: $DATA/../tools/make_jit_file.py . stack; for o in none --jit '--jit --one-object'; do [ "$o" = none ] && cp perf.data out.data || perf inject $o -i perf.data -o out.data; perf script --ns -i out.data -F time,sym,ip --time 0,0.000001700 | sed 's/^[^ ]* *[0-9a-f]* //' | grep .; done
--- stdout
0.000001500: 
first
caller with blanks
0.000001600: 
first
caller with blanks
0.000001500: 
first
caller with blanks
0.000001600: 
first
caller with blanks
0.000001500: 
first
caller with blanks
0.000001600: 
first
caller with blanks
--- stderr
warning: 2 of 2 stacks end early: code without unwind tables or frame pointers, or its file is not there
warning: 2 of 2 stacks end early: code without unwind tables or frame pointers, or its file is not there
warning: 2 of 2 stacks end early: code without unwind tables or frame pointers, or its file is not there

=== source lines, from the dump and from objects
sh: $DATA/../tools/make_jit_file.py . && perf script -F ip,sym,srcline -G | sort | uniq -c; perf report --stdio -s srcline -g none --no-children | grep % | tee direct; for o in '' --one-object; do perf inject -j $o -i perf.data -o out.data; perf report --stdio -s srcline -g none --no-children -i out.data | grep % | cmp - direct; done
--- stdout
      1             10010 first
      1             10010 second
      1             10020 first
      1             10020 second
      1             12004 third
      1             13008 third
      1   first.js:10
      1   first.js:12
      1   jit-77.dump[50]
      1   jit-77.dump[60]
      1   jit-77.dump[84]
      1   jit-77.dump[88]
    16.67%  first.js:10
    16.67%  first.js:12
    16.67%  second+16
    16.67%  second+32
    16.67%  third+4
    16.67%  third+8

=== names that came with the recording, without the dump: told, and the copy keeps them
sh: perf inject -j -i $DATA/perfdata/made-jit-embedded.data -o out.data; perf script -i out.data -F ip,sym | head -3
--- stdout

	              10 first
	              c0 caller with blanks
--- stderr
warning: no code of process 77: cannot open '/tmp/jit-example/jit-77.dump': No such file or directory

=== a dump that is damaged in the middle: what stands before it counts, and the rest is not missed silently
sh: $DATA/../tools/make_jit_file.py . && python3 -c "import struct; d = bytearray(open('jit-77.dump', 'rb').read()); at = [40]; [at.append(at[-1] + struct.unpack_from('<I', d, at[-1] + 4)[0]) for _ in range(3)]; struct.pack_into('<I', d, at[3] + 4, 1 << 31); open('jit-77.dump', 'wb').write(d)" && perf inject -j -i perf.data -o out.data 2>&1 | sed "s,$PWD/,,"; perf report -i perf.data --stdio 2>&1 >/dev/null | sed "s,$PWD/,,"; perf doctor perf.data | grep -A1 damaged | sed "s,$PWD/,,"
--- stdout
warning: 'jit-77.dump' is damaged at byte 356: code behind that is left out
warning: 'jit-77.dump' is damaged at byte 356: code behind that has no names
WRONG  jit: 1 jit-PID.dump files are damaged
       code behind byte 356 of 'jit-77.dump' has no names

