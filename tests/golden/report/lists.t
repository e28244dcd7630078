# Lists of what is in a file.
=== records
argv: perf report --stdio --stats --symfs $TMP -i $DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14
--- stdout

Aggregated stats:
           TOTAL events:         42
            MMAP events:         21  (50.0%)
            COMM events:          3  ( 7.1%)
            EXIT events:          1  ( 2.4%)
          SAMPLE events:          2  ( 4.8%)
           MMAP2 events:         10  (23.8%)
          SWITCH events:          2  ( 4.8%)
      NAMESPACES events:          1  ( 2.4%)
  FINISHED_ROUND events:          1  ( 2.4%)
       TIME_CONV events:          1  ( 2.4%)
cycles stats:
          SAMPLE events:          2

=== tasks
argv: perf report --stdio --tasks --symfs $TMP -i $DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14
--- stdout
#      pid      tid     ppid  comm
         0        0       -1 |swapper
      5969     5969       -1 |sleep

=== tasks and mappings
argv: perf report --stdio --mmaps --symfs $TMP -i $DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14
--- stdout
#      pid      tid     ppid  comm
         0        0       -1 |swapper
      5969     5969       -1 |sleep
                                5ca507fd2000-5ca5080f7000 r-xp 00000000 26037 /usr/bin/coreutils
                                7dd73df76000-7dd73e17a000 r-xp 00000000 32010 /lib64/libdl-2.23.so
                                7dd73e17a000-7dd73e525000 r-xp 00000000 32008 /lib64/libc-2.23.so
                                7dd73e525000-7dd73e742000 r-xp 00000000 32002 /lib64/libpthread-2.23.so
                                7dd73e742000-7dd73e94a000 r-xp 00000000 32017 /lib64/librt-2.23.so
                                7dd73e94a000-7dd73eab6000 r-xp 00000000 32003 /lib64/ld-2.23.so
                                7dd73eab6000-7dd73eb30000 r-xp 00000000 32034 /lib64/libpcre.so.1.2.8
                                7dd73eb30000-7dd73eb31000 r-xp 001e6000 32003 /lib64/ld-2.23.so
                                7dd73eb31000-7dd73eb37000 r-xp 00000000 32036 /lib64/libattr.so.1.1.0
                                7dd73eb37000-7dd73eb38000 r-xp 001ed000 32003 /lib64/ld-2.23.so
                                7dd73eb38000-7dd73eb60000 r-xp 00000000 32117 /lib64/libselinux.so.1
                                7dd73eb60000-7dd73eb71000 r-xp 00216000 32003 /lib64/ld-2.23.so
                                7ffc55ee0000-7ffc55ee2000 r-xp 00000000 0 [vdso]

=== dump
sh: perf report -D -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4 | head -40
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#

0x4b8@$DATA/perfdata/quipper-perf.data.singleprocess-3.4 [0x58]: event: 1
.
. ... raw event: size 88 bytes
.  0000:  01 00 00 00 01 00 58 00 ff ff ff ff 00 00 00 00  ......X.........
.  0010:  00 00 00 00 00 00 00 00 ff ff ff 9f ff ff ff ff  ................
.  0020:  90 01 00 81 ff ff ff ff 5b 6b 65 72 6e 65 6c 2e  ........[kernel.
.  0030:  6b 61 6c 6c 73 79 6d 73 5d 5f 73 74 65 78 74 00  kallsyms]_stext.
.  0040:  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
.  0050:  00 00 00 00 00 00 00 00                          ........        

0 0x4b8 [0x58]: PERF_RECORD_MMAP -1/0: [0(0xffffffff9fffffff) @ 0xffffffff81000190]: x [kernel.kallsyms]_stext

0x510@$DATA/perfdata/quipper-perf.data.singleprocess-3.4 [0x78]: event: 1
.
. ... raw event: size 120 bytes
.  0000:  01 00 00 00 01 00 78 00 ff ff ff ff 00 00 00 00  ......x.........
.  0010:  00 00 00 a0 ff ff ff ff ff 5f 00 00 00 00 00 00  ........._......
.  0020:  00 00 00 00 00 00 00 00 2f 6c 69 62 2f 6d 6f 64  ......../lib/mod
.  0030:  75 6c 65 73 2f 33 2e 34 2e 30 2f 6b 65 72 6e 65  ules/3.4.0/kerne
.  0040:  6c 2f 64 72 69 76 65 72 73 2f 69 6e 70 75 74 2f  l/drivers/input/
.  0050:  6a 6f 79 64 65 76 2e 6b 6f 00 00 00 00 00 00 00  joydev.ko.......
.  0060:  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
.  0070:  00 00 00 00 00 00 00 00                          ........        

0 0x510 [0x78]: PERF_RECORD_MMAP -1/0: [0xffffffffa0000000(0x5fff) @ 0]: x /lib/modules/3.4.0/kernel/drivers/input/joydev.ko

0x588@$DATA/perfdata/quipper-perf.data.singleprocess-3.4 [0x88]: event: 1
.
. ... raw event: size 136 bytes
.  0000:  01 00 00 00 01 00 88 00 ff ff ff ff 00 00 00 00  ................
.  0010:  00 60 00 a0 ff ff ff ff ff 6f 00 00 00 00 00 00  .`.......o......
.  0020:  00 00 00 00 00 00 00 00 2f 6c 69 62 2f 6d 6f 64  ......../lib/mod
.  0030:  75 6c 65 73 2f 33 2e 34 2e 30 2f 6b 65 72 6e 65  ules/3.4.0/kerne
.  0040:  6c 2f 64 72 69 76 65 72 73 2f 6d 65 64 69 61 2f  l/drivers/media/
.  0050:  76 69 64 65 6f 2f 76 69 64 65 6f 62 75 66 32 2d  video/videobuf2-
.  0060:  6d 65 6d 6f 70 73 2e 6b 6f 00 00 00 00 00 00 00  memops.ko.......
.  0070:  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................

=== how a trace was made
sh: perf report -D -i $DATA/perfdata/simpleperf-perf_etm.data | grep -a -A 16 PERF_RECORD_AUXTRACE_INFO; perf script -D -i $DATA/perfdata/simpleperf-perf_etm.data | grep -a -c TRCIDR8
--- stdout
0 0 0x408 [0x2a8]: PERF_RECORD_AUXTRACE_INFO type: 3
	Header version		       1
	PMU type/num cpus	       800000008
	Snapshot		       0
	Magic number		       4040404040404040
	CPU			       0
	NR_TRC_PARAMS		       7
	TRCCONFIGR		       40
	TRCTRACEIDR		       10
	TRCIDR0			       28000ea1
	TRCIDR1			       4100f422
	TRCIDR2			       20001088
	TRCIDR8			       0
	TRCAUTHSTATUS		       8c
	Magic number		       4040404040404040
	CPU			       1
	NR_TRC_PARAMS		       7
8

=== version 0 of CoreSight's description does not tell how many parameters there are
sh: perf report -D -i $DATA/perfdata/simpleperf-etm-perf.data | grep -a -A 14 PERF_RECORD_AUXTRACE_INFO; perf script -D -i $DATA/perfdata/simpleperf-etm-perf.data | grep -a -c TRCIDR8
--- stdout
0 0 0x9f0 [0x268]: PERF_RECORD_AUXTRACE_INFO type: 3
	Header version		       0
	PMU type/num cpus	       700000008
	Snapshot		       0
	Magic number		       4040404040404040
	CPU			       0
	TRCCONFIGR		       40
	TRCTRACEIDR		       10
	TRCIDR0			       28000ea1
	TRCIDR1			       4100f421
	TRCIDR2			       20001088
	TRCIDR8			       0
	TRCAUTHSTATUS		       cc
	Magic number		       4040404040404040
	CPU			       1
8

=== what traces of hardware stand for is not counted
sh: perf report --stats -i $DATA/perfdata/simpleperf-perf_etm.data | head -3
--- stdout

Aggregated stats: (excludes AUX area (e.g. instruction trace) decoded / synthesized events)
           TOTAL events:         70

