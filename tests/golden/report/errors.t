# What perf report says when it cannot do something.
=== no file
argv: perf report --stdio
exit: 255
--- stderr
error: failed to open 'perf.data': No such file or directory
hint: try 'perf record' first

=== unknown sort key
argv: perf report --stdio -s nonsense -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 129
--- stderr
Error:
Unknown --sort key: `nonsense'
 Usage: perf report [<options>]

    -s, --sort <key[,key2...]>
                          sort by key(s): see the manual page for the list

=== no call chains
argv: perf report --stdio -g caller -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 255
--- stderr
error: -g was given but the file has no call chains
hint: record with -g to have them

=== no CPUs
argv: perf report --stdio -C 0 -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4
exit: 255
--- stderr
error: the samples of this file do not say their CPU: -C cannot choose
hint: record with -a, -C or --sample-cpu

=== not there yet
argv: perf report --stdio --gtk
exit: 129
--- stderr any

=== a bad graph option
argv: perf report --stdio -g nonsense -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 129
--- stderr any

=== a bad expression
argv: perf report --stdio -p '[' -i $DATA/perfdata/autofdo-ro_sample.perf
exit: 255
--- stderr any

