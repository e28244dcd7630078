# perf config, and what the settings do. HOME is a fresh folder, where ~/.perfconfig is.

=== all settings of a file, as perf writes them
sh: printf '# c\n[colors]\n\ttop = red, default # c\n normal=lightgray\n[Report]\nSort_Order = "a # b"\n[a "B c"]\nX=1  2\n' > f; PERF_CONFIG=f perf config -l; echo $?; PERF_CONFIG=f perf config
--- stdout
colors.top=red, default
colors.normal=lightgray
report.sort_order=a # b
a.B c.x=1 2
0
colors.top=red, default
colors.normal=lightgray
report.sort_order=a # b
a.B c.x=1 2

=== a wrong line ends the file
sh: printf '[a]\nx = 1\nflag\ny = 2\n' > f; PERF_CONFIG=f perf config --list; echo $?; PERF_CONFIG=f perf version | cut -c 1-5
--- stdout
a.x=1
0
perf 
--- stderr
bad config file line 3 in f
bad config file line 3 in f

=== one setting
sh: printf '[a]\nx = 1\n[a "b.c"]\ny = 2\n' > f; export PERF_CONFIG=f; perf config a.x A.X a.b.c.y a.none; echo $?
--- stdout
a.x=1
a.x=1
a.b.c.y=2
0

=== words that are no key
sh: for w in nokey .x x. a=b a.b= a.b-1 a.1b "a.b c" "a b.c"; do perf config "$w"; echo $?; done
--- stdout
255
255
255
255
255
0
255
255
255
--- stderr
The config variable does not contain a section name: nokey
The config variable does not contain a section name: .x
The config variable does not contain a variable name: x.
The config variable does not contain a section name: a=b
The config variable does not contain a value: a.b=
The config variable has a character that does not fit: a.1b
hint: names are letters, digits, '-' and '_', a name begins with a letter
The config variable has a character that does not fit: a.b c
hint: names are letters, digits, '-' and '_', a name begins with a letter
The config variable has a character that does not fit: a b.c
hint: names are letters, digits, '-' and '_', a name begins with a letter

=== a new file for the user
sh: unset PERF_CONFIG; perf config report.children=false call-graph.order=caller report.sort_order=dso,sym; cat ~/.perfconfig; perf config --user -l; perf config --system -l
--- stdout
# this file is auto-generated.
[report]
	children = false
	sort_order = dso,sym
[call-graph]
	order = caller
report.children=false
report.sort_order=dso,sym
call-graph.order=caller

=== a change keeps the rest of the file
sh: printf '# mine\n[a]\n  x = 1 # why\n\n  y = "q\\\\" ; z\n[b]\n  x = 2' > f; export PERF_CONFIG=f; perf config a.x=3 b.z=4 c.d.e=5 a.w='p # q' a.y='long  one'; cat f; perf config -l
--- stdout
# mine
[a]
  x = 3 # why

  y = "long  one" ; z
	w = "p # q"
[b]
  x = 2
	z = 4
[c "d"]
	e = 5
a.x=3
a.y=long  one
a.w=p # q
b.x=2
b.z=4
c.d.e=5

=== a setting of several lines is replaced as one
sh: printf '[a]\nx = 1 \\\n 2\ny = 3\n' > f; PERF_CONFIG=f perf config a.x=4; cat f
--- stdout
[a]
x = 4
y = 3

=== a file with a wrong line is not changed
sh: printf '[a\nx=1\n' > f; PERF_CONFIG=f perf config a.x=3; echo $?; cat f
--- stdout
255
[a
x=1
--- stderr
bad config file line 2 in f
error: 'f' is not changed: bad config file line 2 in f

=== the last of equal settings is shown and changed
sh: printf '[a]\nx=1\nx=2\n' > f; export PERF_CONFIG=f; perf config a.x=3; cat f; perf config a.x
--- stdout
[a]
x=1
x = 3
a.x=3

=== a link stays a link
sh: ln -s real f; printf '[a]\nx=1\n' > real; PERF_CONFIG=f perf config a.x=2; cat real; test -L f && echo link
--- stdout
[a]
x = 2
link

=== a folder that cannot be written
sh: PERF_CONFIG=/nonexistent/f perf config a.x=2; echo $?
--- stdout
255
--- stderr
error: cannot write config file '/nonexistent/f': No such file or directory

=== no home, no file
sh: unset HOME PERF_CONFIG; perf config a.x=2; echo $?; perf config a.x
--- stdout
255
--- stderr
error: no file to write to: HOME is not set
hint: use --system, or name a file in PERF_CONFIG

=== a file that is none
sh: PERF_CONFIG=. perf config -l; PERF_CONFIG=/dev/null perf config -l; PERF_CONFIG=none perf config -l; echo $?
--- stdout
0
--- stderr
cannot read config file '.': Is a directory

=== another user's file is not read, but shown when asked for
needs: root
sh: unset PERF_CONFIG; printf '[a]\nx = 1\n' > ~/.perfconfig; chown 65534 ~/.perfconfig; perf config -l 2>&1 | sed "s#$HOME#HOME#"; perf config --user -l; chown 0 ~/.perfconfig; perf config -l
--- stdout
File HOME/.perfconfig not owned by current user or root, ignoring it.
a.x=1
a.x=1

=== two files at once
argv: perf config --user --system -l
exit: 129
--- stderr
Error: only one config file at a time

 Usage: perf config [<file-option>] [options] [section.name[=value] ...]

        --user            use user config file
        --system          use system config file

=== a list takes no words
argv: perf config -l a.b
exit: 129
--- stderr
Error: takes no arguments

 Usage: perf config [<file-option>] [options] [section.name[=value] ...]

    -l, --list            show current config variables

=== wrong option
argv: perf config --foo
exit: 129
--- stderr
  Error: unknown option `foo'

 Usage: perf config [<file-option>] [options] [section.name[=value] ...]

    -l, --list            show current config variables
        --system          use system config file
        --user            use user config file


=== help
argv: perf config -h
exit: 129
--- stderr

 Usage: perf config [<file-option>] [options] [section.name[=value] ...]

    -l, --list            show current config variables
        --system          use system config file
        --user            use user config file


