# perf check: exit status and text of known, missing and unknown features.
=== a feature that is always there
argv: perf check feature libelf
--- stdout
                libelf: [ on  ]  # HAVE_LIBELF_SUPPORT

=== by macro, quietly
argv: perf check -q feature have_libelf_support

=== a feature that is off
argv: perf check feature libelf,libnuma
exit: 1
--- stdout
                libelf: [ on  ]  # HAVE_LIBELF_SUPPORT
               libnuma: [ OFF ]  # HAVE_LIBNUMA_SUPPORT ( tip: not used: topology is read from sysfs )

=== an unknown one among known ones
argv: perf check feature nosuch,libelf
exit: 1
--- stdout
                libelf: [ on  ]  # HAVE_LIBELF_SUPPORT
--- stderr
Unknown feature 'nosuch', please use 'perf version --build-options' to see which ones are available.

=== no feature named
argv: perf check feature
exit: 129
--- stderr

 Usage: perf check feature <feature_list>

    -q, --quiet           do not show any warnings or messages


=== unknown subcommand
argv: perf check foo
exit: 129
--- stderr contains
Unknown subcommand: foo

=== too many words
argv: perf check feature libelf zlib
exit: 255
--- stderr
error: too many arguments for 'perf check feature'
hint: give several features as one list: perf check feature libelf,zlib

=== what perf does by itself, as scripts ask for it
sh: perf check -q feature aio,dwarf,dwarf-unwind,libdw-dwarf-unwind && perf version --build-options | grep -c '^ *\(aio\|dwarf\|dwarf-unwind\): \[ on  \]'
--- stdout
3

