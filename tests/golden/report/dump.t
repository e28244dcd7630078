# Bytes and meaning of records: report -D.
=== a small file
sh: perf report -D --symfs / -f -i $DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14 | grep -A30 -m1 NAMESPACES
--- stdout
0 0xaa8 [0x98]: PERF_RECORD_NAMESPACES 5969/5969 - nr_namespaces: 7
		[0/net: 3/0xf00000a0, 1/uts: 3/0xeffffffe, 2/ipc: 3/0xefffffff, 3/pid: 3/0xeffffffc, 
		 4/user: 3/0xeffffffd, 5/mnt: 3/0xf0000000, 6/cgroup: 3/0xeffffffb]

0x1098@$DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14 [0x8]: event: 68
.
. ... raw event: size 8 bytes
.  0000:  44 00 00 00 00 00 08 00                          D.......        

0 0x1098 [0x8]: PERF_RECORD_FINISHED_ROUND

0xb40@$DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14 [0x28]: event: 9
.
. ... raw event: size 40 bytes
.  0000:  09 00 00 00 01 00 28 00 f4 71 20 b4 ff ff ff ff  ......(..q .....
.  0010:  51 17 00 00 51 17 00 00 6b bf 09 71 dd c0 03 00  Q...Q...k..q....
.  0020:  01 00 00 00 00 00 00 00                          ........        

1056482246901611 0xb40 [0x28]: PERF_RECORD_SAMPLE(IP, 0x1): 5969/5969: 0xffffffffb42071f4 period: 1 addr: 0
 ... thread: perf:5969
 ...... dso: [kernel.kallsyms]

0xb68@$DATA/perfdata/quipper-perf.data.ctx_switch_namespaces-4.14 [0x28]: event: 3
.
. ... raw event: size 40 bytes
.  0000:  03 00 00 00 00 20 28 00 51 17 00 00 51 17 00 00  ..... (.Q...Q...
.  0010:  73 6c 65 65 70 00 00 00 51 17 00 00 51 17 00 00  sleep...Q...Q...
.  0020:  64 cc 09 71 dd c0 03 00                          d..q....        

1056482246904932 0xb68 [0x28]: PERF_RECORD_COMM exec: sleep:5969/5969


=== kinds of records in a stream
sh: perf report -D -f -i $DATA/perfdata/quipper-perf.data.piped.header_feautres_group_desc-6.8 | grep -a -A4 -E 'PERF_RECORD_(ATTR|ID_INDEX|EVENT_UPDATE|THREAD_MAP|CPU_MAP|TIME_CONV|FINISHED_INIT|EXIT)' | grep -v '^[.] '
--- stdout
-1 -1 0 [0xf0]: PERF_RECORD_ATTR
0xf0@pipe [0xf0]: event: 64
.
--
0 0xf0 [0xf0]: PERF_RECORD_ATTR
0x1e0@pipe [0x54]: event: 80
.
--
0 0x2654 [0x38]: PERF_RECORD_TIME_CONV
... Time Shift      31
... Time Muliplier  581029282
... Time Zero       18444253489046630938
... Time Cycles     0
--
0 0x268c [0x310]: PERF_RECORD_ID_INDEX nr: 24
 ... id: 76  idx: 0  cpu: 0  tid: 3762587
 ... id: 77  idx: 1  cpu: 1  tid: 3762587
 ... id: 78  idx: 2  cpu: 2  tid: 3762587
 ... id: 79  idx: 3  cpu: 3  tid: 3762587
--
0 0x299c [0x38]: PERF_RECORD_EVENT_UPDATE
... id:    76
... name:  cycles:u

0x29d4@pipe [0x38]: event: 78
--
0 0x29d4 [0x38]: PERF_RECORD_EVENT_UPDATE
... id:    88
... name:  instructions:u

0x2a0c@pipe [0x28]: event: 73
--
0 0x2a0c [0x28]: PERF_RECORD_THREAD_MAP nr: 1 thread: 3762587
: unhandled!

0x2a34@pipe [0x10]: event: 74
.
--
0 0x2a34 [0x10]: PERF_RECORD_CPU_MAP: 0-11
: unhandled!

0x2a44@pipe [0x38]: event: 3
.
--
0 0x2a7c [0x8]: PERF_RECORD_FINISHED_INIT: unhandled!

0x30cc@pipe [0x8]: event: 68
.
--
1117680205105004 0x3094 [0x38]: PERF_RECORD_EXIT(3762587:3762587):(3762581:3762581)

Aggregated stats:
           TOTAL events:         59
            COMM events:          2  ( 3.4%)

=== registers and stacks
sh: perf report -D -f -i $DATA/perfdata/simpleperf-perf_with_arm_regs.data | grep -A52 -m1 PERF_RECORD_SAMPLE
--- stdout
7 86223721591420 0x26e0 [0x1b8]: PERF_RECORD_SAMPLE(IP, 0x1): 23725/23725: 0xffffffa45633c098 period: 1 addr: 0
... FP chain: nr:12
.....  0: ffffffffffffff80
.....  1: ffffffa45633c098
.....  2: ffffffa45633bf76
.....  3: ffffffa4564283a6
.....  4: ffffffa4564dfb96
.....  5: ffffffa456428d26
.....  6: ffffffa45642c6ca
.....  7: ffffffa45642c27e
.....  8: ffffffa45642ca6e
.....  9: ffffffa456124b9e
..... 10: ffffffa456124aae
..... 11: ffffffa4560a0d06
... user regs: mask 0x1ffffffff ABI 32-bit
.... x0    0xb400006ee325f731
.... x1    0x0000007fd70367d0
.... x2    0x0000007fd7036d98
.... x3    0x0000000000000024
.... x4    0x00000000c0300c03
.... x5    0x80000010aaaa0a80
.... x6    0x000000712b657508
.... x7    0x0000003700000231
.... x8    0x00000000000000dd
.... x9    0x0000000000000003
.... x10   0xb400006ee325f788
.... x11   0xb400006ee325f761
.... x12   0x00000000ffffffff
.... x13   0x0000000000000000
.... x14   0x000000000000008f
.... x15   0x0000000000000000
.... x16   0x0000007127fe4340
.... x17   0x0000007127fc0f40
.... x18   0x000000712b0b2000
.... x19   0x0000007fd7036d98
.... x20   0x0000007fd70367d0
.... x21   0xb400006ee325f731
.... x22   0x0000007fd70367f0
.... x23   0x000000712a24d000
.... x24   0x0000000000000000
.... x25   0x000000712a24d000
.... x26   0x0000007fd7036a10
.... x27   0x000000600e520720
.... x28   0x000000712a24d000
.... x29   0x0000007fd7036770
.... lr    0x0000007127f76c98
.... sp    0x0000007fd7036740
.... pc    0x0000007127fc0f48
... ustack: size 0, offset 0x1b0
 ... thread: :23725:23725
 ...... dso: <not found>

Aggregated stats:

=== a throttled event in both dumps
sh: for c in report script; do perf $c -D -i $DATA/perfdata/quipper-perf.data.piped.target.throttled-3.4 2>/dev/null | grep -a -A2 -m1 'RECORD_THROTTLE'; done
--- stdout
3 596462216209979 0xe9c0 [0x38]: PERF_RECORD_THROTTLE: unhandled!

0xe9f8@pipe [0x30]: event: 9
3 596462216209979 0xe9c0 [0x38]: PERF_RECORD_THROTTLE
0xe9f8@pipe [0x30]: event: 9
.

=== branches are what is counted where they are recorded
sh: perf report -D --symfs $TMP -i $DATA/perfdata/quipper-perf.data.branch-4.14 | tail -2
--- stdout
cycles:ppp stats:
          SAMPLE events:        416

