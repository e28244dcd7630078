# What perf report says when it cannot do something.
=== no file
argv: perf report --stdio
exit: 255
--- stderr
error: failed to open 'perf.data': No such file or directory
hint: try 'perf record' first

=== unknown sort key
argv: perf report --stdio -s nonsense -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 129
--- stderr
Error:
Unknown --sort key: `nonsense'
 Usage: perf report [<options>]

    -s, --sort <key[,key2...]>
                          sort by key(s): see the manual page for the list

=== no call chains: perf's words and its exit status
argv: perf report --stdio -g caller -i $DATA/perfdata/autofdo-ro_sample.perf
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
--- stderr
Error:
Selected -g or --branch-history.
But no callchain or branch data.
Did you call 'perf record' without -g or -b?

=== a parent without call chains
argv: perf report --stdio -p main -i $DATA/perfdata/autofdo-ro_sample.perf
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
--- stderr
Error:
Selected --sort parent, but no callchain data. Did you call 'perf record' without -g?

=== no branches
argv: perf report --stdio -b -i $DATA/perfdata/autofdo-ro_sample.perf
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
--- stderr
Error:
Selected -b but no branch data. Did you call perf record without -b?

=== no data addresses
argv: perf report --stdio --mem-mode -i $DATA/perfdata/autofdo-ro_sample.perf
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
--- stderr
Error:
Selected --mem-mode but no mem data. Did you call perf record without -d?

=== branches and memory
argv: perf report --stdio -b --mem-mode -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 255
--- stderr
error: branch and mem mode incompatible

=== no such kernel
argv: perf report --stdio -k nothing -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 234
--- stderr
Invalid file: nothing

=== a part of an option
argv: perf report --stdio --prefix-strip 2 -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 234
--- stderr
--prefix-strip requires --prefix

=== an event that is not in the file
argv: perf report --stdio --switch-on foo -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 255
--- stderr
error: switch-on event not found (foo)
hint: use 'perf evlist' to see the available event names

=== keys of branches
argv: perf report --stdio -s dso_from -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 129
--- stderr contains
Invalid --sort key: `dso_from'

=== options that exclude each other
argv: perf report --stdio --hierarchy -F comm -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 129
--- stderr contains
Error: --hierarchy and --fields options cannot be used together

=== a separator that is none
argv: perf report --stdio -t . -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 129
--- stderr contains
'.' is the only non valid --field-separator argument

=== no CPUs
argv: perf report --stdio -C 0 -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4
exit: 255
--- stderr
error: the samples of this file do not say their CPU: -C cannot choose
hint: record with -a, -C or --sample-cpu

=== not there yet
argv: perf report --stdio --gtk
exit: 129
--- stderr
--gtk has no window here: --html will write a page instead, but is not supported yet; use --stdio

 Usage: perf report [<options>]

        --gtk             tells of --html

=== a bad graph option
argv: perf report --stdio -g nonsense -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 129
--- stderr
unknown call-graph option 'nonsense'
hint: known are graph, fractal, flat, folded, none, caller, callee, function, address, srcline, branch, percent, period, count

 Usage: perf report [<options>]

    -g, --call-graph <print_type,threshold[,print_limit],order,sort_key[,branch],value>
                          Display call graph (stack chain/backtrace): graph|flat|fractal|folded|none, minimum percentage, limit of entries, caller|callee, function|address, branch, percent|period|count. Default: graph,0.5,caller,function,percent

=== a bad expression
argv: perf report --stdio -p '[' -i $DATA/perfdata/autofdo-ro_sample.perf
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
--- stderr
Error:
Selected --sort parent, but no callchain data. Did you call 'perf record' without -g?

=== who reads lines: names of other perfs
sh: perf report --addr2line-style libdw,foo 2>&1 | head -1; perf report --addr2line-style libdw,llvm,libbfd,addr2line -i none 2>&1 | head -1; perf report --unwind-style libunwind,llvm 2>&1 | head -1
--- stdout
unknown addr2line style: foo (libdw, llvm, libbfd, addr2line)
error: failed to open 'none': No such file or directory
unknown unwind style: llvm (libdw, libunwind)

=== a time in which there are no samples
argv: perf report --stdio -s comm --time 1,2 -i $DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
--- stderr
error: no sample of '$DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14' is left by what was chosen

=== parts of the time are those of the header, as in perf: this one begins a second early
sh: python3 -c "import sys, struct; d = open(sys.argv[1], 'rb').read(); t = struct.pack('<Q', 101132490336); i = d.rindex(t + struct.pack('<Q', 101132592926)); open('early.data', 'wb').write(d[:i] + struct.pack('<Q', 100132490336) + d[i + 8:])" $DATA/perfdata/quipper-perf.data.hybrid_topology; for t in 0%-50% 10%/10; do perf report --stdio -q -n -s comm --time $t --symfs $TMP -i early.data; perf script -G -F comm --time $t --symfs $TMP -i early.data | sort | uniq -c; done 2>&1
--- stdout
error: no sample of 'early.data' is left by what was chosen
    99.84%             2  sleep  
     0.16%             5  perf-ex


      2            sleep 
      5        perf-exec 

=== totals stand alone
argv: perf report --stats --mmaps -i $DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14
exit: 129
--- stderr
--tasks and --mmaps can't be used together with --stats
 Usage: perf report [<options>]

        --stats           Display event stats

=== what is broken is told with its place, type and size; an empty section of the header says that there is nothing
sh: for how in sample record empty; do echo $how; python3 $DATA/../tools/break_record.py $how <$DATA/perfdata/quipper-perf.data.singleprocess-3.4 >b.data; perf report --stdio -s comm --symfs $TMP -i b.data 2>&1 >/dev/null; perf script -F comm --symfs $TMP -i b.data 2>&1 | sort | uniq -c; done
--- stdout
sample
warning: 1 samples could not be read, 0 belong to no event of the file
warning: the sample at offset 0x1b00 (type 9, size 16) is broken
      2             echo 
     74             perf 
      1 warning: the sample at offset 0x1b00 (type 9, size 16) is broken
record
warning: 'b.data': no record at offset 0x1b00: SAMPLE (9) event of 4 bytes
      2             perf 
      1 warning: 'b.data': no record at offset 0x1b00: SAMPLE (9) event of 4 bytes
empty
      2             echo 
     75             perf 

=== a broken record of a mapping is told, too
sh: for how in mapping shift name; do echo $how; python3 $DATA/../tools/break_record.py $how <$DATA/perfdata/quipper-perf.data.singleprocess-3.4 >b.data; perf report --stdio -s comm --symfs $TMP -i b.data 2>&1 >/dev/null; perf script -F comm --symfs $TMP -i b.data 2>&1 | sort | uniq -c; perf doctor --symfs $TMP b.data | grep -A1 damage; done
--- stdout
mapping
warning: 'b.data': the record at offset 0x510: MMAP (1) event of 16 bytes is broken: the least size is 41
      2             echo 
     75             perf 
      1 warning: 'b.data': the record at offset 0x510: MMAP (1) event of 16 bytes is broken: the least size is 41
WRONG  damage: 'b.data': the record at offset 0x510: MMAP (1) event of 16 bytes is broken: the least size is 41
       0 bytes are missing, 1 records could not be read
shift
error: there are no samples in 'b.data'
warning: 'b.data': the record at offset 0x510: MMAP (1) event of 16 bytes is broken: the least size is 41
      1 warning: 'b.data': the record at offset 0x510: MMAP (1) event of 16 bytes is broken: the least size is 41
WRONG  damage: 'b.data': the record at offset 0x510: MMAP (1) event of 16 bytes is broken: the least size is 41
       9688 bytes are missing, 1 records could not be read
name
warning: 'b.data': the record at offset 0x510: MMAP (1) event of 120 bytes is broken: its last field has no end
      2             echo 
     75             perf 
      1 warning: 'b.data': the record at offset 0x510: MMAP (1) event of 120 bytes is broken: its last field has no end
WRONG  damage: 'b.data': the record at offset 0x510: MMAP (1) event of 120 bytes is broken: its last field has no end
       0 bytes are missing, 1 records could not be read

=== a stream that ends too early
sh: head -c 3000 $DATA/perfdata/linuxtracepoints-pipe.data | perf report --stdio -i - 2>&1; head -c 3 $DATA/perfdata/linuxtracepoints-pipe.data | perf report --stdio -i - 2>&1; perf script -i - </dev/null 2>&1
exit: 255
--- stdout
error: there are no samples in 'standard input'
# To display the perf.data header info, please use --header/--header-only options.
#
warning: 'standard input': the stream ends within the record at offset 0xa90
error: 'standard input' is no perf.data file
error: no data on 'standard input'

=== records of another program's types
sh: { cat $DATA/perfdata/linux-perf-data-sleep.compressed.pipe.data; printf '\001\200\0\0\0\0\020\0abcdefgh\002\200\0\0\0\0\010\0'; } >own.data; perf report --stdio -q -g none --no-children -s comm -i own.data 2>&1; perf script -i own.data 2>&1 >/dev/null; perf report -D -i own.data | grep -a -c 'event: 3276[89]\|event: 32770'; perf inject -i own.data -o copy.data 2>&1; perf doctor own.data | grep -A1 damage
needs: feature:zstd
--- stdout
    99.99%  sleep  
     0.01%  perf-ex


warning: 'own.data': records of type 32769, unknown to this version, are passed over
2
warning: 'own.data': records of type 32769, unknown to this version, are passed over
note   damage: 'own.data': records of type 32769, unknown to this version, are passed over
       2 records of another program or of a newer perf are not shown

=== a cut file: what is there is shown, what is missing is told, and the exit status says so
sh: S=$DATA/perfdata/quipper-perf.data.callgraph-3.8; D=c.data; size=$(stat -c %s $S); head -c $((size * 2 / 3)) $S >$D; for c in 'report --stdio' 'report --stats' 'report -D' 'report --header-only' 'script' 'evlist' 'buildid-list' 'annotate --stdio' 'inject -o o.data' 'diff'; do i="-i $D"; [ "$c" != diff ] || i="$D $D"; perf $c $i >out 2>err; echo "$c: $?, $(grep -c 'the file is cut' err)"; done; perf script -i o.data >again 2>/dev/null; echo $?; perf script -i $D 2>/dev/null | cmp - again
--- stdout
report --stdio: 255, 1
report --stats: 255, 1
report -D: 255, 1
report --header-only: 255, 1
script: 255, 1
evlist: 255, 1
buildid-list: 255, 1
annotate --stdio: 255, 1
inject -o o.data: 255, 1
diff: 255, 1
0

