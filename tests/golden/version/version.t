# perf version and its short forms.
=== one line
argv: perf version
--- stdout regex
perf version 7\.0\.\d+(\.g[0-9a-f]{12})?

=== the same by option
argv: perf --version
--- stdout regex
perf version 7\.0\.\d+(\.g[0-9a-f]{12})?

=== build options
sh: perf -vv | sed 1d | grep -vE '^ *[^ :]+: \[ (on |OFF) \]  # HAVE_[A-Z0-9_]+( \( tip: .* \))?$'
exit: 1

=== help
argv: perf version -h
exit: 129
--- stderr

 Usage: perf version [<options>]

    -v, --verbose         display the build options too
        --build-options   display the build options


