Where names come from: doc/names.md.

=== a kernel that the build-id table calls by its file's path: another kernel's names are not taken
sh: D2=d2238c07b9fa2c6736a0efd238ab6c687de6af64; K="kernel=0xffffffff91000000,0x200000,[kernel.kallsyms]_text comm=7,7,seven k=7,7,0xffffffff9100000b"; for id in k,$D2,/boot/vmlinux k,$D2,/lib/modules/5.4/build/vmlinux k,$D2,[kernel.kallsyms]; do $DATA/../tools/make_names_file.py perf.data $K id=$id id=k,7c273e0d90eb95b0,[mod]; perf script -F ip,sym,dso; perf report --stdio -q -s dso,sym; perf buildid-list; perf buildid-list -H; done
--- stdout
 ffffffff9100000b [unknown] (/boot/vmlinux)
   100.00%  [kernel.vmlinux]  [k] 0xffffffff9100000b


d2238c07b9fa2c6736a0efd238ab6c687de6af64 /boot/vmlinux
7c273e0d90eb95b0000000000000000000000000 [mod]
d2238c07b9fa2c6736a0efd238ab6c687de6af64 /boot/vmlinux
 ffffffff9100000b [unknown] (/lib/modules/5.4/build/vmlinux)
   100.00%  [kernel.vmlinux]  [k] 0xffffffff9100000b


d2238c07b9fa2c6736a0efd238ab6c687de6af64 /lib/modules/5.4/build/vmlinux
7c273e0d90eb95b0000000000000000000000000 [mod]
d2238c07b9fa2c6736a0efd238ab6c687de6af64 /lib/modules/5.4/build/vmlinux
 ffffffff9100000b [unknown] ([kernel.kallsyms])
   100.00%  [kernel.kallsyms]  [k] 0xffffffff9100000b


d2238c07b9fa2c6736a0efd238ab6c687de6af64 [kernel.kallsyms]
7c273e0d90eb95b0000000000000000000000000 [mod]
d2238c07b9fa2c6736a0efd238ab6c687de6af64 [kernel.kallsyms]

=== a copy of its symbols in the build-id cache is used, whatever the kernel is called
sh: D2=d2238c07b9fa2c6736a0efd238ab6c687de6af64; dir=$HOME/.debug/.build-id/d2/${D2#d2}; mkdir -p $dir; printf 'ffffffff81000000 T _text\nffffffff8100000b T cached\n' >$dir/kallsyms; K="kernel=0xffffffff91000000,0x200000,[kernel.kallsyms]_text comm=7,7,seven k=7,7,0xffffffff9100000b"; for n in /boot/vmlinux [kernel.kallsyms]; do $DATA/../tools/make_names_file.py perf.data $K id=k,$D2,$n; perf script -F ip,sym,symoff,dso; done
--- stdout
 ffffffff9100000b cached+0x0 (/boot/vmlinux)
 ffffffff9100000b cached+0x0 ([kernel.kallsyms])

=== without a build id the release and the architecture tell of another kernel
sh: K="kernel=0xffffffff91000000,0x200000,[kernel.kallsyms]_text comm=7,7,seven k=7,7,0xffffffff9100000b"; for w in "release=5.4.149-16711-gf23410624203 host=localhost" "release=$(uname -r) arch=sparc64 host=$(uname -n)"; do $DATA/../tools/make_names_file.py perf.data $K $w; perf script -F ip,sym; done
--- stdout
 ffffffff9100000b [unknown]
 ffffffff9100000b [unknown]

=== a vmlinux that was asked for and is of another build: told; -f reads it
sh: printf '\4\0\0\0\4\0\0\0\3\0\0\0GNU\0abcd' >note && objcopy --add-section .note.gnu.build-id=note --set-section-flags .note.gnu.build-id=readonly $DATA/elf/tinyvmlinux v; K="kernel=0xffffffff91000000,0x200000,[kernel.kallsyms]_text comm=7,7,seven k=7,7,0xffffffff9100000b"; for id in 61626364 61626365; do $DATA/../tools/make_names_file.py perf.data $K sized=k,$id,/boot/vmlinux; perf script -F ip,sym -k v; perf script -f -F ip,sym -k v; done
needs: objcopy
--- stdout
 ffffffff9100000b schedule
 ffffffff9100000b schedule
 ffffffff9100000b [unknown]
 ffffffff9100000b schedule
--- stderr
warning: the kernel has no names: build id of 'v' differs from the recorded one: -f reads it all the same

=== build ids of 8 and 16 bytes that are kept in 20, in files and in the build-id cache
sh: for n in 8 16; do id=$(printf '\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20' | head -c $n | od -An -tx1 | tr -d ' \n'); printf '\4\0\0\0%b\0\0\0\3\0\0\0GNU\0' "\\x$(printf %02x $n)" >note; printf '\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20' | head -c $n >>note; objcopy --remove-section .note.gnu.build-id --add-section .note.new=note --set-section-flags .note.new=readonly $DATA/elf/tiny64.debug lib.so; $DATA/../tools/make_names_file.py perf.data map=7,0x10000,0x10000,0,$PWD/lib.so comm=7,7,seven u=7,7,0x103b1 id=u,$id,$PWD/lib.so; perf script -F ip,sym; dir=$HOME/.debug/.build-id/01/${id#01}; mkdir -p $dir; mv lib.so $dir/elf; perf script -F ip,sym; done
needs: objcopy
--- stdout
            103b1 impl
            103b1 impl
            103b1 impl
            103b1 impl

=== a file without a build id is not one that had one; nor is one of another architecture
sh: objcopy --remove-section .note.gnu.build-id $DATA/elf/tiny64.debug lib.so; for w in id=u,d2238c07b9fa2c6736a0efd238ab6c687de6af64,$PWD/lib.so arch=aarch64; do $DATA/../tools/make_names_file.py perf.data map=7,0x10000,0x10000,0,$PWD/lib.so comm=7,7,seven u=7,7,0x103b1 $w; perf script -F ip,sym; done
needs: objcopy
--- stdout
            103b1 [unknown]
            103b1 [unknown]
--- stderr
warning: '$TMP/lib.so': no names, since the file has been replaced after the recording (another build id)

=== what has no build id is named by its path: silently where it was recorded, told elsewhere
sh: objcopy --remove-section .note.gnu.build-id $DATA/elf/tiny64.debug lib.so; touch -d 2020-01-01 lib.so; for w in host=$(uname -n) host=other release=$(uname -r); do $DATA/../tools/make_names_file.py perf.data map=7,0x10000,0x10000,0,$PWD/lib.so comm=7,7,seven u=7,7,0x103b1 $w; perf script -F ip,sym; done
needs: objcopy
--- stdout
            103b1 impl
            103b1 impl
            103b1 impl
--- stderr
warning: names of '$TMP/lib.so' are assumed to be those that this machine has: no build id was recorded, and host 'other' is not this one
warning: names of '$TMP/lib.so' are assumed to be those that this machine has: no build id was recorded, nor the machine

=== modules stand elsewhere after each boot
sh: printf 'ffffffff81000000 T _text\nffffffffc0001000 t here\t[mod]\nffffffffc0001800 t there\t[mod]\n' >kallsyms; for at in 0xffffffffc0001000 0xffffffffc0001200; do $DATA/../tools/make_names_file.py perf.data kernel=0xffffffff81000000,0x200000,[kernel.kallsyms]_text kernel=$at,0x1000,[mod] comm=7,7,seven k=7,7,0xffffffffc0001900; perf script -F ip,sym,dso --kallsyms kallsyms; done
--- stdout
 ffffffffc0001900 there ([mod])
 ffffffffc0001900 [unknown] ([mod])

=== kernel addresses are the kernel's from its beginning to its last symbol
sh: printf 'ffffffff81000000 T _text\nffffffff81200010 T init_it\nffffffff81201000 B _end\n' >kallsyms; $DATA/../tools/make_names_file.py perf.data kernel=0xffffffff81000000,0x200000,[kernel.kallsyms]_text kernel=0xffffffffc0100000,0x1000,[mod] comm=7,7,seven k=7,7,0xffffffff8100000b k=7,7,0xffffffff81200013 k=7,7,0xffffffff81201800 k=7,7,0xffffffff81901800 k=7,7,0xffffffffc0100010 k=7,7,0xffffffffc0123456 k=7,7,0xffffffff80000000; perf script -F ip,sym,dso --kallsyms kallsyms; perf report --stdio -q -s dso --kallsyms kallsyms; perf script -F ip,sym,dso --kallsyms /dev/null | head -2
threads: 1 2
--- stdout
 ffffffff8100000b _text ([kernel.kallsyms])
 ffffffff81200013 init_it ([kernel.kallsyms])
 ffffffff81201800 _end ([kernel.kallsyms])
 ffffffff81901800 [unknown] ([unknown])
 ffffffffc0100010 [unknown] ([mod])
 ffffffffc0123456 [unknown] ([unknown])
 ffffffff80000000 [unknown] ([unknown])
    42.86%  [kernel.kallsyms]
    42.86%  [unknown]        
    14.29%  [mod]            


 ffffffff8100000b [unknown] ([kernel.kallsyms])
 ffffffff81200013 [unknown] ([unknown])

=== a thread that is being reaped (number 0) belongs to its process, and takes no name from the idle tasks
sh: $DATA/../tools/make_names_file.py perf.data map=7,0x10000,0x10000,0,/lib.so comm=7,7,seven k=0,0,0xffffffff81000000 u=7,0,0x103b1 u=7,7,0x103b1 k=0,0,0xffffffff81000000 u=7,0,0x103b1 u=8,0,0x103b1; perf script -F comm,pid,tid,ip,dso; perf report --stdio -q -s comm,pid
threads: 1 2
--- stdout
         swapper     0/0      ffffffff81000000 ([unknown])
              :0     7/0                 103b1 (/lib.so)
           seven     7/7                 103b1 (/lib.so)
         swapper     0/0      ffffffff81000000 ([unknown])
              :0     7/0                 103b1 (/lib.so)
              :0     8/0                 103b1 ([unknown])
    33.33%  :0             0::0     
    33.33%  swapper        0:swapper
    16.67%  :0             0::0     
    16.67%  seven          7:seven  



=== mappings and names of process 0 are those of any outside of the recorder's pid namespace: of none
sh: $DATA/../tools/make_names_file.py perf.data comm=7,7,seven k=0,0,0xffffffff81000000 map=0,0x10000,0x10000,0,/a comm=0,0,bash u=0,0,0x103b1 map=0,0x10000,0x10000,0,/b comm=0,0,node k=0,0,0xffffffff81000000 map=7,0x10000,0x10000,0,/c u=7,7,0x103b1 u=0,0,0x103b1; perf script -F comm,pid,tid,ip,dso
threads: 1 2
--- stdout
         swapper     0/0      ffffffff81000000 ([unknown])
              :0     0/0                 103b1 ([unknown])
              :0     0/0      ffffffff81000000 ([unknown])
           seven     7/7                 103b1 (/c)
              :0     0/0                 103b1 ([unknown])

=== the vdso, of which some kernels tell the address for the offset
sh: $DATA/../tools/make_names_file.py perf.data host=$(uname -n) map=7,0x7fff00001000,0x2000,0x7fff00001000,[vdso] comm=7,7,seven u=7,7,0x7fff00001a2f; perf script -F ip,dso,dsoff
--- stdout
     7fff00001a2f ([vdso]+0xa2f)

=== perf-PID.map of another machine, of a later process of that number, of an earlier one; -f reads it
sh: sleep 60 & pid=$!; trap "kill $pid; rm -f /tmp/perf-$pid.map" EXIT; make() { $DATA/../tools/make_names_file.py perf.data host=$1 map=$pid,0x10000,0x10000,0,//anon comm=$pid,$pid,jit u=$pid,$pid,0x10010; }; show() { perf script $* -F ip,sym 2>&1 | sed "s/$pid/PID/g"; }; printf '10000 100 compiled\n' >/tmp/perf-$pid.map; make $(uname -n); show; make other; show; show -f; make $(uname -n); touch -d 2020-01-01 perf.data; show; make $(uname -n); touch -d 2020-01-01 /tmp/perf-$pid.map; show; show -f
--- stdout
            10010 compiled
            10010 [unknown]
warning: the code of 1 processes has no names: '/tmp/perf-PID.map' is of a process of this machine, the recording is another's: -f reads it all the same
            10010 compiled
warning: names of '/tmp/perf-PID.map' are assumed to be those that this machine has: no build id was recorded, and host 'other' is not this one
            10010 [unknown]
warning: the code of 1 processes has no names: '/tmp/perf-PID.map' is of a process that began after the recording: -f reads it all the same
            10010 [unknown]
warning: the code of 1 processes has no names: '/tmp/perf-PID.map' is older than its process: -f reads it all the same
            10010 compiled

=== inject writes down ids of files and of the kernel that are here only where it was recorded
sh: cp $DATA/elf/tiny64.so lib.so; for host in $(uname -n) other; do $DATA/../tools/make_names_file.py perf.data host=$host release=5.4 kernel=0xffffffff81000000,0x200000,[kernel.kallsyms]_text map=7,0x10000,0x10000,0,$PWD/lib.so comm=7,7,seven k=7,7,0xffffffff81000010 u=7,7,0x103b1; perf inject -b -i perf.data -o - | perf buildid-list -i - | grep -v '^ '; echo; done
--- stdout
d2238c07b9fa2c6736a0efd238ab6c687de6af64 $TMP/lib.so



