# perf top on a terminal. No two screens are alike: these are asked for words.
=== rows of a program, what is unfolded stays so, help
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
size 110x24
$ perf top -g -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until ] heavy
has Samples:
has 500 Hz, lost: 0/
has (target_pid: $BESIDE)
type /work
keys <Enter>
has not ] heavy
keys E
until -
keys <Down>
pause 1.3
has heavy
has light
has > /work
keys <Esc>
until ] heavy
has light
resize 110x50
keys C h
has Top
has begin anew at each refresh
has pause, and go on
screen top-help
|Keys
|Top
|
|  Enter           menu of a row; unfold a call graph's line
|  m               menu
|  +               unfold or fold one level of the call graph
|  e               unfold with all below
|  - c             fold with all below
|  E               unfold all rows
|  C               fold all rows
|  a               code of the line's function, with its samples
|  f               flame graph of what is zoomed into
|  w               who calls the line's function, and what it calls
|  H               go to the row with the most samples of its own
|  t               zoom into the row's thread (command)
|  d               zoom into the row's object
|  k               zoom into the kernel
|  S               zoom into the row's processor socket (with -s socket)
|  u               undo the last zoom
|  ESC LEFT        end the search, undo the last zoom, go back
|  /               show rows with a text in their names only
|  L               show rows above a percentage only
|  F               percentages of all samples, or of those that are shown
|  o               sort by other keys
|  TAB             next event (with Shift: the one before)
|  v               choose an event
|  P               write the rows as they are to perf.hist.N
|  i               header of the recording
|  V               paths and addresses, or names alone
|  p               pause, and go on; it is counted meanwhile, too
|  < >             what was shown before, back to a minute ago, and after that
|  z               begin anew at each refresh, or not
|  D               seconds between refreshes
|  N               show rows with so many samples only
|  K               leave out samples in the kernel, or take them
|  U               leave out samples in user space, or take them
|  s               code of a function by its name
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
keys <Esc> q
exit 0

=== a flame graph and a sandwich that go on
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
size 110x24
$ perf top -g -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until ] heavy
keys f
until busyprog
has heavy
keys / b u s y p r o g <Enter> <Down> <Enter>
pause 1.3
has > busyprog
has heavy
keys <Esc> <Esc>
until ] heavy
keys / h e a v y <Enter> w
until Callers: who calls it
has work
pause 1.3
has symbol: [.] heavy
has work
keys <Esc> <Esc>

=== the code of a function while it runs, and of another by its name
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
$ perf top -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until ] heavy
keys H a
until heavy  $TMP/busyprog
until sum += i
until 9
has of 'cpu-clock
keys <Esc> s l i g h t <Enter>
until light  $TMP/busyprog
keys <Esc> s n o n e <Enter>
until 'none' has not been sampled

=== pause, what was before, and on again
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
$ perf top -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until ] heavy
pause 2.5
keys p
has > paused,
keys <Lt>
has > paused,
keys <Gt>
has > paused,
keys <Gt>
has this is the latest
keys p
has not > paused

=== samples that are left out, rows by other keys, and what cannot be
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
$ perf top -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until ] heavy
keys K
has the kernel are left out
keys K
has the kernel are taken
keys U
has user space are left out
keys z
has begins anew
until No samples
keys U z
has less and less
until ] heavy
keys D x <Enter>
has 'x' is not a number
keys D 1 <Enter> N 9 9 9 9 9 9 <Enter>
has not ] heavy
keys N 1 <Enter>
has ] heavy
keys o <CtrlU>
type comm,nonsense
keys <Enter>
has nonsense
until ] heavy
keys o <CtrlU>
type comm
keys <Enter>
until busyprog
has not heavy
keys i
has captured on
keys <Esc>

=== what was watched ends
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
$ perf top -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until ] heavy
stop beside
until has ended: q quits
has ] heavy
keys a
until heavy  $TMP/busyprog
keys <Esc> q
exit 0

=== signals end it, the terminal is as it was
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
$ perf top -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until ] heavy
resize 50x10
has ] heavy
resize 15x4
has too small
resize 80x24
has ] heavy
signal TERM
exit 0

=== a function that is named at first
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
$ perf top --sym-annotate light -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until light  $TMP/busyprog
keys <Esc>
until ] heavy
signal HUP
exit 0

=== text is printed on request
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
$ perf top --stdio -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until PerfTop:
has not Samples:
keys q
exit 0

=== top --hierarchy unfolds its levels
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
size 110x24
$ perf top --hierarchy -s comm,dso,sym -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until busyprog
has not ] heavy
keys E
until ] heavy
pause 2.5
has ] heavy
has -  100.00%  busyprog
keys C
pause 1.5
has not ] heavy
has +  100.00%  busyprog
keys q
exit 0

=== SIGSEGV: the terminal is as it was
env ASAN_OPTIONS=handle_segv=0:handle_abort=0
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
$ perf top -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until ] heavy
signal SEGV
exit -11

=== SIGABRT: the terminal is as it was
env ASAN_OPTIONS=handle_segv=0:handle_abort=0
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
$ perf top -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until ] heavy
signal ABRT
exit -6

=== ^Z stops it, and it goes on
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
$ bash -mc 'perf top -e cpu-clock:u -F 500 -d 1 -p $BESIDE; echo stopped; read x; fg'
until ] heavy
keys <CtrlZ>
has stopped
keys <Enter>
until ] heavy
keys q
exit 0

=== keys of a report do in top what they do there
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside ./busyprog
size 100x30
$ perf top -g -s comm,dso,sym -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until ] heavy
keys t
has > comm: busyprog
keys H d
has > dso: busyprog
keys <Left>
has not > dso: busyprog
keys u
has not > comm: busyprog
keys k
has > kernel
keys u
keys + e
has -
keys - c
has heavy
keys m
has What next?
keys <Esc> <Enter>
has What next?
keys <Esc> L 5 0 0 <Enter>
has > 500% or more
has not heavy
keys L 0 <Enter>
has heavy
keys F
has percentages are of what is shown
keys F
has percentages are of all samples
keys S
has rows do not tell their socket
keys <Tab>
has there are no other events
keys v
has Available samples
keys <Esc> P
has written to perf.hist.0
sh grep -q heavy perf.hist.0
keys V
until ] heavy
keys q
exit 0

=== what is watched runs another program, and has a thousand children
needs perf record -q -e cpu-clock:u -o x.data true
before cc -O0 -g $TESTS/busy.c -o busyprog
beside sh -c 'sleep 1; i=0; while [ $i -lt 1000 ]; do true & i=$((i+1)); done; wait; exec ./busyprog'
$ perf top -e cpu-clock:u -F 500 -d 1 -p $BESIDE
until ] heavy
keys + <Down> H d
has > dso: busyprog
keys q
exit 0
