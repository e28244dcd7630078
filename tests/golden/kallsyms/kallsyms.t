# perf kallsyms: addresses differ from kernel to kernel, and unprivileged users see none.
=== a symbol of every kernel, and one of none
sh: [ "$(id -u)" = 0 ] || { echo skipped; echo skipped; exit; }; perf kallsyms schedule no_such_symbol_at_all | sed 's/0x[0-9a-f]\{16\}/ADDR/g'
--- stdout regex
skipped|schedule: \[kernel\] \[kernel\.kallsyms\] ADDR-ADDR \(ADDR-ADDR\)
skipped|no_such_symbol_at_all: not found

=== no symbol named
argv: perf kallsyms
exit: 129
--- stderr

 Usage: perf kallsyms [<options>] symbol_name

    -v, --verbose         be more verbose (show counter open errors, etc)


