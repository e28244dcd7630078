# perf annotate --data-type, and the sort keys of report that tell types.
=== types of what instructions access, with statistics
needs: feature:libcapstone
threads: 1 3
argv: perf annotate --data-type --type-stat --insn-stat -q -f -i $DATA/annotate/types/list.data --symfs $DATA/annotate
--- stdout
Annotate data type stats:
total 21, ok 8 (38.1%), bad 13 (61.9%)
\-----------------------------------------------------------
        13 : no_mem_ops

Annotate Instruction stats
total 6, ok 6 (100.0%), bad 0 (0.0%)

  Name/opcode         :  Good   Bad
\-----------------------------------------------------------
  add                 :     2     0
  cmp                 :     2     0
  mov                 :     1     0
  movsx               :     1     0

Annotate type: 'struct node' in /types/list (8 samples):
\============================================================================
 Percent     offset       size  field
  100.00          0       0x28  struct node	 {
   12.50          0        0x8      struct node*	next;
   37.50        0x8        0x8      long int	key;
   12.50       0x10        0x8      struct point	at {
    0.00       0x10        0x4          int	x;
   12.50       0x14        0x4          int	y;
                                    };
   37.50       0x18        0x8      char[]	name;
    0.00       0x20        0x4      union 	 {
    0.00       0x20        0x4          int	i;
    0.00       0x20        0x4          float	f;
                                    };
    0.00       0x24        0x1      unsigned int	seen;
    0.00       0x24        0x1      unsigned int	weight;
                                };

Annotate type: 'long int' in /types/list (1 samples):
\============================================================================
 Percent     offset       size  field
  100.00          0        0x8  long int	;


=== one type, in numbers of samples
needs: feature:libcapstone
argv: perf annotate --data-type=node -n -q -f -i $DATA/annotate/types/list.data --symfs $DATA/annotate
--- stdout
Annotate type: 'struct node' in /types/list (8 samples):
\============================================================================
 Samples     offset       size  field
       8          0       0x28  struct node	 {
       1          0        0x8      struct node*	next;
       3        0x8        0x8      long int	key;
       1       0x10        0x8      struct point	at {
       0       0x10        0x4          int	x;
       1       0x14        0x4          int	y;
                                    };
       3       0x18        0x8      char[]	name;
       0       0x20        0x4      union 	 {
       0       0x20        0x4          int	i;
       0       0x20        0x4          float	f;
                                    };
       0       0x24        0x1      unsigned int	seen;
       0       0x24        0x1      unsigned int	weight;
                                };


=== types as JSON
needs: feature:libcapstone
argv: perf annotate --data-type --type-stat --insn-stat --json -q -f -i $DATA/annotate/types/list.data --symfs $DATA/annotate
--- stdout
{
	"schema": "perf annotate",
	"version": 1,
	"addresses": {"total": 21, "known": 8, "no_mem_ops": 13},
	"instructions": [
		{"name": "add", "known": 2, "unknown": 0},
		{"name": "cmp", "known": 2, "unknown": 0},
		{"name": "mov", "known": 1, "unknown": 0},
		{"name": "movsx", "known": 1, "unknown": 0}
	],
	"types": [
		{
			"type": "struct node",
			"dso": "/types/list",
			"size": 40,
			"events": [
				{"name": "cpu-clock:HG", "samples": 9, "period": 9000, "total_samples": 48, "total_period": 48000}
			],
			"samples": [8],
			"period": [8000],
			"fields": [
				{"depth": 1, "offset": 0, "size": 8, "type": "struct node*", "name": "next", "samples": [1], "period": [1000]},
				{"depth": 1, "offset": 8, "size": 8, "type": "long int", "name": "key", "samples": [3], "period": [3000]},
				{"depth": 1, "offset": 16, "size": 8, "type": "struct point", "name": "at", "samples": [1], "period": [1000]},
				{"depth": 2, "offset": 16, "size": 4, "type": "int", "name": "x", "samples": [0], "period": [0]},
				{"depth": 2, "offset": 20, "size": 4, "type": "int", "name": "y", "samples": [1], "period": [1000]},
				{"depth": 1, "offset": 24, "size": 8, "type": "char[]", "name": "name", "samples": [3], "period": [3000]},
				{"depth": 1, "offset": 32, "size": 4, "type": "union ", "name": "", "samples": [0], "period": [0]},
				{"depth": 2, "offset": 32, "size": 4, "type": "int", "name": "i", "samples": [0], "period": [0]},
				{"depth": 2, "offset": 32, "size": 4, "type": "float", "name": "f", "samples": [0], "period": [0]},
				{"depth": 1, "offset": 36, "size": 1, "type": "unsigned int", "name": "seen", "samples": [0], "period": [0]},
				{"depth": 1, "offset": 36, "size": 1, "type": "unsigned int", "name": "weight", "samples": [0], "period": [0]}
			]
		},
		{
			"type": "long int",
			"dso": "/types/list",
			"size": 8,
			"events": [
				{"name": "cpu-clock:HG", "samples": 9, "period": 9000, "total_samples": 48, "total_period": 48000}
			],
			"samples": [1],
			"period": [1000],
			"fields": []
		}
	]
}

=== code with types
needs: feature:libcapstone
argv: perf annotate --code-with-type --stdio -q -f -i $DATA/annotate/types/list.data --symfs $DATA/annotate count
--- stdout
 Percent |	Source code & Disassembly of list for cpu-clock:HG (3 samples, percent: local period)
\-----------------------------------------------------------------------------------------------------
         :
         :
         :
         : 3      Disassembly of section .text:
         :
         : 5      0000000000401030 <count>:
         : 6      count():
         : 7      ././list.c:32
   33.33 :   401030: add    %rdi,0xfc9(%rip)        # 402000 <found>		# data-type: long int +0 (no field)
         : 9      ././list.c:33
   66.67 :   401037: ret

=== code with types, with arrows
needs: feature:libcapstone
argv: perf annotate --code-with-type --stdio2 -q -f -i $DATA/annotate/types/list.data --symfs $DATA/annotate look_up
--- stdout
Samples: 33  of event 'cpu-clock:HG', Event count (approx.): 33000, [percent: local period]
look_up() /types/list
Percent        
               
               
            Disassembly of section .text:
               
            0000000000401000 <look_up>:
            look_up():
            ././list.c:22
  3.03        xor    %edx,%edx
            ././list.c:24
  6.06        test   %rdi,%rdi
  9.09      ↓ je     2b     
            ././list.c:26
  3.03        mov    %rsi,%rcx
  6.06        and    $0x7,%ecx
  9.09        nop           
            ././list.c:25
  3.03  10:   cmp    %rsi,0x8(%rdi)		# data-type: struct node +0x8 (key)
  6.06      ↓ jne    23     
            ././list.c:26
  9.09        movsbl 0x18(%rdi,%rcx,1),%eax		# data-type: struct node +0x18 (name)
  3.03        add    0x14(%rdi),%eax		# data-type: struct node +0x14 (at.y)
  6.06        cltq          
  9.09        add    %rax,%rdx
            ././list.c:24
  3.03  23:   mov    (%rdi),%rdi		# data-type: struct node +0 (next)
  6.06        test   %rdi,%rdi
  9.09      ↑ jne    10     
            ././list.c:28
  3.03  2b:   mov    %rdx,%rax
  6.06      ← ret           

=== statistics alone
needs: feature:libcapstone
argv: perf annotate --type-stat -q -f -i $DATA/annotate/types/list.data --symfs $DATA/annotate
--- stdout
Annotate data type stats:
total 21, ok 8 (38.1%), bad 13 (61.9%)
\-----------------------------------------------------------
        13 : no_mem_ops


=== rows by type, place and cache line
needs: feature:libcapstone
threads: 1 2 3
argv: perf report --stdio -q -s type,typeoff,typecln,sym -f -i $DATA/annotate/types/list.data --symfs $DATA/annotate
--- stdout
    47.92%  (unknown)          (unknown)                 (unknown): cache-line 0          [.] look_up
    10.42%  (unknown)          (unknown)                 (unknown): cache-line 0          [.] _start
     6.25%  (unknown)          (unknown)                 (unknown): cache-line 0          [.] 0x000000000000102f
     6.25%  (unknown)          (unknown)                 (unknown): cache-line 0          [.] 0x0000000000001038
     6.25%  struct node        struct node +0x18 (name)  struct node: cache-line 0        [.] look_up
     6.25%  struct node        struct node +0x8 (key)    struct node: cache-line 0        [.] look_up
     4.17%  (stack operation)  (stack operation)         (stack operation): cache-line 0  [.] count
     4.17%  (stack operation)  (stack operation)         (stack operation): cache-line 0  [.] look_up
     2.08%  (unknown)          (unknown)                 (unknown): cache-line 0          [.] 0x000000000000103f
     2.08%  long int           long int +0 (no field)    long int: cache-line 0           [.] count
     2.08%  struct node        struct node +0 (next)     struct node: cache-line 0        [.] look_up
     2.08%  struct node        struct node +0x14 (at.y)  struct node: cache-line 0        [.] look_up



