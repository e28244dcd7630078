# perf kmem stat: for other programs, of some events only.
=== values between separators, one CPU's events, the allocator that the configuration names
sh: perf kmem stat -x, --caller -l 2 --alloc -l 1 -i $DATA/kmem/kmem.data; perf kmem stat -C 0 -x ';' -i $DATA/kmem/kmem.data; printf '1000 alloc 0 100 0 0x140dca 1 0xffffffff81000110\n2000 free 0 100 0\n3000 alloc 1 200 0 0xcc0 1\n' | python3 $DATA/../tools/make_page_file.py p.data && perf kmem --page stat -x, --caller --alloc -i p.data; perf config --user kmem.default=page; perf kmem stat -C 1 -x, -i p.data | tail -3; perf kmem stat --slab -i p.data; perf config --user kmem.default=pages; perf kmem stat -x . ; perf kmem stat -x, --json
exit: 129
--- stdout
# type,callsite,hits,requested,allocated,pingpong
caller,0x1000,9,342,828,4
caller,0x1004,8,308,740,3
# type,ptr,hits,requested,allocated,pingpong
object,0x8140,5,185,455,2
# type,hits,requested,allocated,freed,cross_cpu,nodeless,lost
total,60,2370,5610,4654,0,0,0
# type;hits;requested;allocated;freed;cross_cpu;nodeless;lost
total;30;1170;2790;2092;0;0;0
# type,callsite,hits,bytes,order,type,gfp_flags
caller,,1,4096,0,MOVABLE,GFP_KERNEL
caller,entry_SYSCALL_64_after_hwframe+56,1,4096,0,MOVABLE,GFP_HIGHUSER_MOVABLE|__GFP_ZERO
# type,page,callsite,hits,bytes,order,type,gfp_flags
page,0xc8,,1,4096,0,MOVABLE,GFP_KERNEL
page,0x64,entry_SYSCALL_64_after_hwframe+56,1,4096,0,MOVABLE,GFP_HIGHUSER_MOVABLE|__GFP_ZERO
# type,of,nr,bytes
sum,allocations,2,8192
sum,frees,1,4096
sum,freed,1,4096
sum,alloc_only,1,4096
sum,free_only,0,0
sum,failures,0,0
# type,lost
total,0
--- stderr
error: 'p.data' has no events of the slab allocator
hint: perf kmem record COMMAND records what is needed
error: 'p.data' has no events of the slab allocator
hint: perf kmem record COMMAND records what is needed
error: kmem.default is not set: 'pages' is no allocator: slab, page
 Error: -x: '.' cannot stand between columns: it has something that is in numbers
 Usage: perf kmem [<options>] {record|stat}

    -x, --field-separator <separator>
                          print values with this between them (doc/cmd/kmem.md)
 Error: --json and -x are mutually exclusive.

 Usage: perf kmem [<options>] {record|stat}

    -C, --cpu <cpu>       only events of these CPUs
    -f, --force           don't complain, do it
    -i, --input <file>    input file name
    -l, --line <num>      show n lines
    -p, --pid <pid[,pid...]>
                          only these processes
    -s, --sort <key[,key2...]>
                          sort by keys: ptr, callsite, bytes, hit, pingpong, frag, page, order, migtype, gfp
    -t, --tid <tid[,tid...]>
                          only these threads
    -v, --verbose         be more verbose (show symbol address, etc)
    -x, --field-separator <separator>
                          print values with this between them (doc/cmd/kmem.md)
        --alloc           show per-allocation statistics
        --caller          show per-callsite statistics
        --json            print JSON
        --kallsyms <file>
                          kallsyms pathname
        --live            Show live page stat
        --page            Analyze page allocator
        --raw-ip          show raw ip instead of symbol
        --slab            Analyze slab allocator
        --time <str>      Time span of interest (start,stop)


