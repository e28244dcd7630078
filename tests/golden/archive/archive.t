# The objects of a recording in one file; tests/live/archive.py has the rest.
=== no such recording
argv: perf archive none.data
exit: 1
--- stderr
error: failed to open 'none.data': No such file or directory
hint: try 'perf record' first

=== no build ids
sh: cp $DATA/perfdata/quipper-perf.data.piped.target.throttled-3.4 x.data; perf archive -f x.data
exit: 1
--- stderr
perf archive: no build-ids found

=== nothing to unpack
argv: perf archive --unpack
exit: 1
--- stderr
error: no perf.all-*.tar.bz2 in this folder
hint: name the archive: perf archive --unpack FILE

=== objects that nobody has
sh: cp $DATA/perfdata/quipper-perf.data.hybrid_topology x.data && perf archive -f x.data && tar tf x.data.tar.bz2
needs: bzip2 feature:bzip2
--- stdout
Now please run:

$ tar xvf x.data.tar.bz2 -C ~/.debug

wherever you need to run 'perf report' on.
--- stderr
warning: [kernel.kallsyms]: no copy of its symbols is in the build-id cache
warning: 1 of 1 objects are missing in the archive

=== too many words
sh: perf archive a b 2>&1 | sed -n 1p
--- stdout
only one file can be given

=== packing and unpacking
sh: perf archive --all --unpack 2>&1 | sed -n 1p
--- stdout
--unpack and the options for packing exclude each other

