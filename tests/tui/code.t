# The code of functions of a small program that is here with its source.
=== code of a function: source, the hottest line, a jump with its target
locale C.UTF-8
$ perf report -f -i $DATA/annotate/spin.data --symfs $DATA/annotate --prefix $DATA/annotate
screen
|Samples: 42 of events 'anon group { cpu-clock:u, task-clock:u }', Event co 1-1/1
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
|h: help   Enter: menu   /: search   ESC q: back
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
|h: help   Enter: menu   /: search   ESC q: back
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
|h: help   Enter: menu   /: search   ESC q: back
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
|h: help   Enter: menu   /: search   ESC q: back
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
|h: help   Enter: menu   /: search   ESC q: back
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
|h: help   Enter: menu   /: search   ESC q: back
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
|h: help   Enter: menu   /: search   ESC q: back
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
|h: help   Enter: menu   /: search   ESC q: back
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

=== places, addresses in memory, searches back, scripts
locale C.UTF-8
before cp -r $DATA/annotate/spin.data $DATA/annotate/annotate-test .
$ perf report -f -i spin.data --symfs . --prefix $DATA/annotate
keys a <Home> l
has place in a source file is
keys / j m p <Enter> l
has spin.c:
keys n
lines 3-5
|                   for (unsigned long i = 0; i < n; i++) {
|  4.76   4.76  1e:┌→ add    $0x1,%rcx
|                  │  cmp    %rcx,%rdi
keys ? r e t <Enter>
has ret
keys n
has ret
keys ? x y z <Enter>
has no line has 'xyz'
keys n
has no line has 'xyz'
keys <Home> f
lines 8-12
|                       0000000000401000 <spin>:
|                       spin():
|
|                       __attribute__((noinline)) unsigned long spin(unsigned lon
|                       {
keys f
lines 8-12
|                       0000000000401000 <spin>:
|                       spin():
|
|                       __attribute__((noinline)) unsigned long spin(unsigned lon
|                       {
keys B
has no counters of branches were recorded
keys c
has no cycles were recorded with branches
keys r
screen
|spin  /annotate-test/spin  [percent: local period]
|21 of 21 samples of 'anon group { cpu-clock:u, task-clock:u }', whatever was zoo
|Percent
|
|
|                       Disassembly of section .text:
|
|           Scripts
|            Individual samples
|            Individual samples with the bytes of their instructions
|            Individual samples with their source lines               nsigned lon
|            perf script with arguments of your own
|            failed-syscalls-by-pid
|            stackcollapse
|            syscall-counts
|               401000:   test   %rdi,%rdi
|               401003: ↓ je     40104b <spin+0x4b>
|               401005:   mov    $0x0,%ecx
|                       unsigned long s = 0;
|               40100a:   mov    $0x0,%esi
|                       if (i % 3 == 0)
|               40100f:   movabs $0xaaaaaaaaaaaaaaab,%r8
|               401019: ↓ jmp    401027 <spin+0x27>
|h: help   Enter: menu   /: search   ESC q: back
keys <End> <Up> <Up> <Up> <Up> <Up> <Up> <Enter>
until spin
lines 1-4
|perf script -f -i spin.data --symfs .
|            spin 31232 27553.368930:    2000000  cpu-clock:u:            40103a
|            spin 31232 27553.368932:    2000000 task-clock:u:            40103a
|            spin 31232 27553.406386:    2000000 task-clock:u:            40103d
keys q q a r <Esc> <Esc> r <Down> <Down> <Down> <Enter>
type -F nonsense
keys <Enter>
until (exit status 129)
keys q q q
exit 0

=== the least and the most cycles of a branch; nothing of types
needs perf annotate --stdio2 -q -f -i $DATA/branches/stack.data --symfs $DATA/branches loop | grep IPC
size 100x50
$ perf annotate -f -i $DATA/branches/stack.data --symfs $DATA/branches loop
keys s c
screen
|loop  /walk  [percent: local period]
|5 of 5 samples of 'cycles'
|Percent  IPC     Cycle(min/max)        push %rbp
|                                       mov  %rsp,%rbp
|                                       push %r14
|                                       push %r13
|                                       push %r12
|                                       push %rbx
|                                       mov  %edi,%r14d
|                                       mov  $0x0,%r13d
|                                       mov  $0x0,%ebx
|                                       mov  %edi,%r12d
|                                       and  $0x7,%r12d
| 20.03                                 test %edi,%edi
| 20.01 13.00             1(1/1)      v jne  3a
|                                       mov  %edi,%ebx
|                                 26:   mov  %ebx,%eax
|                                       pop  %rbx
| 19.99                                 pop  %r12
|                                       pop  %r13
|                                       pop  %r14
|                                       pop  %rbp
|                                     < ret
|                                 31:   add  $0x1,%r13d
|                                       cmp  %r13d,%r14d
|                                     ^ je   26
|                                 3a:   mov  $0x0,%eax
|                                       test %r12d,%r12d
|        0.03         134(1/400)      v je   54
| 19.99                           44:   mov  total,%edx
|                                       add  %edx,%ebx
|                                       add  $0x1,%eax
| 19.99                                 cmp  %r12d,%eax
|       11.00             1(1/1)      ^ jne  44
|                                 54:   test $0x4,%bl
|        2.00             1(1/1)      ^ je   31
|                                       mov  %r13d,%edi
|        0.02         200(1/400)      > call leaf
|                                       add  %eax,%ebx
|        2.00             1(1/1)      ^ jmp  31
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys h
screen code-help
|Keys
|Code
|
|  Enter           follow a jump or a call
|  H               go to the hottest line
|  TAB             the next hottest line (with Shift: the one before)
|  > <             the next cooler function, the next hotter one
|  / ?             find a text, forwards or backwards
|  n               find it again
|  s               source lines, or code alone
|  t               percentages, samples, periods
|  p               percentages of the function, or of all
|  b               percentages of periods, or of samples
|  o               addresses of all lines, or offsets of targets of jumps
|  O               offsets at more lines, or at less
|  j               line from a jump to its target
|  J               how many jumps lead to a line
|  k               numbers of source lines
|  l               file and line of the chosen line's source
|  f               addresses in the memory of a process that ran it
|  c               the least and the most cycles beside their mean
|  B               counters of branches
|  T               types of what instructions access
|  r               samples and scripts, by perf script
|  P               write the lines to SYMBOL.annotation
|
|In all views
|
|  h ? F1          this page (in code ? finds a text)
|  ESC LEFT        back to where you came from
|  q               close what was opened last; leave perf
|  UP DOWN PGUP PGDN HOME END SPACE, mouse: move; a double click is Enter
|  RIGHT           columns and text that have no room; LEFT goes back
|  ^Z              stop, as any program; ^C quits
|~
|h: help   Enter: menu   /: search   ESC q: back
keys q c T
has types of what instructions access
lines 1-4
|loop  /walk  [percent: local period]
|5 of 5 samples of 'cycles'
|Percent  IPC Cycle        push %rbp
|                          mov  %rsp,%rbp
keys q
exit 0

=== types of what instructions access, from the beginning on with --code-with-type
$ perf annotate -f -i $DATA/annotate/types/list.data --symfs $DATA/annotate --code-with-type
lines 1-24
|look_up  /types/list  [percent: local period]
|33 of 48 samples of 'cpu-clock:HG'
|Percent
|
|
|            Disassembly of section .text:
|
|            0000000000401000 <look_up>:
|            look_up():
|            ././list.c:22
|  3.03        xor    %edx,%edx
|            ././list.c:24
|  6.06        test   %rdi,%rdi
|  9.09     +v je     2b
|           |././list.c:26
|  3.03     |  mov    %rsi,%rcx
|  6.06     |  and    $0x7,%ecx
|  9.09     |  nop
|           |././list.c:25
|  3.03  10:|  cmp    %rsi,0x8(%rdi)  # data-type: struct node +0x8 (key)
|  6.06     |v jne    23
|           |././list.c:26
|  9.09     |  movsbl 0x18(%rdi,%rcx,1),%eax  # data-type: struct node +0x18 (nam
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys T
lines 1-24
|look_up  /types/list  [percent: local period]
|33 of 48 samples of 'cpu-clock:HG'
|Percent
|
|
|            Disassembly of section .text:
|
|            0000000000401000 <look_up>:
|            look_up():
|            ././list.c:22
|  3.03        xor    %edx,%edx
|            ././list.c:24
|  6.06        test   %rdi,%rdi
|  9.09     +v je     2b
|           |././list.c:26
|  3.03     |  mov    %rsi,%rcx
|  6.06     |  and    $0x7,%ecx
|  9.09     |  nop
|           |././list.c:25
|  3.03  10:|  cmp    %rsi,0x8(%rdi)
|  6.06     |v jne    23
|           |././list.c:26
|  9.09     |  movsbl 0x18(%rdi,%rcx,1),%eax
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys T
lines 1-24
|look_up  /types/list  [percent: local period]
|33 of 48 samples of 'cpu-clock:HG'
|Percent
|
|
|            Disassembly of section .text:
|
|            0000000000401000 <look_up>:
|            look_up():
|            ././list.c:22
|  3.03        xor    %edx,%edx
|            ././list.c:24
|  6.06        test   %rdi,%rdi
|  9.09     +v je     2b
|           |././list.c:26
|  3.03     |  mov    %rsi,%rcx
|  6.06     |  and    $0x7,%ecx
|  9.09     |  nop
|           |././list.c:25
|  3.03  10:|  cmp    %rsi,0x8(%rdi)  # data-type: struct node +0x8 (key)
|  6.06     |v jne    23
|           |././list.c:26
|  9.09     |  movsbl 0x18(%rdi,%rcx,1),%eax  # data-type: struct node +0x18 (nam
|types of what instructions access, where they are known
keys q
exit 0
