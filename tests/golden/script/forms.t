# perf script: ratios of counters, forms of the text.
=== metrics of the counters in a sample
argv: perf script -F comm,time,event,period,metric -i $DATA/script/group.data
threads: 1 2
--- stdout
            bash  3102.541671:     261170   cpu-clock: 
            bash  3102.541671:          9 page-faults: 
            bash  3102.541671: 	metric:   34.460 K/sec
            bash  3102.541919:     248651   cpu-clock: 
            bash  3102.541919:         18 page-faults: 
            bash  3102.541919: 	metric:   72.391 K/sec
            bash  3102.542169:     249642   cpu-clock: 
            bash  3102.542169:         32 page-faults: 
            bash  3102.542169: 	metric:  128.184 K/sec
            bash  3102.542422:     250373   cpu-clock: 
            bash  3102.542422:         37 page-faults: 
            bash  3102.542422: 	metric:  147.780 K/sec
            bash  3102.542669:     250424   cpu-clock: 
            bash  3102.542669:         38 page-faults: 
            bash  3102.542669: 	metric:  151.743 K/sec
            bash  3102.544335:     288521   cpu-clock: 
            bash  3102.544335:         23 page-faults: 
            bash  3102.544335: 	metric:   79.717 K/sec
            bash  3102.545692:     249652   cpu-clock: 
            bash  3102.545692:         23 page-faults: 
            bash  3102.545692: 	metric:   92.128 K/sec
            bash  3102.548176:     264553   cpu-clock: 
            bash  3102.548176:         36 page-faults: 
            bash  3102.548176: 	metric:  136.079 K/sec
            bash  3102.549505:     258675   cpu-clock: 
            bash  3102.549505:         32 page-faults: 
            bash  3102.549505: 	metric:  123.707 K/sec

=== a disassembler that is not installed
sh: perf=$(command -v perf); PATH=/nowhere; "$perf" script -F ip,insn --xed -i $DATA/branches/stack.data
exit: 255
--- stderr
error: --xed needs the program 'xed', which is not in PATH
hint: -F +insn shows the bytes of instructions without it

=== a disassembler gets the text
sh: mkdir bin && printf '#!/bin/sh\necho "xed $*"\ncat\n' > bin/xed && chmod +x bin/xed && PATH=$PWD/bin:$PATH && perf script -G -F ip,insn --xed -i $DATA/branches/stack.data --symfs $DATA/branches | head -4
--- stdout
xed -F insn: -A -64
           400168 insn: e8 e9 ff ff ff
           40014e insn: 8d 44 7f 01
           400194 insn: 75 16

=== views of traces: bytes of instructions of samples
sh: perf script -G --insn-trace -i $DATA/branches/stack.data --symfs $DATA/branches | head -3; perf script --call-trace -i $DATA/branches/stack.data | head -2; perf script --call-ret-trace -i $DATA/branches/stack.data | head -2
--- stdout
            walk  4711 [003]     0.000101000:            400168 recurse+0x12 (/walk) insn: e8 e9 ff ff ff
            walk  4711 [003]     0.000201000:            40014e leaf+0xa (/walk) insn: 8d 44 7f 01
            walk  4711 [003]     0.000301000:            400194 loop+0x22 (/walk) insn: 75 16
            walk  4711 [003]     0.000101000: 
            walk  4711 [003]     0.000201000: 
            walk  4711 [003]     0.000101000:                         
            walk  4711 [003]     0.000201000:                         

=== views of traces that nobody decodes
argv: perf script --insn-trace -i $DATA/perfdata/simpleperf-perf_etm.data
exit: 255
--- stderr
error: --insn-trace is not supported yet: hardware traces are not decoded

=== checks instead of samples
argv: perf script -d -i $DATA/branches/stack.data
--- stderr
Misordered timestamps: 0

=== the dump has records that a time leaves out, without what they would print
sh: perf script -D --time 0.0009, -F time -i $DATA/branches/stack.data | grep -E 'PERF_RECORD_SAMPLE| thread:|^ +0' | tail -n +7
--- stdout
3 701000 0x778 [0x60]: PERF_RECORD_SAMPLE(IP, 0x2): 4711/4711: 0x40022e period: 1000 addr: 0
3 801000 0x7d8 [0x60]: PERF_RECORD_SAMPLE(IP, 0x2): 4711/4711: 0x400238 period: 1000 addr: 0
3 901000 0x838 [0x158]: PERF_RECORD_SAMPLE(IP, 0x2): 4711/4711: 0x4001ee period: 1001 addr: 0
 ... thread: walk:4711
    0.000901: 
3 1001000 0x990 [0xa0]: PERF_RECORD_SAMPLE(IP, 0x2): 4711/4711: 0x40019b period: 1000 addr: 0
 ... thread: walk:4711
    0.001001: 
3 1101000 0xa30 [0x160]: PERF_RECORD_SAMPLE(IP, 0x2): 4711/4711: 0x4001b6 period: 1000 addr: 0
 ... thread: walk:4711
    0.001101: 
3 1201000 0xb90 [0x60]: PERF_RECORD_SAMPLE(IP, 0x2): 4711/4711: 0x40022e period: 1001 addr: 0
 ... thread: walk:4711
    0.001201: 

