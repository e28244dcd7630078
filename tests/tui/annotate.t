# perf annotate: the code of the hottest function, above a list of all that have samples.
=== the code of the hottest function first, and the list behind it
locale C.UTF-8
$ perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate --prefix $DATA/annotate
has spin  /annotate-test/spin  [percent: local period]
has 21 of 21 samples of 'anon group { cpu-clock:u, task-clock:u }'
has 42.86  42.86        cmp    %rdx,%rcx
keys >
has no cooler function's code is here
keys <
has no hotter function's code is here
keys <Esc>
screen
|Functions with samples of 'cpu-clock:u'  1-1/1
|Overhead     Samples  Shared Object         Symbol
| 100.00%          21  spin                  spin
|~
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys <Tab>
has there are no other events
keys h
screen
|Keys
|Functions
|
|  Enter a         the function's code, with its samples
|  /               show functions with a text in their names only
|  TAB             next event (with Shift: the one before)
|  ESC LEFT        end the search, leave perf
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
|h: help   Enter: menu   /: search   ESC: back   q: quit
keys <Esc> <Enter>
has spin  /annotate-test/spin
keys <Left> a
has spin  /annotate-test/spin
keys q
exit 0

=== the list in ASCII, 80x24
$ perf annotate -f -i $DATA/perfdata/made-jit-embedded.data
screen functions
|Functions with samples of 'cpu-clock:HG'  1-3/3
|Overhead     Samples  Shared Object         Symbol
|  33.33%           2  jit-77.dump           first
|  33.33%           2  jit-77.dump           second
|  33.33%           2  jit-77.dump           third
|~
|no code of 'first': its file is not here, nor in the build-id cache

=== a named function
$ perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate spin
has spin  /annotate-test/spin  [percent: local period]
keys <Left> <Left>
has q leaves perf
keys q
exit 0

=== a function that has no samples: nothing is shown, and it is told
$ perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate square
exit 0
has data has no samples!
has hint: none of them is in a function 'square': see 'perf report'

=== functions whose code is not here: the list, a search in it; 200x50
size 200x50
$ perf annotate -f -i $DATA/perfdata/made-jit-embedded.data
screen
|Functions with samples of 'cpu-clock:HG'  1-3/3
|Overhead     Samples  Shared Object         Symbol
|  33.33%           2  jit-77.dump           first
|  33.33%           2  jit-77.dump           second
|  33.33%           2  jit-77.dump           third
|~
|no code of 'first': its file is not here, nor in the build-id cache
keys <End> <Home> /
type t
keys <Enter> <Enter>
screen
|Functions with samples of 'cpu-clock:HG' > /t  1-2/2
|Overhead     Samples  Shared Object         Symbol
|  33.33%           2  jit-77.dump           first
|  33.33%           2  jit-77.dump           third
|~
|no code of 'first': its file is not here, nor in the build-id cache
keys <Esc> <Left>
has q leaves perf
keys <Esc>
exit 0

=== how functions look at first is asked for: a period, no source, addresses
$ perf annotate -f --show-total-period -i $DATA/annotate/spin.data --symfs $DATA/annotate
screen
|spin  /annotate-test/spin  [percent: local period]
|21 of 21 samples of 'anon group { cpu-clock:u, task-clock:u }'
|                         1b:   xor    %rcx,%rsi
|    2000000     2000000  1e:   add    $0x1,%rcx
|                               cmp    %rcx,%rdi
|    2000000     2000000      v je     4e
|                         27:   mov    %rcx,%rax
|                               mul    %r8
|   10000000    10000000        mov    %rdx,%rax
|    6000000     6000000        shr    %rax
|                               and    $0xfffffffffffffffe,%rdx
|    2000000     2000000        add    %rax,%rdx
|   18000000    18000000        cmp    %rdx,%rcx
|    2000000     2000000      ^ jne    1b
|                             square():
|                               mov    %rcx,%rax
|                               imul   %rcx,%rax
|                             spin():
|                               add    %rax,%rsi
|                             ^ jmp    1e
|                         4b:   mov    %rdi,%rsi
|                         4e:   mov    %rsi,%rax
|                             < ret
|h: help   Enter: menu   /: search   ESC: back   q: quit

=== no line from jumps by the configuration, until j is pressed
locale C.UTF-8
$ perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate --prefix $DATA/annotate
before perf config --user annotate.jump_arrows=false
has 42.86  42.86        cmp    %rdx,%rcx
keys s <Home> <Down>
has not ┌
keys j
has ┌↓ je     4b
keys j
has not ┌

=== text on a terminal: an option, the configuration
$ perf annotate --stdio -f -i $DATA/annotate/spin.data --symfs $DATA/annotate
exit 0
has 40103a: cmp    %rdx,%rcx

=== text by the configuration
locale C.UTF-8
$ perf annotate -f -i $DATA/annotate/spin.data --symfs $DATA/annotate
before perf config --user tui.annotate=false
exit 0
has ↓ je     4e

=== --tui against the configuration
$ perf annotate --tui -f -i $DATA/annotate/spin.data --symfs $DATA/annotate
before perf config --user tui.annotate=false
has q: quit
keys <CtrlC>
exit -2
