# The code of functions of a small program that is here with its source.
=== code of a function: source, the hottest line, a jump with its target
locale C.UTF-8
$ perf report -f -i $DATA/annotate/spin.data --symfs $DATA/annotate --prefix $DATA/annotate
screen
|Samples: 21 of event 'cpu-clock:u', Event count (approx.): 42000000        1-1/1
|          Overhead  Command  Shared Object  Symbol
|   100.00% 100.00%  spin     spin           [.] spin
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys a
screen code
|spin  /annotate-test/spin  [percent: local period]
|21 of 21 samples of 'anon group { cpu-clock:u, task-clock:u }', whatever was zoo
|  4.76   4.76  1e:   add    $0x1,%rcx
|                     cmp    %rcx,%rdi
|  4.76   4.76      ↓ je     4e
|                   if (i % 3 == 0)
|               27:   mov    %rcx,%rax
|                     mul    %r8
| 23.81  23.81        mov    %rdx,%rax
| 14.29  14.29        shr    %rax
|                     and    $0xfffffffffffffffe,%rdx
|  4.76   4.76        add    %rax,%rdx
| 42.86  42.86        cmp    %rdx,%rcx
|  4.76   4.76      ↑ jne    1b
|                   square():
|                   return i * i; /* inlined */
|                     mov    %rcx,%rax
|                     imul   %rcx,%rax
|                   spin():
|                   s += square(i);
|                     add    %rax,%rsi
|                   ↑ jmp    1e
|                   unsigned long s = 0;
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys <Tab> <ShiftTab> H
has spin
keys s
screen
|spin  /annotate-test/spin  [percent: local period]
|21 of 21 samples of 'anon group { cpu-clock:u, task-clock:u }', whatever was zoo
|                     movabs $0xaaaaaaaaaaaaaaab,%r8
|                   ↓ jmp    27
|               1b:   xor    %rcx,%rsi
|  4.76   4.76  1e:   add    $0x1,%rcx
|                     cmp    %rcx,%rdi
|  4.76   4.76      ↓ je     4e
|               27:   mov    %rcx,%rax
|                     mul    %r8
| 23.81  23.81        mov    %rdx,%rax
| 14.29  14.29        shr    %rax
|                     and    $0xfffffffffffffffe,%rdx
|  4.76   4.76        add    %rax,%rdx
| 42.86  42.86        cmp    %rdx,%rcx
|  4.76   4.76      ↑ jne    1b
|                     mov    %rcx,%rax
|                     imul   %rcx,%rax
|                     add    %rax,%rsi
|                   ↑ jmp    1e
|               4b:   mov    %rdi,%rsi
|               4e:   mov    %rsi,%rax
|                   ← ret
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys <Home> <Down>
screen
|spin  /annotate-test/spin  [percent: local period]
|21 of 21 samples of 'anon group { cpu-clock:u, task-clock:u }', whatever was zoo
|Percent              test   %rdi,%rdi
|                  ┌↓ je     4b
|                  │  mov    $0x0,%ecx
|                  │  mov    $0x0,%esi
|                  │  movabs $0xaaaaaaaaaaaaaaab,%r8
|                  │↓ jmp    27
|               1b:│  xor    %rcx,%rsi
|  4.76   4.76  1e:│  add    $0x1,%rcx
|                  │  cmp    %rcx,%rdi
|  4.76   4.76     │↓ je     4e
|               27:│  mov    %rcx,%rax
|                  │  mul    %r8
| 23.81  23.81     │  mov    %rdx,%rax
| 14.29  14.29     │  shr    %rax
|                  │  and    $0xfffffffffffffffe,%rdx
|  4.76   4.76     │  add    %rax,%rdx
| 42.86  42.86     │  cmp    %rdx,%rcx
|  4.76   4.76     │↑ jne    1b
|                  │  mov    %rcx,%rax
|                  │  imul   %rcx,%rax
|                  │  add    %rax,%rsi
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys <Enter>
screen
|spin  /annotate-test/spin  [percent: local period]
|21 of 21 samples of 'anon group { cpu-clock:u, task-clock:u }', whatever was zoo
|                     movabs $0xaaaaaaaaaaaaaaab,%r8
|                   ↓ jmp    27
|               1b:   xor    %rcx,%rsi
|  4.76   4.76  1e:   add    $0x1,%rcx
|                     cmp    %rcx,%rdi
|  4.76   4.76      ↓ je     4e
|               27:   mov    %rcx,%rax
|                     mul    %r8
| 23.81  23.81        mov    %rdx,%rax
| 14.29  14.29        shr    %rax
|                     and    $0xfffffffffffffffe,%rdx
|  4.76   4.76        add    %rax,%rdx
| 42.86  42.86        cmp    %rdx,%rcx
|  4.76   4.76      ↑ jne    1b
|                     mov    %rcx,%rax
|                     imul   %rcx,%rax
|                     add    %rax,%rsi
|                   ↑ jmp    1e
|               4b:   mov    %rdi,%rsi
|               4e:   mov    %rsi,%rax
|                   ← ret
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys o j J t p b
screen
|spin  /annotate-test/spin  [percent: global hits]
|21 of 21 samples of 'anon group { cpu-clock:u, task-clock:u }', whatever was zoo
|                 40100f:   movabs $0xaaaaaaaaaaaaaaab,%r8
|                 401019: ↓ jmp    401027 <spin+0x27>
|               1 40101b:   xor    %rcx,%rsi
|     1      1  1 40101e:   add    $0x1,%rcx
|                 401022:   cmp    %rcx,%rdi
|     1      1    401025: ↓ je     40104e <spin+0x4e>
|               1 401027:   mov    %rcx,%rax
|                 40102a:   mul    %r8
|     5      5    40102d:   mov    %rdx,%rax
|     3      3    401030:   shr    %rax
|                 401033:   and    $0xfffffffffffffffe,%rdx
|     1      1    401037:   add    %rax,%rdx
|     9      9    40103a:   cmp    %rdx,%rcx
|     1      1    40103d: ↑ jne    40101b <spin+0x1b>
|                 40103f:   mov    %rcx,%rax
|                 401042:   imul   %rcx,%rax
|                 401046:   add    %rax,%rsi
|                 401049: ↑ jmp    40101e <spin+0x1e>
|               1 40104b:   mov    %rdi,%rsi
|               1 40104e:   mov    %rsi,%rax
|                 401051: ← ret
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys O k s
screen
|spin  /annotate-test/spin  [percent: global hits]
|21 of 21 samples of 'anon group { cpu-clock:u, task-clock:u }', whatever was zoo
|                 401022:   cmp    %rcx,%rdi
|     1      1    401025: ↓ je     40104e <spin+0x4e>
|               14        if (i % 3 == 0)
|               1 401027:   mov    %rcx,%rax
|                 40102a:   mul    %r8
|     5      5    40102d:   mov    %rdx,%rax
|     3      3    401030:   shr    %rax
|                 401033:   and    $0xfffffffffffffffe,%rdx
|     1      1    401037:   add    %rax,%rdx
|     9      9    40103a:   cmp    %rdx,%rcx
|     1      1    40103d: ↑ jne    40101b <spin+0x1b>
|               23        square():
|               6         return i * i; /* inlined */
|                 40103f:   mov    %rcx,%rax
|                 401042:   imul   %rcx,%rax
|               9         spin():
|               15        s += square(i);
|                 401046:   add    %rax,%rsi
|                 401049: ↑ jmp    40101e <spin+0x1e>
|               11        unsigned long s = 0;
|               1 40104b:   mov    %rdi,%rsi
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys <Esc> q
exit 0

=== the same in ASCII, wide
size 200x50
$ perf report -f -i $DATA/annotate/spin.data --symfs $DATA/annotate --prefix $DATA/annotate
keys m <Enter>
screen
|spin  /annotate-test/spin  [percent: local period]
|21 of 21 samples of 'anon group { cpu-clock:u, task-clock:u }', whatever was zoomed into
|Percent
|
|
|                   Disassembly of section .text:
|
|                   0000000000401000 <spin>:
|                   spin():
|
|                   __attribute__((noinline)) unsigned long spin(unsigned long n)
|                   {
|                   unsigned long s = 0;
|
|                   for (unsigned long i = 0; i < n; i++) {
|                     test   %rdi,%rdi
|                   v je     4b
|                     mov    $0x0,%ecx
|                   unsigned long s = 0;
|                     mov    $0x0,%esi
|                   if (i % 3 == 0)
|                     movabs $0xaaaaaaaaaaaaaaab,%r8
|                   v jmp    27
|                   s += square(i);
|                   else
|                   s ^= i;
|               1b:   xor    %rcx,%rsi
|                   for (unsigned long i = 0; i < n; i++) {
|  4.76   4.76  1e:   add    $0x1,%rcx
|                     cmp    %rcx,%rdi
|  4.76   4.76      v je     4e
|                   if (i % 3 == 0)
|               27:   mov    %rcx,%rax
|                     mul    %r8
| 23.81  23.81        mov    %rdx,%rax
| 14.29  14.29        shr    %rax
|                     and    $0xfffffffffffffffe,%rdx
|  4.76   4.76        add    %rax,%rdx
| 42.86  42.86        cmp    %rdx,%rcx
|  4.76   4.76      ^ jne    1b
|                   square():
|                   return i * i; /* inlined */
|                     mov    %rcx,%rax
|                     imul   %rcx,%rax
|                   spin():
|                   s += square(i);
|                     add    %rax,%rsi
|                   ^ jmp    1e
|                   unsigned long s = 0;
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys h
has find a text
keys <Esc> /
type ret
keys <Enter> n
screen
|spin  /annotate-test/spin  [percent: local period]
|21 of 21 samples of 'anon group { cpu-clock:u, task-clock:u }', whatever was zoomed into
|                   Disassembly of section .text:
|
|                   0000000000401000 <spin>:
|                   spin():
|
|                   __attribute__((noinline)) unsigned long spin(unsigned long n)
|                   {
|                   unsigned long s = 0;
|
|                   for (unsigned long i = 0; i < n; i++) {
|                     test   %rdi,%rdi
|                   v je     4b
|                     mov    $0x0,%ecx
|                   unsigned long s = 0;
|                     mov    $0x0,%esi
|                   if (i % 3 == 0)
|                     movabs $0xaaaaaaaaaaaaaaab,%r8
|                   v jmp    27
|                   s += square(i);
|                   else
|                   s ^= i;
|               1b:   xor    %rcx,%rsi
|                   for (unsigned long i = 0; i < n; i++) {
|  4.76   4.76  1e:   add    $0x1,%rcx
|                     cmp    %rcx,%rdi
|  4.76   4.76      v je     4e
|                   if (i % 3 == 0)
|               27:   mov    %rcx,%rax
|                     mul    %r8
| 23.81  23.81        mov    %rdx,%rax
| 14.29  14.29        shr    %rax
|                     and    $0xfffffffffffffffe,%rdx
|  4.76   4.76        add    %rax,%rdx
| 42.86  42.86        cmp    %rdx,%rcx
|  4.76   4.76      ^ jne    1b
|                   square():
|                   return i * i; /* inlined */
|                     mov    %rcx,%rax
|                     imul   %rcx,%rax
|                   spin():
|                   s += square(i);
|                     add    %rax,%rsi
|                   ^ jmp    1e
|                   unsigned long s = 0;
|               4b:   mov    %rdi,%rsi
|                   }
|                   return s;
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys P
has written to spin.annotation
keys P
has cannot write 'spin.annotation': File exists
sh grep -q '^Samples: 42 .* of events' spin.annotation
keys <Esc> q
exit 0

=== what has no code is told
$ perf report -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
keys a
has the line is no function: its address has no symbol
keys q
exit 0

=== nor is it where rows have no symbols
$ perf report -i $DATA/perfdata/quipper-perf.data.callgraph-3.8 -s comm
keys a
has rows do not tell their symbol
keys q
exit 0
