# Copies of objects by build id.
=== nothing asked for
sh: perf buildid-cache 2>out; echo $?; head -4 out
--- stdout
129

 Usage: perf buildid-cache [<options>]

    -a, --add <file list>

=== a list and something else
sh: perf buildid-cache -l -P 2>out; echo $?; head -1 out
--- stdout
129
  Error: -l is exclusive.

=== added, kept once, listed, removed
sh: cp /bin/true one && ID=$(perf buildid-list -i one) && perf buildid-cache -a one,one && perf buildid-cache -v -a one 2>&1 | sed "s/$ID/ID/" && (perf buildid-cache -l | sed "s/$ID/ID/; s#$PWD#PWD#") && perf buildid-cache -r one && perf buildid-cache -l && perf buildid-cache -r one
needs: readelf
--- stdout
Adding ID one: Ok
ID PWD/one
--- stderr
warning: one wasn't in the cache

=== several lists, a list in a file
sh: cp /bin/true one && cp /bin/false two && cp /bin/ls three && printf 'two\nthree\n' >names && perf buildid-cache -a one -a file://names && perf buildid-cache -l | sed 's#.*/##' | sort
--- stdout
one
three
two

=== what cannot be added
sh: echo text >text; perf buildid-cache -a none,text,file://nowhere; perf buildid-cache -a file://nowhere
exit: 255
--- stderr
error: cannot open 'none': No such file or directory
error: 'text': not an ELF file
error: cannot open 'file://nowhere': No such file or directory
error: cannot open 'nowhere': No such file or directory

=== of a path whose file was replaced
sh: cp /bin/true one && perf buildid-cache -a one && cp /bin/false two && mv two one && perf buildid-cache -l && perf buildid-cache -a one && perf buildid-cache -l | wc -l && ls -d $PERF_BUILDID_DIR$PWD/one/* | wc -l && rm one && perf buildid-cache -v -p one 2>&1 | sed 's/Removing [0-9a-f]* /Removing ID /' && perf buildid-cache -l
--- stdout
1
2
Removing ID one: Ok
Removing ID one: Ok
Purging one: Ok

=== update gives another path to the same object
sh: cp /bin/true one && cp /bin/true two && perf buildid-cache -a one -a two && perf buildid-cache -l | sed 's#.*/##' && perf buildid-cache -u two && perf buildid-cache -l | sed 's#.*/##'
--- stdout
one
two

=== missing of a recording
argv: perf buildid-cache -f -M $DATA/perfdata/quipper-perf.data.hybrid_topology
--- stdout
4d8da7461ede4247af093af473f1c8ddaa2ba242 [kernel.kallsyms]
72d2e6b04eddddbe609e3ce78f0c16a03f516b35 [vdso]

=== missing of what is no recording
argv: perf buildid-cache -M /etc/passwd
exit: 255
--- stderr
error: '/etc/passwd' is no perf.data file

=== nothing outside of the cache is removed, whatever the links say
sh: d=$PWD/cache; id=0123456789abcdef0123456789abcdef01234567; mkdir -p $d/.build-id/01 precious/$id && touch precious/$id/file && cp -r precious/$id . && ln -s ../../../precious/$id $d/.build-id/01/${id:2} && perf --buildid-dir $d buildid-cache -v -P && ls precious/$id; rm $d/.build-id/01/*; ln -s ../../way/$id $d/.build-id/01/${id:2}; ln -s $PWD/precious $d/way; perf --buildid-dir $d buildid-cache -P; ls precious/$id; rm $d/way; mkdir $d/way; ln -s $PWD/precious/$id $d/way/$id; perf --buildid-dir $d buildid-cache -P; ls precious/$id; ls -A $d/.build-id/01 | wc -l
--- stdout
file
file
file
1
--- stderr
Purged all: Ok
error: cannot open '$TMP/cache/way/0123456789abcdef0123456789abcdef01234567': Not a directory
error: cannot open '$TMP/cache/way/0123456789abcdef0123456789abcdef01234567': Not a directory

=== kcore: only of the running kernel
argv: perf buildid-cache -k /etc/passwd
exit: 255
--- stderr
error: '/etc/passwd' is not the running kernel's /proc/kcore

=== copies of kernels are purged, and nothing that links lead to
sh: d=$PWD/cache; id=0123456789abcdef0123456789abcdef01234567; mkdir -p "$d/[kernel.kcore]/$id/2026010203040506" precious && touch "$d/[kernel.kcore]/$id/2026010203040506/"{kcore,kallsyms,modules} precious/kcore && ln -s $PWD/precious "$d/[kernel.kcore]/$id/2026010203040507" && perf --buildid-dir $d buildid-cache -P; find cache precious -name kcore
--- stdout
precious/kcore
--- stderr
error: cannot remove everything in '$TMP/cache/[kernel.kcore]'

=== a link that leads out of the cache, or nowhere, is no entry: files are added all the same
sh: d=$PWD/cache; echo 'int main(void) { return 0; }' | gcc -Wl,--build-id -x c - -o prog; id=$(readelf -n prog | sed -n 's/.*Build ID: //p'); mkdir -p precious $d/.build-id/${id:0:2}; for to in ../../../precious ../../gone/$id $PWD/precious; do ln -sf $to $d/.build-id/${id:0:2}/${id:2}; perf --buildid-dir $d buildid-cache -a prog; perf --buildid-dir $d buildid-cache -l | wc -l; cmp prog $d/.build-id/${id:0:2}/${id:2}/elf; perf --buildid-dir $d buildid-cache -r prog; done; ls precious
needs: gcc readelf
--- stdout
1
1
1
