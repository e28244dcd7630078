# perf annotate on a small program that is here with its source.
=== all functions, as perf 6.1 prints them
needs: feature:libcapstone
threads: 1 3
argv: perf annotate --stdio -f -i $DATA/annotate/spin.data --symfs $DATA/annotate --prefix $DATA/annotate
--- stdout
 Percent         |	Source code & Disassembly of spin for anon group { cpu-clock:u, task-clock:u } (21 samples, percent: local period)
\------------------------------------------------------------------------------------------------------------------------------------------
                 :
                 :
                 :
                 : 3      Disassembly of section .text:
                 :
                 : 5      0000000000401000 <spin>:
                 : 6      spin():
                 :
                 : 14     __attribute__((noinline)) unsigned long spin(unsigned long n)
                 : 15     {
                 : 16     unsigned long s = 0;
                 :
                 : 18     for (unsigned long i = 0; i < n; i++) {
    0.00    0.00 :   401000: test   %rdi,%rdi
    0.00    0.00 :   401003: je     40104b <spin+0x4b>
    0.00    0.00 :   401005: mov    $0x0,%ecx
                 : 11     unsigned long s = 0;
    0.00    0.00 :   40100a: mov    $0x0,%esi
                 : 14     if (i % 3 == 0)
    0.00    0.00 :   40100f: movabs $0xaaaaaaaaaaaaaaab,%r8
    0.00    0.00 :   401019: jmp    401027 <spin+0x27>
                 : 17     s += square(i);
                 : 18     else
                 : 19     s ^= i;
    0.00    0.00 :   40101b: xor    %rcx,%rsi
                 : 13     for (unsigned long i = 0; i < n; i++) {
    4.76    4.76 :   40101e: add    $0x1,%rcx
    0.00    0.00 :   401022: cmp    %rcx,%rdi
    4.76    4.76 :   401025: je     40104e <spin+0x4e>
                 : 14     if (i % 3 == 0)
    0.00    0.00 :   401027: mov    %rcx,%rax
    0.00    0.00 :   40102a: mul    %r8
   23.81   23.81 :   40102d: mov    %rdx,%rax
   14.29   14.29 :   401030: shr    %rax
    0.00    0.00 :   401033: and    $0xfffffffffffffffe,%rdx
    4.76    4.76 :   401037: add    %rax,%rdx
   42.86   42.86 :   40103a: cmp    %rdx,%rcx
    4.76    4.76 :   40103d: jne    40101b <spin+0x1b>
                 : 23     square():
                 : 6      return i * i; /* inlined */
    0.00    0.00 :   40103f: mov    %rcx,%rax
    0.00    0.00 :   401042: imul   %rcx,%rax
                 : 9      spin():
                 : 15     s += square(i);
    0.00    0.00 :   401046: add    %rax,%rsi
    0.00    0.00 :   401049: jmp    40101e <spin+0x1e>
                 : 11     unsigned long s = 0;
    0.00    0.00 :   40104b: mov    %rdi,%rsi
                 : 20     }
                 : 21     return s;
                 : 22     }
    0.00    0.00 :   40104e: mov    %rsi,%rax
    0.00    0.00 :   401051: ret

=== the terminal view
needs: feature:libcapstone
threads: 1 3
argv: perf annotate --stdio2 -f -i $DATA/annotate/spin.data --symfs $DATA/annotate --prefix $DATA/annotate
--- stdout
Samples: 42  of events 'anon group { cpu-clock:u, task-clock:u }', 500 Hz, Event count (approx.): 42000000, [percent: local period]
spin() /annotate-test/spin
Percent                      
                             
                             
                   Disassembly of section .text:
                             
                   0000000000401000 <spin>:
                   spin():          
                             
                   __attribute__((noinline)) unsigned long spin(unsigned long n)
                   {                
                   unsigned long s = 0;
                             
                   for (unsigned long i = 0; i < n; i++) {
                     test   %rdi,%rdi     
                   ↓ je     4b            
                     mov    $0x0,%ecx     
                   unsigned long s = 0;
                     mov    $0x0,%esi     
                   if (i % 3 == 0)  
                     movabs $0xaaaaaaaaaaaaaaab,%r8
                   ↓ jmp    27            
                   s += square(i);  
                   else             
                   s ^= i;          
               1b:   xor    %rcx,%rsi     
                   for (unsigned long i = 0; i < n; i++) {
  4.76   4.76  1e:   add    $0x1,%rcx     
                     cmp    %rcx,%rdi     
  4.76   4.76      ↓ je     4e            
                   if (i % 3 == 0)  
               27:   mov    %rcx,%rax     
                     mul    %r8           
 23.81  23.81        mov    %rdx,%rax     
 14.29  14.29        shr    %rax          
                     and    $0xfffffffffffffffe,%rdx
  4.76   4.76        add    %rax,%rdx     
 42.86  42.86        cmp    %rdx,%rcx     
  4.76   4.76      ↑ jne    1b            
                   square():        
                   return i * i; /* inlined */
                     mov    %rcx,%rax     
                     imul   %rcx,%rax     
                   spin():          
                   s += square(i);  
                     add    %rax,%rsi     
                   ↑ jmp    1e            
                   unsigned long s = 0;
               4b:   mov    %rdi,%rsi     
                   }                
                   return s;        
                   }                
               4e:   mov    %rsi,%rax     
                   ← ret                  

=== one function, in Intel syntax, with bytes and numbers of samples
needs: feature:libcapstone
threads: 1 3
argv: perf annotate --stdio -M intel --asm-raw -n --no-source -f -i $DATA/annotate/spin.data --symfs $DATA/annotate --prefix $DATA/annotate spin
--- stdout
 Samples         |	Source code & Disassembly of spin for anon group { cpu-clock:u, task-clock:u } (21 samples, percent: local period)
\------------------------------------------------------------------------------------------------------------------------------------------
                 :
                 :
                 :
                 : 3      Disassembly of section .text:
                 :
                 : 5      0000000000401000 <spin>:
                 : 6      spin():
       0       0 :   401000: 48 85 ff                test   rdi,rdi
       0       0 :   401003: 74 46                   je     40104b <spin+0x4b>
       0       0 :   401005: b9 00 00 00 00          mov    ecx,0x0
       0       0 :   40100a: be 00 00 00 00          mov    esi,0x0
       0       0 :   40100f: 49 b8 ab aa aa aa aa    movabs r8,0xaaaaaaaaaaaaaaab
       0       0 :   401016: aa aa aa
       0       0 :   401019: eb 0c                   jmp    401027 <spin+0x27>
       0       0 :   40101b: 48 31 ce                xor    rsi,rcx
       1       1 :   40101e: 48 83 c1 01             add    rcx,0x1
       0       0 :   401022: 48 39 cf                cmp    rdi,rcx
       1       1 :   401025: 74 27                   je     40104e <spin+0x4e>
       0       0 :   401027: 48 89 c8                mov    rax,rcx
       0       0 :   40102a: 49 f7 e0                mul    r8
       5       5 :   40102d: 48 89 d0                mov    rax,rdx
       3       3 :   401030: 48 d1 e8                shr    rax,1
       0       0 :   401033: 48 83 e2 fe             and    rdx,0xfffffffffffffffe
       1       1 :   401037: 48 01 c2                add    rdx,rax
       9       9 :   40103a: 48 39 d1                cmp    rcx,rdx
       1       1 :   40103d: 75 dc                   jne    40101b <spin+0x1b>
                 : 22     square():
       0       0 :   40103f: 48 89 c8                mov    rax,rcx
       0       0 :   401042: 48 0f af c1             imul   rax,rcx
                 : 8      spin():
       0       0 :   401046: 48 01 c6                add    rsi,rax
       0       0 :   401049: eb d3                   jmp    40101e <spin+0x1e>
       0       0 :   40104b: 48 89 fe                mov    rsi,rdi
       0       0 :   40104e: 48 89 f0                mov    rax,rsi
       0       0 :   401051: c3                      ret

=== a summary of source lines, colours
needs: feature:libcapstone
threads: 1 3
argv: perf annotate --stdio -l -P --stdio-color always -f -i $DATA/annotate/spin.data --symfs $DATA/annotate --prefix $DATA/annotate spin
--- stdout

Sorted summary for file /annotate-test/spin
\----------------------------------------------

[31m   90.48[m[31m   90.48[m[31m /annotate-test/spin.c:14
[m[31m    9.52[m[31m    9.52[m[31m /annotate-test/spin.c:13
[m Percent         |	Source code & Disassembly of /annotate-test/spin for anon group { cpu-clock:u, task-clock:u } (21 samples, percent: local period)
\---------------------------------------------------------------------------------------------------------------------------------------------------------
                 :
                 :
                 :
                 : 3      Disassembly of section .text:
                 :
                 : 5      0000000000401000 <spin>:
                 : 6      spin():
                 :
                 : 14     __attribute__((noinline)) unsigned long spin(unsigned long n)
                 : 15     {
                 : 16     unsigned long s = 0;
                 :
                 : 18     for (unsigned long i = 0; i < n; i++) {
    0.00    0.00 : [35m  401000:[m[34m test   %rdi,%rdi[m
    0.00    0.00 : [35m  401003:[m[34m je     40104b <spin+0x4b>[m
    0.00    0.00 : [35m  401005:[m[34m mov    $0x0,%ecx[m
                 : 11     unsigned long s = 0;
    0.00    0.00 : [35m  40100a:[m[34m mov    $0x0,%esi[m
                 : 14     if (i % 3 == 0)
    0.00    0.00 : [35m  40100f:[m[34m movabs $0xaaaaaaaaaaaaaaab,%r8[m
    0.00    0.00 : [35m  401019:[m[34m jmp    401027 <spin+0x27>[m
                 : 17     s += square(i);
                 : 18     else
                 : 19     s ^= i;
    0.00    0.00 : [35m  40101b:[m[34m xor    %rcx,%rsi[m
                 : 13     for (unsigned long i = 0; i < n; i++) {
[32m    4.76[m[32m    4.76[m : [35m  40101e:[m[34m add    $0x1,%rcx[m[32m // /annotate-test/spin.c:13[m
    0.00    0.00 : [35m  401022:[m[34m cmp    %rcx,%rdi[m
[32m    4.76[m[32m    4.76[m : [35m  401025:[m[34m je     40104e <spin+0x4e>[m
                 : 14     if (i % 3 == 0)
    0.00    0.00 : [35m  401027:[m[34m mov    %rcx,%rax[m
    0.00    0.00 : [35m  40102a:[m[34m mul    %r8[m
[31m   23.81[m[31m   23.81[m : [35m  40102d:[m[34m mov    %rdx,%rax[m[31m // /annotate-test/spin.c:14[m
[31m   14.29[m[31m   14.29[m : [35m  401030:[m[34m shr    %rax[m
    0.00    0.00 : [35m  401033:[m[34m and    $0xfffffffffffffffe,%rdx[m
[32m    4.76[m[32m    4.76[m : [35m  401037:[m[34m add    %rax,%rdx[m
[31m   42.86[m[31m   42.86[m : [35m  40103a:[m[34m cmp    %rdx,%rcx[m
[32m    4.76[m[32m    4.76[m : [35m  40103d:[m[34m jne    40101b <spin+0x1b>[m
                 : 23     square():
                 : 6      return i * i; /* inlined */
    0.00    0.00 : [35m  40103f:[m[34m mov    %rcx,%rax[m
    0.00    0.00 : [35m  401042:[m[34m imul   %rcx,%rax[m
                 : 9      spin():
                 : 15     s += square(i);
    0.00    0.00 : [35m  401046:[m[34m add    %rax,%rsi[m
    0.00    0.00 : [35m  401049:[m[34m jmp    40101e <spin+0x1e>[m
                 : 11     unsigned long s = 0;
    0.00    0.00 : [35m  40104b:[m[34m mov    %rdi,%rsi[m
                 : 20     }
                 : 21     return s;
                 : 22     }
    0.00    0.00 : [35m  40104e:[m[34m mov    %rsi,%rax[m
    0.00    0.00 : [35m  401051:[m[34m ret[m

=== a source line has the colour of its last event's share
needs: feature:libcapstone
argv: perf annotate --stdio -l --stdio-color always -f -i $DATA/annotate/uneven.data --symfs $DATA/annotate --prefix $DATA/annotate spin
--- stdout

Sorted summary for file /annotate-test/spin
----------------------------------------------

[31m   91.53[m[31m  100.00[m[31m spin.c:14
[m[31m    6.78[m    0.00[31m spin.c:13
[m[32m    1.69[m    0.00[32m spin.c:6
[m Percent         |	Source code & Disassembly of spin for anon group { cpu-clock/period=1000003/u, task-clock/period=7000019/u } (59 samples, percent: local period)
------------------------------------------------------------------------------------------------------------------------------------------------------------------------
                 :
                 :
                 :
                 : 3      Disassembly of section .text:
                 :
                 : 5      0000000000401000 <spin>:
                 : 6      spin():
                 :
                 : 14     __attribute__((noinline)) unsigned long spin(unsigned long n)
                 : 15     {
                 : 16     unsigned long s = 0;
                 :
                 : 18     for (unsigned long i = 0; i < n; i++) {
    0.00    0.00 : [35m  401000:[m[34m test   %rdi,%rdi[m
    0.00    0.00 : [35m  401003:[m[34m je     40104b <spin+0x4b>[m
    0.00    0.00 : [35m  401005:[m[34m mov    $0x0,%ecx[m
                 : 11     unsigned long s = 0;
    0.00    0.00 : [35m  40100a:[m[34m mov    $0x0,%esi[m
                 : 14     if (i % 3 == 0)
    0.00    0.00 : [35m  40100f:[m[34m movabs $0xaaaaaaaaaaaaaaab,%r8[m
    0.00    0.00 : [35m  401019:[m[34m jmp    401027 <spin+0x27>[m
                 : 17     s += square(i);
                 : 18     else
                 : 19     s ^= i;
    0.00    0.00 : [35m  40101b:[m[34m xor    %rcx,%rsi[m
                 : 13     for (unsigned long i = 0; i < n; i++) {
[31m    6.78[m    0.00 : [35m  40101e:[m[34m add    $0x1,%rcx[m // spin.c:13
    0.00    0.00 : [35m  401022:[m[34m cmp    %rcx,%rdi[m
    0.00    0.00 : [35m  401025:[m[34m je     40104e <spin+0x4e>[m
                 : 14     if (i % 3 == 0)
    0.00    0.00 : [35m  401027:[m[34m mov    %rcx,%rax[m
[32m    3.39[m[31m   12.50[m : [35m  40102a:[m[34m mul    %r8[m[31m // spin.c:14[m
[31m   10.17[m    0.00 : [35m  40102d:[m[34m mov    %rdx,%rax[m
[31m   30.51[m[31m   12.50[m : [35m  401030:[m[34m shr    %rax[m
[31m   11.86[m[31m   12.50[m : [35m  401033:[m[34m and    $0xfffffffffffffffe,%rdx[m
[32m    3.39[m    0.00 : [35m  401037:[m[34m add    %rax,%rdx[m
[31m   23.73[m[31m   37.50[m : [35m  40103a:[m[34m cmp    %rdx,%rcx[m
[31m    8.47[m[31m   25.00[m : [35m  40103d:[m[34m jne    40101b <spin+0x1b>[m
                 : 23     square():
                 : 6      return i * i; /* inlined */
    0.00    0.00 : [35m  40103f:[m[34m mov    %rcx,%rax[m
[32m    1.69[m    0.00 : [35m  401042:[m[34m imul   %rcx,%rax[m // spin.c:6
                 : 9      spin():
                 : 15     s += square(i);
    0.00    0.00 : [35m  401046:[m[34m add    %rax,%rsi[m
    0.00    0.00 : [35m  401049:[m[34m jmp    40101e <spin+0x1e>[m
                 : 11     unsigned long s = 0;
    0.00    0.00 : [35m  40104b:[m[34m mov    %rdi,%rsi[m
                 : 20     }
                 : 21     return s;
                 : 22     }
    0.00    0.00 : [35m  40104e:[m[34m mov    %rsi,%rax[m
    0.00    0.00 : [35m  401051:[m[34m ret[m

=== periods, jumps and line numbers
needs: feature:libcapstone
threads: 1 3
argv: perf annotate --stdio2 --show-total-period --show-nr-jumps -f -i $DATA/annotate/spin.data --symfs $DATA/annotate --prefix $DATA/annotate -s spin
--- stdout
Samples: 42  of events 'anon group { cpu-clock:u, task-clock:u }', 500 Hz, Event count (approx.): 42000000, [percent: local period]
spin() /annotate-test/spin
Period                                           
                                                 
                                                 
                               Disassembly of section .text:
                                                 
                               0000000000401000 <spin>:     
                               spin():                      
                                                 
                               __attribute__((noinline)) unsigned long spin(unsigned long n)
                               {                            
                               unsigned long s = 0;         
                                                 
                               for (unsigned long i = 0; i < n; i++) {
                                 test   %rdi,%rdi                 
                               ↓ je     4b                        
                                 mov    $0x0,%ecx                 
                               unsigned long s = 0;         
                                 mov    $0x0,%esi                 
                               if (i % 3 == 0)              
                                 movabs $0xaaaaaaaaaaaaaaab,%r8   
                               ↓ jmp    27                        
                               s += square(i);              
                               else                         
                               s ^= i;                      
                         1 1b:   xor    %rcx,%rsi               
                               for (unsigned long i = 0; i < n; i++) {
    2000000     2000000  1 1e:   add    $0x1,%rcx               
                                 cmp    %rcx,%rdi                 
    2000000     2000000        ↓ je     4e                        
                               if (i % 3 == 0)              
                         1 27:   mov    %rcx,%rax               
                                 mul    %r8                       
   10000000    10000000          mov    %rdx,%rax                 
    6000000     6000000          shr    %rax                      
                                 and    $0xfffffffffffffffe,%rdx  
    2000000     2000000          add    %rax,%rdx                 
   18000000    18000000          cmp    %rdx,%rcx                 
    2000000     2000000        ↑ jne    1b                        
                               square():                    
                               return i * i; /* inlined */  
                                 mov    %rcx,%rax                 
                                 imul   %rcx,%rax                 
                               spin():                      
                               s += square(i);              
                                 add    %rax,%rsi                 
                               ↑ jmp    1e                        
                               unsigned long s = 0;         
                         1 4b:   mov    %rdi,%rsi               
                               }                            
                               return s;                    
                               }                            
                         1 4e:   mov    %rsi,%rax               
                               ← ret                              

=== JSON
needs: feature:libcapstone
threads: 1 3
argv: perf annotate --json -f -i $DATA/annotate/spin.data --symfs $DATA/annotate --prefix $DATA/annotate spin
--- stdout
{
	"schema": "perf annotate",
	"version": 1,
	"functions": [
		{
			"symbol": "spin",
			"dso": "/annotate-test/spin",
			"build_id": "e1c057dee2177c64b7574d649152af71d0c4914a",
			"address": "0x401000",
			"size": 82,
			"cut": false,
			"events": [
				{"name": "cpu-clock:u", "samples": 21, "period": 42000000, "total_samples": 21, "total_period": 42000000},
				{"name": "task-clock:u", "samples": 21, "period": 42000000, "total_samples": 21, "total_period": 42000000}
			],
			"lines": [
				{"heading": "Disassembly of section .text:"},
				{"heading": "0000000000401000 <spin>:"},
				{"heading": "spin():"},
				{"source": "__attribute__((noinline)) unsigned long spin(unsigned long n)", "file": "/annotate-test/spin.c", "line": 9},
				{"source": "{", "file": "/annotate-test/spin.c", "line": 10},
				{"source": "unsigned long s = 0;", "file": "/annotate-test/spin.c", "line": 11},
				{"source": "for (unsigned long i = 0; i < n; i++) {", "file": "/annotate-test/spin.c", "line": 13},
				{"address": "0x401000", "bytes": "4885ff", "text": "test   %rdi,%rdi", "file": "/annotate-test/spin.c", "line": 13},
				{"address": "0x401003", "bytes": "7446", "text": "je     40104b <spin+0x4b>", "flow": "jump", "target": "0x40104b", "file": "/annotate-test/spin.c", "line": 13},
				{"address": "0x401005", "bytes": "b900000000", "text": "mov    $0x0,%ecx", "file": "/annotate-test/spin.c", "line": 13},
				{"source": "unsigned long s = 0;", "file": "/annotate-test/spin.c", "line": 11},
				{"address": "0x40100a", "bytes": "be00000000", "text": "mov    $0x0,%esi", "file": "/annotate-test/spin.c", "line": 11},
				{"source": "if (i % 3 == 0)", "file": "/annotate-test/spin.c", "line": 14},
				{"address": "0x40100f", "bytes": "49b8abaaaaaaaaaaaaaa", "text": "movabs $0xaaaaaaaaaaaaaaab,%r8", "file": "/annotate-test/spin.c", "line": 14},
				{"address": "0x401019", "bytes": "eb0c", "text": "jmp    401027 <spin+0x27>", "flow": "jump", "target": "0x401027", "file": "/annotate-test/spin.c", "line": 14},
				{"source": "s += square(i);", "file": "/annotate-test/spin.c", "line": 15},
				{"source": "else", "file": "/annotate-test/spin.c", "line": 16},
				{"source": "s ^= i;", "file": "/annotate-test/spin.c", "line": 17},
				{"address": "0x40101b", "bytes": "4831ce", "text": "xor    %rcx,%rsi", "jumps": 1, "file": "/annotate-test/spin.c", "line": 17},
				{"source": "for (unsigned long i = 0; i < n; i++) {", "file": "/annotate-test/spin.c", "line": 13},
				{"address": "0x40101e", "bytes": "4883c101", "text": "add    $0x1,%rcx", "jumps": 1, "file": "/annotate-test/spin.c", "line": 13, "samples": [1,1], "period": [2000000,2000000]},
				{"address": "0x401022", "bytes": "4839cf", "text": "cmp    %rcx,%rdi", "file": "/annotate-test/spin.c", "line": 13},
				{"address": "0x401025", "bytes": "7427", "text": "je     40104e <spin+0x4e>", "flow": "jump", "target": "0x40104e", "file": "/annotate-test/spin.c", "line": 13, "samples": [1,1], "period": [2000000,2000000]},
				{"source": "if (i % 3 == 0)", "file": "/annotate-test/spin.c", "line": 14},
				{"address": "0x401027", "bytes": "4889c8", "text": "mov    %rcx,%rax", "jumps": 1, "file": "/annotate-test/spin.c", "line": 14},
				{"address": "0x40102a", "bytes": "49f7e0", "text": "mul    %r8", "file": "/annotate-test/spin.c", "line": 14},
				{"address": "0x40102d", "bytes": "4889d0", "text": "mov    %rdx,%rax", "file": "/annotate-test/spin.c", "line": 14, "samples": [5,5], "period": [10000000,10000000]},
				{"address": "0x401030", "bytes": "48d1e8", "text": "shr    %rax", "file": "/annotate-test/spin.c", "line": 14, "samples": [3,3], "period": [6000000,6000000]},
				{"address": "0x401033", "bytes": "4883e2fe", "text": "and    $0xfffffffffffffffe,%rdx", "file": "/annotate-test/spin.c", "line": 14},
				{"address": "0x401037", "bytes": "4801c2", "text": "add    %rax,%rdx", "file": "/annotate-test/spin.c", "line": 14, "samples": [1,1], "period": [2000000,2000000]},
				{"address": "0x40103a", "bytes": "4839d1", "text": "cmp    %rdx,%rcx", "file": "/annotate-test/spin.c", "line": 14, "samples": [9,9], "period": [18000000,18000000]},
				{"address": "0x40103d", "bytes": "75dc", "text": "jne    40101b <spin+0x1b>", "flow": "jump", "target": "0x40101b", "file": "/annotate-test/spin.c", "line": 14, "samples": [1,1], "period": [2000000,2000000]},
				{"heading": "square():"},
				{"source": "return i * i; /* inlined */", "file": "/annotate-test/spin.c", "line": 6},
				{"address": "0x40103f", "bytes": "4889c8", "text": "mov    %rcx,%rax", "file": "/annotate-test/spin.c", "line": 6},
				{"address": "0x401042", "bytes": "480fafc1", "text": "imul   %rcx,%rax", "file": "/annotate-test/spin.c", "line": 6},
				{"heading": "spin():"},
				{"source": "s += square(i);", "file": "/annotate-test/spin.c", "line": 15},
				{"address": "0x401046", "bytes": "4801c6", "text": "add    %rax,%rsi", "file": "/annotate-test/spin.c", "line": 15},
				{"address": "0x401049", "bytes": "ebd3", "text": "jmp    40101e <spin+0x1e>", "flow": "jump", "target": "0x40101e", "file": "/annotate-test/spin.c", "line": 15},
				{"source": "unsigned long s = 0;", "file": "/annotate-test/spin.c", "line": 11},
				{"address": "0x40104b", "bytes": "4889fe", "text": "mov    %rdi,%rsi", "jumps": 1, "file": "/annotate-test/spin.c", "line": 11},
				{"source": "}", "file": "/annotate-test/spin.c", "line": 18},
				{"source": "return s;", "file": "/annotate-test/spin.c", "line": 19},
				{"source": "}", "file": "/annotate-test/spin.c", "line": 20},
				{"address": "0x40104e", "bytes": "4889f0", "text": "mov    %rsi,%rax", "jumps": 1, "file": "/annotate-test/spin.c", "line": 20},
				{"address": "0x401051", "bytes": "c3", "text": "ret", "flow": "return", "file": "/annotate-test/spin.c", "line": 20}
			]
		}
	]
}

=== a function without samples
argv: perf annotate --stdio -f -i $DATA/annotate/spin.data --symfs $DATA/annotate nosuch
--- stderr contains
data has no samples!
hint: none of them is in a function 'nosuch': see 'perf report'

=== the object is not here
argv: perf annotate --stdio -f -i $DATA/annotate/spin.data --symfs $DATA/nothing
--- stderr contains
no samples

=== two columns
argv: perf annotate -n --show-total-period -i $DATA/annotate/spin.data
exit: 129
--- stderr contains
-n and --show-total-period are one column

=== a style that is none
argv: perf annotate -M itnel
exit: 129
--- stderr contains
the style 'itnel' is not one of att, intel


=== a setting that names no disassembler that is here
env: PERF_CONFIG=settings
sh: printf '[annotate]\n\tdisassemblers = llvm\n' >settings; perf annotate --stdio -i $DATA/annotate/spin.data
exit: 255
--- stderr contains
'llvm' names neither capstone nor objdump
