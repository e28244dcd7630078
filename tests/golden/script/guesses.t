# Callers that are not proven: behind a second PERF_CONTEXT_USER in the callchain.
=== marked behind their names, whatever else is shown; a mark at the end has no addresses and is that of a cut stack
needs: feature:demangle
sh: $DATA/../tools/make_names_file.py perf.data comm=7,7,seven map=7,0x10000,0x1000,0,$DATA/elf/tiny64.so stack=7,7,U,0x103bc,0x103c0,U,0x103c0,0x103bd,0x999999 stack=7,7,U,0x103bc,0x103c0 stack=7,7,U,0x103bc,0x103c0,U; perf script -F comm,ip,sym,symoff,dso | sed "s,$DATA,DATA,"; perf script -F ip | head -8; perf script --max-stack 3 -F ip,sym | head -5
--- stdout
seven 
	             3bc al+0x0 (DATA/elf/tiny64.so)
	             3c0 foo+0x1 (DATA/elf/tiny64.so)
	             3c0 foo [guess]+0x1 (DATA/elf/tiny64.so)
	             3bd al [guess]+0x1 (DATA/elf/tiny64.so)
	          999999 [unknown] [guess] ([unknown])

seven 
	             3bc al+0x0 (DATA/elf/tiny64.so)
	             3c0 foo+0x1 (DATA/elf/tiny64.so)

seven 
	             3bc al+0x0 (DATA/elf/tiny64.so)
	             3c0 foo+0x1 (DATA/elf/tiny64.so)
# stack cut


	             3bc
	             3c0
	             3c0
	             3bd
	          999999



	             3bc al
	             3c0 foo
	             3c0 foo [guess]

--- stderr
warning: 1 of 3 stacks are longer than the 8192 bytes that were copied of each: record --call-graph dwarf,65528 keeps more
warning: 1 of 3 stacks go through code without unwind tables: callers behind it are guesses, which only report --guessed-callers and script show
warning: names of '$DATA/elf/tiny64.so' are assumed to be those that this machine has: no build id was recorded, nor the machine
warning: 1 of 3 stacks are longer than the 8192 bytes that were copied of each: record --call-graph dwarf,65528 keeps more
warning: 1 of 3 stacks go through code without unwind tables: callers behind it are guesses, which only report --guessed-callers and script show
warning: names of '$DATA/elf/tiny64.so' are assumed to be those that this machine has: no build id was recorded, nor the machine
warning: 1 of 3 stacks are longer than the 8192 bytes that were copied of each: record --call-graph dwarf,65528 keeps more
warning: 1 of 3 stacks go through code without unwind tables: callers behind it are guesses, which only report --guessed-callers and script show
warning: names of '$DATA/elf/tiny64.so' are assumed to be those that this machine has: no build id was recorded, nor the machine

=== left out of call graphs, but not of what report counts
needs: feature:demangle
sh: $DATA/../tools/make_names_file.py perf.data comm=7,7,seven map=7,0x10000,0x1000,0,$DATA/elf/tiny64.so stack=7,7,U,0x103bc,0x103c0,U,0x103c0,0x103bd,0x999999 stack=7,7,U,0x103bc,0x103c0; perf report --stdio --no-children -g caller,0,callee --percent-limit 0 | grep -v '^#'; perf report --stdio --children -g none | grep -v '^#'; perf report --stdio --stats | grep stacks
--- stdout
   100.00%  seven    tiny64.so      [.] al
            |
            ---al
               foo



   100.00%   100.00%  seven    tiny64.so      [.] al
   100.00%     0.00%  seven    tiny64.so      [.] foo


stacks guessed: 1 of 2  (50.0%)
--- stderr
warning: 1 of 2 stacks go through code without unwind tables: callers behind it are guesses, which only report --guessed-callers and script show
warning: names of '$DATA/elf/tiny64.so' are assumed to be those that this machine has: no build id was recorded, nor the machine
warning: 1 of 2 stacks go through code without unwind tables: callers behind it are guesses, which only report --guessed-callers and script show
warning: names of '$DATA/elf/tiny64.so' are assumed to be those that this machine has: no build id was recorded, nor the machine

=== asked for
needs: feature:demangle
sh: $DATA/../tools/make_names_file.py perf.data comm=7,7,seven map=7,0x10000,0x1000,0,$DATA/elf/tiny64.so stack=7,7,U,0x103bc,0x103c0,U,0x103c0,0x103bd,0x999999 stack=7,7,U,0x103bc,0x103c0; perf report --stdio --no-children --guessed-callers -g caller | grep -v '^#'; perf report --stdio --children --guessed-callers -g none | grep -v '^#'; perf report --stdio --no-children --guessed-callers -g folded | grep -v '^#'
--- stdout
   100.00%  seven    tiny64.so      [.] al
            |          
            |--50.00%--foo
            |          al
            |          
             --50.00%--0x999999 [guess]
                       al [guess]
                       foo [guess]
                       foo
                       al



   100.00%   100.00%  seven    tiny64.so         [.] al
   100.00%     0.00%  seven    tiny64.so         [.] foo
    50.00%     0.00%  seven    tiny64.so         [.] al [guess]
    50.00%     0.00%  seven    tiny64.so         [.] foo [guess]
    50.00%     0.00%  seven    [unknown]         [.] 0x999999 [guess]


   100.00%  seven    tiny64.so      [.] al
50.00% al;foo;foo [guess];al [guess];0x999999 [guess]
50.00% al;foo


--- stderr
warning: 1 of 2 stacks of call graphs that are shown go through code without unwind tables: callers behind it are guesses, which only report --guessed-callers and script show
warning: names of '$DATA/elf/tiny64.so' are assumed to be those that this machine has: no build id was recorded, nor the machine
warning: 1 of 2 stacks go through code without unwind tables: callers behind it are guesses, which only report --guessed-callers and script show
warning: names of '$DATA/elf/tiny64.so' are assumed to be those that this machine has: no build id was recorded, nor the machine
warning: 1 of 2 stacks of call graphs that are shown go through code without unwind tables: callers behind it are guesses, which only report --guessed-callers and script show
warning: names of '$DATA/elf/tiny64.so' are assumed to be those that this machine has: no build id was recorded, nor the machine

=== doctor counts them apart
sh: $DATA/../tools/make_names_file.py perf.data comm=7,7,seven map=7,0x10000,0x1000,0,$DATA/elf/tiny64.so stack=7,7,U,0x103bc,0x103c0,U,0x103c0,0x103bd,0x999999 stack=7,7,U,0x103bc,0x103c0,U; perf doctor perf.data | grep -A1 -E 'thread|guess|longer'; perf doctor --json perf.data | grep -o '"stacks-[a-z]*[": ]*[0-9]*' | sort
--- stdout
WRONG  stacks: 0.0 % of 2 reach their thread's start
WRONG  truncated: 50.0 % of stacks are longer than the 8192 bytes that were copied
       mend: perf record --call-graph dwarf,65528 ...
WRONG  guessed: 50.0 % of stacks have callers that are guesses
       they came through code without unwind tables that does not tell where its caller is; perf script marks them with [guess], perf report leaves them out
ok     names: 100.0 % of 2 samples have a function's name
"stacks-asleep
"stacks-asleep": 0
"stacks-broken": 0
"stacks-by
"stacks-by
"stacks-complete": 0
"stacks-cut": 0
"stacks-guessed": 1
"stacks-truncated": 1

