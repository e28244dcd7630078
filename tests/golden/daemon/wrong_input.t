# perf daemon: what is refused before a daemon runs; tests/live/daemon.py has one run.
=== no configuration
sh: PERF_CONFIG=/nonexistent/config perf daemon start
exit: 255
--- stderr
failed: config not found
hint: sessions stand in ~/.perfconfig or in the file of --config; see 'perf help daemon'

=== a configuration that is not there
argv: perf daemon ping --config nothing
exit: 255
--- stderr
failed: config not found: cannot open 'nothing': No such file or directory

=== a configuration without a base
sh: printf '[session-a]\nrun = true\n' > c; for w in '' start stop signal ping; do perf daemon $w --config c; echo $?; done
--- stdout
255
255
255
255
255
--- stderr
failed: base not defined
failed: base not defined
failed: base not defined
failed: base not defined
failed: base not defined

=== a base that is not there, and one that is no folder
sh: touch file; perf daemon --base nowhere; echo $?; perf daemon start --base file --config /dev/null; echo $?; perf daemon stop --base file; echo $?
--- stdout
255
255
255
--- stderr
failed: base 'nowhere' does not exists
failed: base 'file' is not directory
failed: base 'file' is not directory

=== no daemon
sh: mkdir b; perf daemon --base b; echo $?; perf daemon stop --base b; echo $?; perf daemon ping --base b --session a; echo $?; ls b
--- stdout
255
255
255
--- stderr
failed: connect: No such file or directory
hint: no daemon runs there, or it is another user's; start it with 'perf daemon start'
failed: connect: No such file or directory
hint: no daemon runs there, or it is another user's; start it with 'perf daemon start'
failed: connect: No such file or directory
hint: no daemon runs there, or it is another user's; start it with 'perf daemon start'

=== a wrong line
sh: mkdir b; printf '[daemon]\nbase = b\n[session-a]\nrun = true\ngarbage[\n' > c; (perf daemon start -f --config c; perf daemon --config c) 2>&1 | sed "s|$PWD|.|"; ls b
--- stdout
failed: bad config file line 5 in ./c
bad config file line 5 in ./c
failed: connect: No such file or directory
hint: no daemon runs there, or it is another user's; start it with 'perf daemon start'

=== names that would lead elsewhere, or are too long
sh: mkdir b; for n in '[session-a "../../x"]' '[session-]' "[session-$(printf 'x%.0s' {1..64})]"; do printf '[daemon]\nbase = b\n%s\nrun = true\n' "$n" > c; perf daemon start -f --config c; echo $?; done; ls b
--- stdout
255
255
255
--- stderr
failed: 'session-a.../../x.run' is no name of a session: it takes 1 to 63 letters, digits, '-', '_' and '.'
failed: 'session-.run' is no name of a session: it takes 1 to 63 letters, digits, '-', '_' and '.'
failed: 'session-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.run' is no name of a session: it takes 1 to 63 letters, digits, '-', '_' and '.'

=== too many sessions
sh: mkdir b; (printf '[daemon]\nbase = b\n'; for i in {1..257}; do printf '[session-%d]\nrun = true\n' $i; done) > c; perf daemon start -f --config c
exit: 255
--- stderr
failed: more than 256 sessions

=== files in the base that are not the daemon's: a link, a further name, a folder
sh: mkdir b; printf '[daemon]\nbase = b\n' > c; echo precious > other; ln -s ../other b/lock; perf daemon start -f --config c 2>&1 | sed "s|$PWD|.|"; rm b/lock; ln other b/lock; perf daemon start --config c 2>&1 | sed "s|$PWD|.|"; rm b/lock; mkdir b/lock; perf daemon start --config c 2>&1 | sed "s|$PWD|.|"; cat other
--- stdout
failed: cannot open './b/lock': Too many levels of symbolic links
failed: './b/lock' is no file of ours
failed: cannot open './b/lock': Is a directory
precious

=== a word that is none
argv: perf daemon restart
exit: 255
--- stderr
failed: unknown command 'restart'
hint: did you mean 'start'? known are start, signal, stop, ping

=== words that are too many
argv: perf daemon ping a
exit: 129
--- stderr

 Usage: perf daemon start [<options>]
    or: perf daemon [<options>]

        --session <session>
                          Ping to specific session


=== an option of another word
argv: perf daemon stop --session a
exit: 129
--- stderr
  Error: unknown option `session'

 Usage: perf daemon start [<options>]
    or: perf daemon [<options>]



=== a separator of two characters
argv: perf daemon -xab
exit: 129
--- stderr
the separator is one character, not 'ab'

 Usage: perf daemon start [<options>]
    or: perf daemon [<options>]

    -x, --field-separator[=<field separator>]
                          print counts with custom separator

=== help of each word
sh: for w in '' start stop signal ping; do perf daemon $w -h; echo $?; done
--- stdout
129
129
129
129
129
--- stderr

 Usage: perf daemon start [<options>]
    or: perf daemon [<options>]

    -v, --verbose         be more verbose
    -x, --field-separator[=<field separator>]
                          print counts with custom separator
        --base <directory>
                          base directory
        --config <config file>
                          config file path


 Usage: perf daemon start [<options>]
    or: perf daemon [<options>]

    -f, --foreground      stay on console


 Usage: perf daemon start [<options>]
    or: perf daemon [<options>]



 Usage: perf daemon start [<options>]
    or: perf daemon [<options>]

        --session <session>
                          Sent signal to specific session


 Usage: perf daemon start [<options>]
    or: perf daemon [<options>]

        --session <session>
                          Ping to specific session


