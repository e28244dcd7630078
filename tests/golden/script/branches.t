# Branch records: the instructions between them.
=== instructions, predictions, cycles
argv: perf script -F ip,sym,brstackinsn -i $DATA/branches/stack.data --symfs $DATA/branches --time 0.0004,0.0006
threads: 1 2 3
--- stdout

	             1c1 loop
	             1ec once
	             235 main

	main+16:
	0000000000400230	insn: e8 a2 ff ff ff          	# PRED 1 cycles [1]
	once:
	00000000004001d7	insn: 55 
	00000000004001d8	insn: 48 89 e5 
	00000000004001db	insn: 53 
	00000000004001dc	insn: 48 83 ec 08 
	00000000004001e0	insn: 89 fb 
	00000000004001e2	insn: bf 04 00 00 00 
	00000000004001e7	insn: e8 86 ff ff ff          	# PRED 3 cycles [4] 2.33 IPC
	loop:
	0000000000400172	insn: 55 
	0000000000400173	insn: 48 89 e5 
	0000000000400176	insn: 41 56 
	0000000000400178	insn: 41 55 
	000000000040017a	insn: 41 54 
	000000000040017c	insn: 53 
	000000000040017d	insn: 41 89 fe 
	0000000000400180	insn: 41 bd 00 00 00 00 
	0000000000400186	insn: bb 00 00 00 00 
	000000000040018b	insn: 41 89 fc 
	000000000040018e	insn: 41 83 e4 07 
	0000000000400192	insn: 85 ff 
	0000000000400194	insn: 75 16                   	# PRED 1 cycles [5] 13.00 IPC
	00000000004001ac	insn: b8 00 00 00 00 
	00000000004001b1	insn: 45 85 e4 
	00000000004001b4	insn: 74 10                   	# PRED 1 cycles [6] 3.00 IPC
	00000000004001c6	insn: f6 c3 04 
	00000000004001c9	insn: 74 d8 
	00000000004001cb	insn: 44 89 ef 
	00000000004001ce	insn: e8 71 ff ff ff          	# MISPRED 1 cycles [7] 4.00 IPC
	leaf:
	0000000000400144	insn: 89 f8 
	0000000000400146	insn: d1 e8 
	0000000000400148	insn: 40 f6 c7 01 
	000000000040014c	insn: 74 04                   	# PRED 1 cycles [8] 4.00 IPC
	0000000000400152	insn: 83 f0 05 
	0000000000400155	insn: c3                      	# PRED 1 cycles [9] 2.00 IPC
	loop+97:
	00000000004001d3	insn: 01 c3 
	00000000004001d5	insn: eb cc                   	# PRED
	00000000004001a3	insn: 41 83 c5 01 
	00000000004001a7	insn: 45 39 ee 
	00000000004001aa	insn: 74 ec 
	... not reaching sample ...


	             214 once
	             235 main

	leaf+8:
	000000000040014c	insn: 74 04                   	# MISPRED 8 cycles [8]
	0000000000400152	insn: 83 f0 05 
	0000000000400155	insn: c3                      	# PRED 400 cycles [408] 0.00 IPC
	loop+97:
	00000000004001d3	insn: 01 c3 
	00000000004001d5	insn: eb cc                   	# PRED 40 cycles [448] 0.05 IPC
	00000000004001a3	insn: 41 83 c5 01 
	00000000004001a7	insn: 45 39 ee 
	00000000004001aa	insn: 74 ec                   	# PRED 1 cycles [449] 3.00 IPC
	0000000000400198	insn: 89 d8 
	000000000040019a	insn: 5b 
	000000000040019b	insn: 41 5c 
	000000000040019d	insn: 41 5d 
	000000000040019f	insn: 41 5e 
	00000000004001a1	insn: 5d 
	00000000004001a2	insn: c3                      	# PRED 40 cycles [489] 0.17 IPC
	once+21:
	00000000004001ec	insn: 89 c2 
	00000000004001ee	insn: 8b 05 64 10 00 00 
	00000000004001f4	insn: 01 d0 
	00000000004001f6	insn: 89 05 5c 10 00 00 
	00000000004001fc	insn: 48 8b 05 4d 10 00 00 
	0000000000400203	insn: 83 e3 07 
	0000000000400206	insn: 89 df 
	0000000000400208	insn: ff d0                   	# PRED 1 cycles [490] 8.00 IPC
	recurse:
	0000000000400156	insn: 55 
	0000000000400157	insn: 48 89 e5 
	000000000040015a	insn: 85 ff 
	000000000040015c	insn: 75 07 
	000000000040015e	insn: e8 e1 ff ff ff          	# PRED 40 cycles [530] 0.12 IPC
	leaf:
	0000000000400144	insn: 89 f8 
	0000000000400146	insn: d1 e8 
	0000000000400148	insn: 40 f6 c7 01 
	000000000040014c	insn: 74 04                   	# PRED 5 cycles [535] 0.80 IPC
	0000000000400152	insn: 83 f0 05 
	0000000000400155	insn: c3                      	# PRED 400 cycles [935] 0.00 IPC
	recurse+13:
	0000000000400163	insn: 5d 
	0000000000400164	insn: c3                      	# PRED 1 cycles [936] 2.00 IPC
	once+51:
	000000000040020a	insn: 89 c2 
	000000000040020c	insn: 8b 05 46 10 00 00 
	0000000000400212	insn: 01 d0 
	0000000000400214	insn: 89 05 3e 10 00 00 


=== lengths, lines, the latest block only
argv: perf script -F comm,ip,sym,srcline,brstackinsnlen --max-blocks 1 -i $DATA/branches/stack.data --symfs $DATA/branches --time 0.0004,0.0006
--- stdout
walk 
	             1c1 loop
  walk.c:26
	             1ec once
  walk.c:38
	             235 main
  walk.c:44

	leaf+17:	walk.c:12
	0000000000400155	insn: c3                      	ilen: 1	# PRED 1 cycles [1]
	loop+97:	walk.c:29
	00000000004001d3	insn: 01 c3 	ilen: 2
	00000000004001d5	insn: eb cc                   	ilen: 2	# PRED
	00000000004001a3	insn: 41 83 c5 01 	ilen: 4
	00000000004001a7	insn: 45 39 ee 	ilen: 3
	00000000004001aa	insn: 74 ec 	ilen: 2
	... not reaching sample ...

walk 
	             214 once
  walk.c:39
	             235 main
  walk.c:44

	leaf+17:	walk.c:12
	0000000000400155	insn: c3                      	ilen: 1	# PRED 400 cycles [400]
	recurse+13:	walk.c:19
	0000000000400163	insn: 5d 	ilen: 1
	0000000000400164	insn: c3                      	ilen: 1	# PRED 1 cycles [401] 2.00 IPC
	once+51:	walk.c:39
	000000000040020a	insn: 89 c2 	ilen: 2
	000000000040020c	insn: 8b 05 46 10 00 00 	ilen: 6
	0000000000400212	insn: 01 d0 	ilen: 2
	0000000000400214	insn: 89 05 3e 10 00 00 	ilen: 6


=== the object is not here
argv: perf script -F comm,ip,brstackinsn -i $DATA/branches/stack.data --symfs /nothing --time 0.0004,0.0006
--- stdout
walk 
	             1c1
	             1ec
	             235


walk 
	             214
	             235



=== a recording without branch records
argv: perf script -F +brstackinsn -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4
exit: 255
--- stderr
error: Display of branch stack assembler requested, but non all-branch filter set
Hint: run 'perf record -b ...'

=== bytes of a program that does not lie where it stands in its file
argv: perf script -G -F ip,insn,insnlen -i $DATA/branches/stack.data --symfs $DATA/branches --time 0.0004,0.0006
--- stdout
           4001c1 ilen: 3 insn: 44 39 e0
           400214 ilen: 6 insn: 89 05 3e 10 00 00

=== calls that have not returned instead of the callchain
argv: perf script -F time,ip,sym -i $DATA/branches/lbr.data --symfs $DATA/branches --time 0.0009,0.0013
threads: 1 2 3
--- stdout
    0.000901: 
	             144 leaf
	             15e recurse
	             168 recurse
	             168 recurse

    0.001001: 
	             156 recurse
	             168 recurse
	             168 recurse
	             208 once

    0.001101: 
	             156 recurse
	             208 once
	             230 main

    0.001201: 
	             1d7 once
	             230 main


=== and those that the CPU has forgotten
argv: perf script -F time,ip,sym --stitch-lbr -i $DATA/branches/lbr.data --symfs $DATA/branches --time 0.0008,0.0013
threads: 1 2 3
--- stdout
    0.000801: 
	             156 recurse
	             168 recurse
	             208 once
	             230 main

    0.000901: 
	             144 leaf
	             15e recurse
	             168 recurse
	             168 recurse

    0.001001: 
	             156 recurse
	             168 recurse
	             168 recurse
	             208 once

    0.001101: 
	             156 recurse
	             208 once
	             230 main

    0.001201: 
	             1d7 once
	             230 main


=== both as dumped
sh: perf script -D -i $DATA/branches/lbr.data --symfs $DATA/branches | grep -m1 -A17 'LBR call chain: nr:5'
--- stdout
... LBR call chain: nr:5
.....  0: fffffffffffffe00
.....  1: 0000000000400144
.....  2: 00000000004001ce
.....  3: 00000000004001e7
.....  4: 0000000000400230
... FP chain: nr:5
.....  0: fffffffffffffe00
.....  1: 0000000000400148
.....  2: 00000000004001d3
.....  3: 00000000004001ec
.....  4: 0000000000400235
... branch callstack: nr:4
.....  0: 0000000000400144
.....  1: 00000000004001ce
.....  2: 00000000004001e7
.....  3: 0000000000400230
 ... thread: walk:4711

