# perf probe: where points of objects without debug information are, and what the kernel would be told.
=== functions
argv: perf probe -x $DATA/elf/tiny64.so -F
needs: feature:demangle
--- stdout
al
bar
data_obj
foo
ifn
impl
res
wk

=== functions, of a filter
argv: perf probe -x $DATA/elf/tinymini.so -F '*@plt | wk | !(*a* | *i* | *t* | _* | *o* )'
needs: feature:lzma
--- stdout
ext2@plt
ext@plt
ifn@plt
res
wk
wk@plt

=== functions of a kernel's file
argv: perf probe -k $DATA/elf/tinyvmlinux -F *
--- stdout
_text
jiffies
schedule

=== no symbols
argv: perf probe -x $DATA/elf/README.md -F
exit: 254
--- stderr
Failed to load symbols in $DATA/elf/README.md
  Error: Failed to show functions.

=== a function, by each of its names
sh: for f in wk al foo _Z3fooi 'w?'; do perf probe -x $DATA/elf/tiny64.so -D $f; done
needs: feature:demangle
--- stdout
p:probe_tiny64/wk $DATA/elf/tiny64.so:0x3bc
p:probe_tiny64/al $DATA/elf/tiny64.so:0x3bc
p:probe_tiny64/foo $DATA/elf/tiny64.so:0x3bf
p:probe_tiny64/_Z3fooi $DATA/elf/tiny64.so:0x3bf
p:probe_tiny64/wk $DATA/elf/tiny64.so:0x3bc

=== of a file whose symbols are elsewhere
sh: for o in tinylink.so tinymini.so tiny32.so; do perf probe -x $DATA/elf/$o -D impl; done
needs: feature:lzma
--- stdout
p:probe_tinylink/impl $DATA/elf/tinylink.so:0x3b0
p:probe_tinymini/impl $DATA/elf/tinymini.so:0x3b0
p:probe_tiny32/impl $DATA/elf/tiny32.so:0x290

=== returns, names, groups
sh: for f in 'wk%return' 'e=wk' 'g:e=wk' 'e=wk%return' 'wk+1'; do perf probe -x $DATA/elf/tiny64.so -D $f; done
--- stdout
r:probe_tiny64/wk__return $DATA/elf/tiny64.so:0x3bc
p:probe_tiny64/e $DATA/elf/tiny64.so:0x3bc
p:g/e $DATA/elf/tiny64.so:0x3bc
r:probe_tiny64/e__return $DATA/elf/tiny64.so:0x3bc
p:probe_tiny64/wk $DATA/elf/tiny64.so:0x3bd

=== arguments as they are
argv: perf probe -x $DATA/elf/tiny64.so -D 'wk %di x=%si:x32 $stack0 +8(%sp):u64 s=+0(+8(%di)):string $comm b=%cx:b3@4/32 a=+0(%di):u8[4]'
--- stdout
p:probe_tiny64/wk $DATA/elf/tiny64.so:0x3bc %di x=%si:x32 $stack0 +8(%sp):u64 s=+0(+8(%di)):string $comm b=%cx:b3@4/32 a=+0(%di):u8[4]

=== the address that the user names
argv: perf probe -x $DATA/elf/tiny64.so -D 0x3bf -D e=0x3b0%return
--- stdout
p:probe_tiny64/abs_3bf $DATA/elf/tiny64.so:0x3bf
r:probe_tiny64/e__return $DATA/elf/tiny64.so:0x3b0

=== a function that chooses another
argv: perf probe -x $DATA/elf/tiny64.so -D ifn
--- stdout
p:probe_tiny64/ifn $DATA/elf/tiny64.so:0x3b4
--- stderr
Warning: The probe function (ifn) is a GNU indirect function.
Consider identifying the final function used at run time and set the probe directly on that.

=== an entry of a linkage table
argv: perf probe -x $DATA/elf/tiny64.so -D ext2
--- stdout
p:probe_tiny64/ext2 $DATA/elf/tiny64.so:0x390

=== many
argv: perf probe -x $DATA/elf/tiny64.so -D [iw]*
--- stdout
p:probe_tiny64/impl $DATA/elf/tiny64.so:0x3b0
p:probe_tiny64/ifn $DATA/elf/tiny64.so:0x3b4
p:probe_tiny64/wk $DATA/elf/tiny64.so:0x3bc
--- stderr
Warning: The probe function (ifn) is a GNU indirect function.
Consider identifying the final function used at run time and set the probe directly on that.

=== too many
argv: perf probe -x $DATA/elf/tiny64.so --max-probes 1 -D *
exit: 249
--- stderr
Too many functions matched in $DATA/elf/tiny64.so
  Error: Failed to add events.

=== a number of places that is none
argv: perf probe -x $DATA/elf/tiny64.so --max-probes -1 -D work
exit: 234
--- stderr
--max-probes is a number of places, or 0 for 128.

=== nowhere
sh: for f in nothing 'n*' wk+9999; do perf probe -x $DATA/elf/tiny64.so -D $f 2>&1; echo $?; done
--- stdout
Failed to find symbol nothing in $DATA/elf/tiny64.so
  Error: Failed to add events.
254
Failed to find symbol n* in $DATA/elf/tiny64.so
  Error: Failed to add events.
254
Offset 9999 is bigger than the size of wk
  Error: Failed to add events.
254

=== what needs debug information
sh: for f in wk:1 x.c:3 'wk;x' 'wk var'; do perf probe -x $DATA/elf/tiny64.so -D "$f" 2>&1; echo $?; done
--- stdout
The $DATA/elf/tiny64.so file has no debug information.
Rebuild with -g, or install an appropriate debuginfo package.
  Error: Failed to add events.
254
The $DATA/elf/tiny64.so file has no debug information.
Rebuild with -g, or install an appropriate debuginfo package.
  Error: Failed to add events.
254
The $DATA/elf/tiny64.so file has no debug information.
Rebuild with -g, or install an appropriate debuginfo package.
  Error: Failed to add events.
254
The $DATA/elf/tiny64.so file has no debug information.
Rebuild with -g, or install an appropriate debuginfo package.
  Error: Failed to add events.
254

=== shown, not put, of a dry run
argv: perf probe -n -x $DATA/elf/tiny64.so -a 'wk%return $retval' -a 'a_name_that_is_wider=impl x=%di'
needs: root
needs: tracefs
--- stderr
Added new events:
  probe_tiny64:wk__return (on wk%return in $DATA/elf/tiny64.so with $retval)
  probe_tiny64:a_name_that_is_wider (on impl in $DATA/elf/tiny64.so with x=%di)

You can now use it in all perf tools, such as:

	perf record -e probe_tiny64:a_name_that_is_wider -aR sleep 1


=== in a kernel's file
sh: perf probe -k $DATA/elf/tinyvmlinux -D schedule -D 'schedule%return $retval' -D a:b=schedule+4
--- stdout
p:probe/schedule _text+11
r:probe/schedule__return _text+11 $retval
p:a/b _text+15

=== in a kernel's file, for the boot configuration
argv: perf probe -k $DATA/elf/tinyvmlinux --bootconfig -D 'schedule+4 x=%di' -D g:e=schedule
--- stdout
ftrace.event.kprobes.schedule.probe = 'schedule+4 x=%di'
ftrace.event.g.e.probe = 'schedule+0'

=== a static point that is not there
argv: perf probe -x $DATA/elf/tiny64.so -D %sdt_a:b
exit: 254
--- stderr
%sdt_a:b is not known
hint: static points are known of objects that are named with -x, or were added with 'perf buildid-cache -a'
  Error: Failed to add events.

=== a name that is too long
argv: perf probe -x $DATA/elf/tiny64.so -D a234567890123456789012345678901234567890123456789012345678901234=wk
exit: 249
--- stderr
Too long event name: "a234567890123456789012345678901234567890123456789012345678901234".
  Error: Failed to add events.

