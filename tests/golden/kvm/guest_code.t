# Virtual machines that run code of their own process, at three levels.
=== names at each level, and of the whole
sh: cp $DATA/annotate/types/list .; $DATA/../tools/make_guest_file.py . --code list; perf script --guest-code -F comm,tid,ip,sym,symoff,dso | sort | uniq -c; perf kvm --host --guest --guest-code -i perf.data report -s comm,dso,sym,symoff --stdio 2>&1 | grep %; perf kvm --guest-code -i perf.data report -s comm,sym --stdio --comms '[guest/7]' 2>&1 | grep %
--- stdout
      2             test     7            401004 look_up+0x4 (list)
      2             test     7            401029 look_up+0x29 (list)
      4        [guest/7]     7            401004 look_up+0x4 (list)
      4        [guest/7]     7            401029 look_up+0x29 (list)
    33.33%  [guest/7]  list           [g] look_up  [g] look_up+0x29
    33.33%  [guest/7]  list           [g] look_up  [g] look_up+0x4
    16.67%  test       list           [.] look_up  [.] look_up+0x29
    16.67%  test       list           [.] look_up  [.] look_up+0x4
    66.67%  [g] look_up
--- stderr
warning: names of 'list' are assumed to be those that this machine has: no build id was recorded, nor the machine

=== without the option nothing is known, with another one it is one too many
sh: $DATA/../tools/make_guest_file.py . --code $DATA/annotate/types/list; perf script -F comm,ip,sym | sort | uniq -c; perf script --guest-code --guestkallsyms kallsyms; perf kvm --guest-code --guestmount guests -i perf.data report
exit: 255
--- stdout
      4             test            401004 [unknown]
      2             test            401004 look_up
      4             test            401029 [unknown]
      2             test            401029 look_up
--- stderr
warning: names of '$DATA/annotate/types/list' are assumed to be those that this machine has: no build id was recorded, nor the machine
error: 'kallsyms' says what a guest's code is, and --guest-code that it is its process's: name one of them
error: 'guests' says what a guest's code is, and --guest-code that it is its process's: name one of them

=== compared, and as JSON
sh: cp $DATA/annotate/types/list .; $DATA/../tools/make_guest_file.py . --code list; perf diff --guest-code -s comm,sym perf.data perf.data | grep '\['; perf report --guest-code --json -s comm,sym | grep -o '"comm": .*}'
--- stdout
    66.67%     +0.00%  [guest/7]  [g] look_up
    33.33%     +0.00%  test       [.] look_up
"comm": "[guest/7]", "symbol_level": "g", "symbol": "look_up"}}
"comm": "test", "symbol_level": ".", "symbol": "look_up"}}
--- stderr
warning: names of 'list' are assumed to be those that this machine has: no build id was recorded, nor the machine

