# perf help, built-in pages.
=== a page
argv: perf help check
--- stdout contains
PERF-CHECK(1)
       perf-check - check if a feature is present in perf
       -q, --quiet
           Print nothing; only the exit status tells.

=== the same by option of the command
sh: cmp <(perf help check) <(perf check --help) && cmp <(perf help check) <(perf --help check)

=== no such page
argv: perf help chekc
exit: 1
--- stderr
error: no help page for 'chekc'

Did you mean this?
	check

