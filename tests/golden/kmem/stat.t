# perf kmem stat: what the slab allocator was asked for.
=== sums, call sites and objects
sh: python3 $DATA/../tools/make_kmem_file.py f.data && perf kmem -i f.data stat && perf kmem -i f.data --caller --alloc --raw-ip stat
--- stdin
1000 kmalloc 0 0xffffffff81000010 0xffff888000001000 100 128
2000 kmalloc 1 0xffffffff81000010 0xffff888000002000 60 64
3000 kmem_cache_alloc 0 0xffffffff81000020 0xffff888000003000 192 192
4000 kfree 0 0xffffffff81000030 0xffff888000001000
5000 kfree 0 0xffffffff81000030 0xffff888000002000       # another CPU than that which allocated it
6000 kmalloc 0 0xffffffff81000040 0xffff888000001000 10 16
7000 kmem_cache_free 1 0xffffffff81000050 0xffff888000003000
8000 kfree 1 0xffffffff81000030 0xffff888000009000       # was there before
--- stdout

SUMMARY (SLAB allocator)
\========================
Total bytes requested: 362
Total bytes allocated: 400
Total bytes freed:     384
Net total bytes allocated: 16
Total bytes wasted on internal fragmentation: 38
Internal fragmentation: 9.500000%
Cross CPU allocations: 0/4
\---------------------------------------------------------------------------------------------------------
 Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
\---------------------------------------------------------------------------------------------------------
 0xffffffff81000040                 |        16/16    |        10/10    |        1 |         0 | 37.500%
 0xffffffff81000010                 |       192/96    |       160/80    |        2 |         1 | 16.667%
 0xffffffff81000020                 |       192/192   |       192/192   |        1 |         1 |  0.000%
\---------------------------------------------------------------------------------------------------------
\---------------------------------------------------------------------------------------------------------
 Alloc Ptr                          | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
\---------------------------------------------------------------------------------------------------------
 0xffff888000001000                 |       144/72    |       110/55    |        2 |         0 | 23.611%
 0xffff888000002000                 |        64/64    |        60/60    |        1 |         1 |  6.250%
 0xffff888000003000                 |       192/192   |       192/192   |        1 |         1 |  0.000%
\---------------------------------------------------------------------------------------------------------

SUMMARY (SLAB allocator)
\========================
Total bytes requested: 362
Total bytes allocated: 400
Total bytes freed:     384
Net total bytes allocated: 16
Total bytes wasted on internal fragmentation: 38
Internal fragmentation: 9.500000%
Cross CPU allocations: 0/4

=== so many rows, and another order: of the table that was named last, before both of both
sh: python3 $DATA/../tools/make_kmem_file.py f.data && for o in '--caller -l 1 --alloc' '-l 1 --caller --alloc' '--caller -s hit,bytes --alloc -s ptr' '-s callsite --caller' '--caller -l 0' '--caller -l -1' '--alloc -s pingpong -l 1'; do echo "-- $o"; perf kmem -i f.data --raw-ip stat $o | grep -v '^-\|: \|SUMM\|===\|^$'; done
--- stdin
1000 kmalloc 0 0x10 0x1000 100 128
2000 kmalloc 1 0x10 0x2000 60 64
3000 kmalloc 1 0x30 0x4000 30 32
4000 kmem_cache_alloc 0 0x20 0x3000 192 192
5000 kfree 0 0x30 0x2000
--- stdout
-- --caller -l 1 --alloc
 Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
 0x10                               |       192/96    |       160/80    |        2 |         1 | 16.667%
 ...                                | ...             | ...             | ...      | ...       | ...   
 Alloc Ptr                          | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
 0x1000                             |       128/128   |       100/100   |        1 |         0 | 21.875%
 0x2000                             |        64/64    |        60/60    |        1 |         1 |  6.250%
 0x4000                             |        32/32    |        30/30    |        1 |         0 |  6.250%
 0x3000                             |       192/192   |       192/192   |        1 |         0 |  0.000%
-- -l 1 --caller --alloc
 Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
 0x10                               |       192/96    |       160/80    |        2 |         1 | 16.667%
 ...                                | ...             | ...             | ...      | ...       | ...   
 Alloc Ptr                          | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
 0x1000                             |       128/128   |       100/100   |        1 |         0 | 21.875%
 ...                                | ...             | ...             | ...      | ...       | ...   
-- --caller -s hit,bytes --alloc -s ptr
 Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
 0x10                               |       192/96    |       160/80    |        2 |         1 | 16.667%
 0x20                               |       192/192   |       192/192   |        1 |         0 |  0.000%
 0x30                               |        32/32    |        30/30    |        1 |         0 |  6.250%
 Alloc Ptr                          | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
 0x4000                             |        32/32    |        30/30    |        1 |         0 |  6.250%
 0x3000                             |       192/192   |       192/192   |        1 |         0 |  0.000%
 0x2000                             |        64/64    |        60/60    |        1 |         1 |  6.250%
 0x1000                             |       128/128   |       100/100   |        1 |         0 | 21.875%
-- -s callsite --caller
 Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
 0x30                               |        32/32    |        30/30    |        1 |         0 |  6.250%
 0x20                               |       192/192   |       192/192   |        1 |         0 |  0.000%
 0x10                               |       192/96    |       160/80    |        2 |         1 | 16.667%
-- --caller -l 0
 Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
 ...                                | ...             | ...             | ...      | ...       | ...   
-- --caller -l -1
 Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
 0x10                               |       192/96    |       160/80    |        2 |         1 | 16.667%
 0x30                               |        32/32    |        30/30    |        1 |         0 |  6.250%
 0x20                               |       192/192   |       192/192   |        1 |         0 |  0.000%
-- --alloc -s pingpong -l 1
 Alloc Ptr                          | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
 0x2000                             |        64/64    |        60/60    |        1 |         1 |  6.250%
 ...                                | ...             | ...             | ...      | ...       | ...   

=== events of kernels before 6.1, where a node has events of its own
sh: python3 $DATA/../tools/make_kmem_file.py f.data --old && perf kmem -i f.data --alloc stat
--- stdin
1000 kmalloc 0 0x10 0x1000 100 128
2000 kmalloc_node 1 0x10 0x2000 60 64 0
3000 kmem_cache_alloc_node 1 0x10 0x3000 60 64 -1
4000 kfree 0 0x30 0x2000
--- stdout
\---------------------------------------------------------------------------------------------------------
 Alloc Ptr                          | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
\---------------------------------------------------------------------------------------------------------
 0x1000                             |       128/128   |       100/100   |        1 |         0 | 21.875%
 0x2000                             |        64/64    |        60/60    |        1 |         1 |  6.250%
 0x3000                             |        64/64    |        60/60    |        1 |         0 |  6.250%
\---------------------------------------------------------------------------------------------------------

SUMMARY (SLAB allocator)
\========================
Total bytes requested: 220
Total bytes allocated: 256
Total bytes freed:     64
Net total bytes allocated: 192
Total bytes wasted on internal fragmentation: 36
Internal fragmentation: 14.062500%
Cross CPU allocations: 0/3
--- stderr
warning: 1 allocations ask for memory of a node, but the recording does not say which nodes their CPUs belong to: they are not among the cross ones

=== freed twice, freed by nobody knows whom, events that were lost
sh: python3 $DATA/../tools/make_kmem_file.py f.data && perf kmem -i f.data --caller stat
--- stdin
1000 kmalloc 0 0x10 0x1000 100 128
2000 kfree 1 0x30 0x1000
3000 kfree 1 0x30 0x1000
4000 lost 7
--- stdout
\---------------------------------------------------------------------------------------------------------
 Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
\---------------------------------------------------------------------------------------------------------
 0x10                               |       128/128   |       100/100   |        1 |         1 | 21.875%
\---------------------------------------------------------------------------------------------------------

SUMMARY (SLAB allocator)
\========================
Total bytes requested: 100
Total bytes allocated: 128
Total bytes freed:     128
Total bytes wasted on internal fragmentation: 28
Internal fragmentation: 21.875000%
Cross CPU allocations: 0/1
--- stderr
warning: 7 events were lost while recording: sums are those of what is left

=== some of the time, and as a stream
sh: python3 $DATA/../tools/make_kmem_file.py f.data && perf kmem stat -i f.data --time 0.0000015, --alloc && perf inject -i f.data | perf kmem -i - stat --alloc
--- stdin
1000 kmalloc 0 0x10 0x1000 100 128
2000 kmalloc 1 0x10 0x2000 60 64
--- stdout
\---------------------------------------------------------------------------------------------------------
 Alloc Ptr                          | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
\---------------------------------------------------------------------------------------------------------
 0x2000                             |        64/64    |        60/60    |        1 |         0 |  6.250%
\---------------------------------------------------------------------------------------------------------

SUMMARY (SLAB allocator)
\========================
Total bytes requested: 60
Total bytes allocated: 64
Total bytes freed:     0
Net total bytes allocated: 64
Total bytes wasted on internal fragmentation: 4
Internal fragmentation: 6.250000%
Cross CPU allocations: 0/1
\---------------------------------------------------------------------------------------------------------
 Alloc Ptr                          | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
\---------------------------------------------------------------------------------------------------------
 0x1000                             |       128/128   |       100/100   |        1 |         0 | 21.875%
 0x2000                             |        64/64    |        60/60    |        1 |         0 |  6.250%
\---------------------------------------------------------------------------------------------------------

SUMMARY (SLAB allocator)
\========================
Total bytes requested: 160
Total bytes allocated: 192
Total bytes freed:     0
Net total bytes allocated: 192
Total bytes wasted on internal fragmentation: 32
Internal fragmentation: 16.666667%
Cross CPU allocations: 0/2

=== nothing of a table
sh: python3 $DATA/../tools/make_kmem_file.py f.data && perf kmem -i f.data --caller stat
--- stdin
1000 kfree 0 0x10 0x1000
--- stdout
\---------------------------------------------------------------------------------------------------------
 Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
\---------------------------------------------------------------------------------------------------------
\---------------------------------------------------------------------------------------------------------

SUMMARY (SLAB allocator)
\========================
Total bytes requested: 0
Total bytes allocated: 0
Total bytes freed:     0
Total bytes wasted on internal fragmentation: 0
Internal fragmentation: 0.000000%
Cross CPU allocations: 0/0

=== no such events, a field that is missing, wrong words
sh: perf kmem -i $DATA/sched/switches.data stat -f; echo $?; python3 $DATA/../tools/make_kmem_file.py f.data --field ptr=pointer <<< "1000 kfree 0 1 2"; perf kmem -i f.data stat; echo $?; for w in "-s foo stat" "-l x stat" "--page stat" "--live stat" stats ""; do perf kmem $w 2>&1 | head -2; done
--- stdout
255
255
Unknown slab --sort key: 'foo'

cannot read the number of lines 'x'

error: failed to open 'perf.data': No such file or directory
hint: try 'perf record' first
error: failed to open 'perf.data': No such file or directory
hint: try 'perf record' first
error: 'stats' is no word of perf kmem
hint: did you mean 'stat'?

 Usage: perf kmem [<options>] {record|stat}
--- stderr
error: '$DATA/sched/switches.data' has no events of the slab allocator
hint: perf kmem record COMMAND records what is needed
error: kmem:kmalloc of 'f.data' has no field 'ptr'

