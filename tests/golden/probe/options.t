# perf probe: options and what is wrong with them. Nothing here needs the kernel to take part.
=== help
argv: perf probe -h
exit: 129
--- stderr

 Usage: perf probe [<options>] 'PROBEDEF' ['PROBEDEF' ...]
    or: perf probe [<options>] --add 'PROBEDEF' [--add 'PROBEDEF' ...]
    or: perf probe [<options>] --del '[GROUP:]EVENT' ...
    or: perf probe --list [GROUP:]EVENT ...
    or: perf probe [<options>] --line 'LINEDESC'
    or: perf probe [<options>] --vars 'PROBEPOINT'
    or: perf probe [<options>] --funcs

    -a, --add <[EVENT=]FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT [[NAME=]ARG ...]>
                          probe point definition, where
		GROUP:	Group name (optional)
		EVENT:	Event name
		FUNC:	Function name
		OFF:	Offset from function entry (in byte)
		%return:	Put the probe at function return
		SRC:	Source code path
		RL:	Relative line number from function entry.
		AL:	Absolute line number in file.
		PT:	Lazy expression of line code.
		ARG:	Probe argument (local variable name or
			kprobe-tracer argument format.)

    -D, --definition <[EVENT=]FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT [[NAME=]ARG ...]>
                          Show trace event definition of given traceevent for k/uprobe_events.
    -d, --del <[GROUP:]EVENT>
                          delete a probe event.
    -f, --force           forcibly add events with existing name
    -F, --funcs <[FILTER]>
                          Show potential probe-able functions.
    -k, --vmlinux <file>  vmlinux pathname
    -L, --line <FUNC[:RLN[+NUM|-RLN2]]|SRC:ALN[+NUM|-ALN2]>
                          Show source code lines.
    -l, --list <[GROUP:]EVENT>
                          list up probe events
    -m, --module <modname|path>
                          target module name (for online) or path (for offline)
    -n, --dry-run         dry run
    -q, --quiet           be quiet (do not show any warnings or messages)
    -s, --source <directory>
                          path to kernel source
    -V, --vars <FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT>
                          Show accessible variables on PROBEDEF
    -v, --verbose         be more verbose (show parsed arguments, etc)
    -x, --exec <executable|path>
                          target executable name or path
        --bootconfig      Output probe definition with bootconfig format
        --cache           Manipulate probe cache
        --demangle        Enable symbol demangling
        --demangle-kernel
                          Enable kernel symbol demangling
        --externs         Show external variables too (with --vars only)
        --filter <[!]FILTER>
                          Set a filter (with --vars/funcs only)
			(default: "!__k???tab_* & !__crc_*" for --vars,
			 "!_* & !*@plt" for --funcs)
        --max-probes <n>  Set how many probe points can be found for a probe.
        --no-inlines      Don't search inlined functions
        --range           Show variables location range in scope (with --vars only)
        --symfs <directory>
                          Look for files with symbols relative to this directory
        --target-ns <pid>
                          target pid for namespace contexts


=== nothing to do
sh: perf probe 2>&1 >/dev/null | sed -n 2,3p
--- stdout
 Usage: perf probe [<options>] 'PROBEDEF' ['PROBEDEF' ...]
    or: perf probe [<options>] --add 'PROBEDEF' [--add 'PROBEDEF' ...]

=== actions exclude each other
argv: perf probe -a x -d y
exit: 129
--- stderr
 Error: switch `d' cannot be used with switch `a'
 Usage: perf probe [<options>] 'PROBEDEF' ['PROBEDEF' ...]
    or: perf probe [<options>] --add 'PROBEDEF' [--add 'PROBEDEF' ...]
    or: perf probe [<options>] --del '[GROUP:]EVENT' ...
    or: perf probe --list [GROUP:]EVENT ...
    or: perf probe [<options>] --line 'LINEDESC'
    or: perf probe [<options>] --vars 'PROBEPOINT'
    or: perf probe [<options>] --funcs

    -d, --del <[GROUP:]EVENT>
                          delete a probe event.
    -a, --add <[EVENT=]FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT [[NAME=]ARG ...]>
                          probe point definition, where
		GROUP:	Group name (optional)
		EVENT:	Event name
		FUNC:	Function name
		OFF:	Offset from function entry (in byte)
		%return:	Put the probe at function return
		SRC:	Source code path
		RL:	Relative line number from function entry.
		AL:	Absolute line number in file.
		PT:	Lazy expression of line code.
		ARG:	Probe argument (local variable name or
			kprobe-tracer argument format.)


=== the same the other way round
sh: perf probe -F -l 2>&1 >/dev/null | sed 1q
--- stdout
 Error: switch `l' cannot be used with switch `F'

=== quiet and verbose
argv: perf probe -q -v -l
exit: 234
--- stderr
  Error: -v and -q are exclusive.

=== a list of one object
sh: perf probe -l -x /bin/sh 2>&1 >/dev/null; echo $?
--- stdout
  Error: Don't use --list with --exec.

 Usage: perf probe [<options>] 'PROBEDEF' ['PROBEDEF' ...]
    or: perf probe [<options>] --add 'PROBEDEF' [--add 'PROBEDEF' ...]
    or: perf probe [<options>] --del '[GROUP:]EVENT' ...
    or: perf probe --list [GROUP:]EVENT ...
    or: perf probe [<options>] --line 'LINEDESC'
    or: perf probe [<options>] --vars 'PROBEPOINT'
    or: perf probe [<options>] --funcs

    -l, --list <[GROUP:]EVENT>
                          list up probe events
    -x, --exec <executable|path>
                          target executable name or path
234

=== an object behind the definition
sh: perf probe -D x -x $DATA/elf/tiny64.so 2>&1 >/dev/null | sed 1q
--- stdout
  Error: -x/-m must follow the probe definitions.

=== words beside another action
sh: perf probe -D x -x /bin/sh y 2>&1 >/dev/null | sed 1q
--- stdout
  Error: another command except --add is set.

=== no such object
sh: perf probe -x nowhere -D x 2>&1 >/dev/null | sed 1q
--- stdout
Failed to get the absolute path of nowhere: No such file or directory

=== no such kernel
argv: perf probe -k nowhere -D x
exit: 234
--- stderr
Invalid file: nowhere

=== no such module
argv: perf probe -m no_module_of_ours -F
exit: 234
--- stderr
Failed to get a map for no_module_of_ours
  Error: Failed to show functions.

=== variables take no arguments
sh: perf probe -V 'main x' 2>&1 >/dev/null | sed 1q
--- stdout
  Error: '--vars' doesn't accept arguments.

=== boot configuration is the kernel's
argv: perf probe --bootconfig -x $DATA/elf/tiny64.so -D wk
exit: 234
--- stderr
  Error: --bootconfig doesn't support uprobes.

=== a filter that is none
sh: for f in '' '(' '!' 'a b' 'a|' 'a)'; do perf probe -F "$f" 2>&1 >/dev/null | sed 3q; done
--- stdout
Filter parse error at 1.
Source: ""
         ^
Filter parse error at 2.
Source: "("
          ^
Filter parse error at 2.
Source: "!"
          ^
Filter parse error at 3.
Source: "a b"
           ^
Filter parse error at 3.
Source: "a|"
           ^
Filter parse error at 2.
Source: "a)"
          ^

=== a line range that is none
sh: for l in main:x main:3- main:5-3 main:1x main+1; do perf probe -L $l 2>&1 >/dev/null | sed 1q; done
--- stdout
Semantic error :'start line' is not a valid number.
Semantic error :'end line' is not a valid number.
Semantic error :Start line must be smaller than end line.
Semantic error :Tailing with invalid str 'x'.
Semantic error :'main+1' is not a valid function name.

=== a definition that is none, by option and by words
sh: perf probe -D main+x 2>&1 >/dev/null | sed 3q; perf probe main+x 2>&1; echo $?
--- stdout
Semantic error :There is non-digit character in offset.

 Usage: perf probe [<options>] 'PROBEDEF' ['PROBEDEF' ...]
Semantic error :There is non-digit character in offset.
  Error: Command Parse Error.
234

