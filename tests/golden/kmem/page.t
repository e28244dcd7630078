# perf kmem stat --page: what the page allocator was asked for.
=== sums, callers, pages; the allocator's own functions are no call sites
sh: python3 $DATA/../tools/make_page_file.py f.data && perf kmem -i f.data --page --kallsyms $DATA/kmem/kallsyms --caller --alloc stat && for o in '--caller --raw-ip' '--live --caller --alloc' '--caller -l 2 -s order,hit' '--alloc -s page -l 1' '--caller -s migtype,gfp,callsite,bytes' '--caller --json' '--alloc --json -l 1'; do echo "-- $o"; perf kmem -i f.data --page --kallsyms $DATA/kmem/kallsyms $o stat | sed '/^SUMM/,$d'; done
threads: 1 3
--- stdin
1000 alloc 0 100 0 0x140dca 1 0xffffffff81000110 0xffffffff81000210 0xffffffff81000412
2000 free 0 100 0
3000 alloc 0 100 0 0x140dca 1 0xffffffff81000110 0xffffffff81000412
4000 free 0 100 0
5000 alloc 0 100 1 0xcd0 2 0xffffffff81000110 0xffffffff81000302
6000 free 0 100 1
7000 alloc 0 200 3 0xdc0 0 0xffffffff81000110 0xffffffff81000302
7100 alloc 0 200 3 0xdc0 0 0xffffffff81000110 0xffffffff81000302   # its end was not seen
7200 alloc 0 208 3 0xdc0 0 0xffffffff81000110 0xffffffff81000410   # another caller
8000 free 1 200 0                                   # a part of it
8100 free 1 201 0
8200 free 1 300 2                                   # was there before
8300 alloc 0 -1 2 0xcc0 0 0xffffffff81000110 0xffffffff81000302   # failed
8400 alloc 0 512 9 0xc01000 9 0xffffffff81000110
8500 alloc 0 1024 12 0 3
8600 alloc 0 1 77 0 3
--- stdout
#
# GFP flags
# ---------
# 00000000:                none: none
# 00000cd0:                K|RC: GFP_KERNEL|__GFP_RECLAIMABLE
# 00000dc0:                 K|Z: GFP_KERNEL|__GFP_ZERO
# 00140dca:               HUM|Z: GFP_HIGHUSER_MOVABLE|__GFP_ZERO
# 00c01000: WR|NEW_ONE|0x400000: __GFP_WRITE|__GFP_NEW_ONE|0x400000

\---------------------------------------------------------------------------------------------------------
 Total alloc (KB) | Hits      | Order | Mig.type | GFP flags           | Callsite
\---------------------------------------------------------------------------------------------------------
            16384 |         1 |    12 | HIGHATOM | none                | [unknown]
             2048 |         1 |     9 |  UNKNOWN | WR|NEW_ONE|0x400000 | [unknown]
               64 |         2 |     3 | UNMOVABL | K|Z                 | read_ahead+2
               32 |         1 |     3 | UNMOVABL | K|Z                 | do_anonymous_page+10
                8 |         2 |     0 |  MOVABLE | HUM|Z               | do_anonymous_page+12
                8 |         1 |     1 |  RECLAIM | K|RC                | read_ahead+2
\---------------------------------------------------------------------------------------------------------

\---------------------------------------------------------------------------------------------------------
 PFN              | Total alloc (KB) | Hits      | Order | Mig.type | GFP flags           | Callsite
\---------------------------------------------------------------------------------------------------------
             1024 |            16384 |         1 |    12 | HIGHATOM | none                | [unknown]
              512 |             2048 |         1 |     9 |  UNKNOWN | WR|NEW_ONE|0x400000 | [unknown]
              200 |               64 |         2 |     3 | UNMOVABL | K|Z                 | read_ahead+2
              208 |               32 |         1 |     3 | UNMOVABL | K|Z                 | do_anonymous_page+10
              100 |                8 |         2 |     0 |  MOVABLE | HUM|Z               | do_anonymous_page+12
              100 |                8 |         1 |     1 |  RECLAIM | K|RC                | read_ahead+2
\---------------------------------------------------------------------------------------------------------

SUMMARY (page allocator)
\========================
Total allocation requests     :                9   [            18560 KB ]
Total free requests           :                6   [               40 KB ]

Total alloc+freed requests    :                4   [               20 KB ]
Total alloc-only requests     :                4   [            18524 KB ]
Total free-only requests      :                2   [               20 KB ]

Total allocation failures     :                1   [               16 KB ]

Order     Unmovable       Movable   Reclaimable    Highatomic  CMA/Isolated
\-----  ------------  ------------  ------------  ------------  ------------
    0             .             2             .             .             .
    1             .             .             1             .             .
    2             .             .             .             .             .
    3             3             .             .             .             .
    4             .             .             .             .             .
    5             .             .             .             .             .
    6             .             .             .             .             .
    7             .             .             .             .             .
    8             .             .             .             .             .
    9             .             .             .             .             .
   10             .             .             .             .             .
   11             .             .             .             .             .
   12             .             .             .             1             .
-- --caller --raw-ip
#
# GFP flags
# ---------
# 00000000:                none: none
# 00000cd0:                K|RC: GFP_KERNEL|__GFP_RECLAIMABLE
# 00000dc0:                 K|Z: GFP_KERNEL|__GFP_ZERO
# 00140dca:               HUM|Z: GFP_HIGHUSER_MOVABLE|__GFP_ZERO
# 00c01000: WR|NEW_ONE|0x400000: __GFP_WRITE|__GFP_NEW_ONE|0x400000

\---------------------------------------------------------------------------------------------------------
 Total alloc (KB) | Hits      | Order | Mig.type | GFP flags           | Callsite
\---------------------------------------------------------------------------------------------------------
            16384 |         1 |    12 | HIGHATOM | none                | [unknown]
             2048 |         1 |     9 |  UNKNOWN | WR|NEW_ONE|0x400000 | [unknown]
               64 |         2 |     3 | UNMOVABL | K|Z                 | 0xffffffff81000302
               32 |         1 |     3 | UNMOVABL | K|Z                 | 0xffffffff81000410
                8 |         2 |     0 |  MOVABLE | HUM|Z               | 0xffffffff81000412
                8 |         1 |     1 |  RECLAIM | K|RC                | 0xffffffff81000302
\---------------------------------------------------------------------------------------------------------

-- --live --caller --alloc
#
# GFP flags
# ---------
# 00000000:                none: none
# 00000cd0:                K|RC: GFP_KERNEL|__GFP_RECLAIMABLE
# 00000dc0:                 K|Z: GFP_KERNEL|__GFP_ZERO
# 00140dca:               HUM|Z: GFP_HIGHUSER_MOVABLE|__GFP_ZERO
# 00c01000: WR|NEW_ONE|0x400000: __GFP_WRITE|__GFP_NEW_ONE|0x400000

\---------------------------------------------------------------------------------------------------------
  Live alloc (KB) | Hits      | Order | Mig.type | GFP flags           | Callsite
\---------------------------------------------------------------------------------------------------------
            16384 |         1 |    12 | HIGHATOM | none                | [unknown]
             2048 |         1 |     9 |  UNKNOWN | WR|NEW_ONE|0x400000 | [unknown]
               32 |         1 |     3 | UNMOVABL | K|Z                 | do_anonymous_page+10
\---------------------------------------------------------------------------------------------------------

\---------------------------------------------------------------------------------------------------------
 PFN              |  Live alloc (KB) | Hits      | Order | Mig.type | GFP flags           | Callsite
\---------------------------------------------------------------------------------------------------------
             1024 |            16384 |         1 |    12 | HIGHATOM | none                | [unknown]
              512 |             2048 |         1 |     9 |  UNKNOWN | WR|NEW_ONE|0x400000 | [unknown]
              208 |               32 |         1 |     3 | UNMOVABL | K|Z                 | do_anonymous_page+10
\---------------------------------------------------------------------------------------------------------

-- --caller -l 2 -s order,hit
#
# GFP flags
# ---------
# 00000000:                none: none
# 00000cd0:                K|RC: GFP_KERNEL|__GFP_RECLAIMABLE
# 00000dc0:                 K|Z: GFP_KERNEL|__GFP_ZERO
# 00140dca:               HUM|Z: GFP_HIGHUSER_MOVABLE|__GFP_ZERO
# 00c01000: WR|NEW_ONE|0x400000: __GFP_WRITE|__GFP_NEW_ONE|0x400000

\---------------------------------------------------------------------------------------------------------
 Total alloc (KB) | Hits      | Order | Mig.type | GFP flags           | Callsite
\---------------------------------------------------------------------------------------------------------
            16384 |         1 |    12 | HIGHATOM | none                | [unknown]
             2048 |         1 |     9 |  UNKNOWN | WR|NEW_ONE|0x400000 | [unknown]
 ...              | ...       | ...   | ...      | ...                 | ...
\---------------------------------------------------------------------------------------------------------

-- --alloc -s page -l 1
#
# GFP flags
# ---------
# 00000000:                none: none
# 00000cd0:                K|RC: GFP_KERNEL|__GFP_RECLAIMABLE
# 00000dc0:                 K|Z: GFP_KERNEL|__GFP_ZERO
# 00140dca:               HUM|Z: GFP_HIGHUSER_MOVABLE|__GFP_ZERO
# 00c01000: WR|NEW_ONE|0x400000: __GFP_WRITE|__GFP_NEW_ONE|0x400000

\---------------------------------------------------------------------------------------------------------
 PFN              | Total alloc (KB) | Hits      | Order | Mig.type | GFP flags           | Callsite
\---------------------------------------------------------------------------------------------------------
             1024 |            16384 |         1 |    12 | HIGHATOM | none                | [unknown]
 ...              | ...              | ...       | ...   | ...      | ...                 | ...
\---------------------------------------------------------------------------------------------------------

-- --caller -s migtype,gfp,callsite,bytes
#
# GFP flags
# ---------
# 00000000:                none: none
# 00000cd0:                K|RC: GFP_KERNEL|__GFP_RECLAIMABLE
# 00000dc0:                 K|Z: GFP_KERNEL|__GFP_ZERO
# 00140dca:               HUM|Z: GFP_HIGHUSER_MOVABLE|__GFP_ZERO
# 00c01000: WR|NEW_ONE|0x400000: __GFP_WRITE|__GFP_NEW_ONE|0x400000

\---------------------------------------------------------------------------------------------------------
 Total alloc (KB) | Hits      | Order | Mig.type | GFP flags           | Callsite
\---------------------------------------------------------------------------------------------------------
             2048 |         1 |     9 |  UNKNOWN | WR|NEW_ONE|0x400000 | [unknown]
            16384 |         1 |    12 | HIGHATOM | none                | [unknown]
                8 |         1 |     1 |  RECLAIM | K|RC                | read_ahead+2
                8 |         2 |     0 |  MOVABLE | HUM|Z               | do_anonymous_page+12
               32 |         1 |     3 | UNMOVABL | K|Z                 | do_anonymous_page+10
               64 |         2 |     3 | UNMOVABL | K|Z                 | read_ahead+2
\---------------------------------------------------------------------------------------------------------

-- --caller --json
{"schema":"perf kmem stat --page","version":1,"allocations":{"nr":9,"bytes":19005440},"frees":{"nr":6,"bytes":40960},"freed":{"nr":4,"bytes":20480},"alloc_only":{"nr":4,"bytes":18968576},"free_only":{"nr":2,"bytes":20480},"failures":{"nr":1,"bytes":16384},"callers":[{"callsite":null,"hits":1,"bytes":16777216,"order":12,"type":"HIGHATOM","gfp_flags":"none"},{"callsite":null,"hits":1,"bytes":2097152,"order":9,"type":"UNKNOWN","gfp_flags":"__GFP_WRITE|__GFP_NEW_ONE|0x400000"},{"callsite":"read_ahead+2","hits":2,"bytes":65536,"order":3,"type":"UNMOVABL","gfp_flags":"GFP_KERNEL|__GFP_ZERO"},{"callsite":"do_anonymous_page+10","hits":1,"bytes":32768,"order":3,"type":"UNMOVABL","gfp_flags":"GFP_KERNEL|__GFP_ZERO"},{"callsite":"do_anonymous_page+12","hits":2,"bytes":8192,"order":0,"type":"MOVABLE","gfp_flags":"GFP_HIGHUSER_MOVABLE|__GFP_ZERO"},{"callsite":"read_ahead+2","hits":1,"bytes":8192,"order":1,"type":"RECLAIM","gfp_flags":"GFP_KERNEL|__GFP_RECLAIMABLE"}],"lost":0}
-- --alloc --json -l 1
{"schema":"perf kmem stat --page","version":1,"allocations":{"nr":9,"bytes":19005440},"frees":{"nr":6,"bytes":40960},"freed":{"nr":4,"bytes":20480},"alloc_only":{"nr":4,"bytes":18968576},"free_only":{"nr":2,"bytes":20480},"failures":{"nr":1,"bytes":16384},"pages":[{"page":"0x400","callsite":null,"hits":1,"bytes":16777216,"order":12,"type":"HIGHATOM","gfp_flags":"none"}],"lost":0}
--- stderr
warning: 1 events of orders that there cannot be were left out
warning: 1 events of orders that there cannot be were left out
warning: 1 events of orders that there cannot be were left out
warning: 1 events of orders that there cannot be were left out
warning: 1 events of orders that there cannot be were left out
warning: 1 events of orders that there cannot be were left out
warning: 1 events of orders that there cannot be were left out
warning: 1 events of orders that there cannot be were left out

=== kernels before 4.1 tell addresses; before 4.4 their types had other numbers
sh: python3 $DATA/../tools/make_page_file.py f.data --field pfn=page && perf kmem -i f.data --page --caller --alloc stat; python3 $DATA/../tools/make_page_file.py f.data --plain </dev/null; perf kmem -i f.data --page --caller stat | head -9
--- stdin
1000 alloc 0 0xffffea0000001000 0 0x140dca 2
2000 alloc 0 0xffffea0000002000 0 0x10 1
3000 alloc 0 0 0 0xcc0 0
4000 free 0 0xffffea0000002000 0
--- stdout
#
# GFP flags
# ---------
# 00000010:    RC: __GFP_RECLAIMABLE
# 00140dca: HUM|Z: GFP_HIGHUSER_MOVABLE|__GFP_ZERO

\---------------------------------------------------------------------------------------------------------
 Total alloc (KB) | Hits      | Order | Mig.type | GFP flags | Callsite
\---------------------------------------------------------------------------------------------------------
                4 |         1 |     0 |  RECLAIM | RC        | [unknown]
                4 |         1 |     0 |  MOVABLE | HUM|Z     | [unknown]
\---------------------------------------------------------------------------------------------------------

\---------------------------------------------------------------------------------------------------------
 Page             | Total alloc (KB) | Hits      | Order | Mig.type | GFP flags | Callsite
\---------------------------------------------------------------------------------------------------------
 ffffea0000002000 |                4 |         1 |     0 |  RECLAIM | RC        | [unknown]
 ffffea0000001000 |                4 |         1 |     0 |  MOVABLE | HUM|Z     | [unknown]
\---------------------------------------------------------------------------------------------------------

SUMMARY (page allocator)
\========================
Total allocation requests     :                3   [               12 KB ]
Total free requests           :                1   [                4 KB ]

Total alloc+freed requests    :                1   [                4 KB ]
Total alloc-only requests     :                1   [                4 KB ]
Total free-only requests      :                0   [                0 KB ]

Total allocation failures     :                1   [                4 KB ]

Order     Unmovable   Reclaimable       Movable      Reserved  CMA/Isolated
\-----  ------------  ------------  ------------  ------------  ------------
    0             .             1             1             .             .
    1             .             .             .             .             .
    2             .             .             .             .             .
    3             .             .             .             .             .
    4             .             .             .             .             .
    5             .             .             .             .             .
    6             .             .             .             .             .
    7             .             .             .             .             .
    8             .             .             .             .             .
    9             .             .             .             .             .
   10             .             .             .             .             .
#
# GFP flags
# ---------

\---------------------------------------------------------------------------------------------------------
 Total alloc (KB) | Hits      | Order | Mig.type | GFP flags | Callsite
\---------------------------------------------------------------------------------------------------------
\---------------------------------------------------------------------------------------------------------


=== both allocators, no such events, wrong words
sh: perf kmem --page -i $DATA/kmem/kmem.data stat; echo $?; perf kmem --page -s ptr stat 2>&1 | head -2; perf kmem --slab --page -i $DATA/kmem/kmem.data stat --json; perf kmem record --page --slab -o - --dry-run true >/dev/null; perf kmem -s page stat 2>&1 | head -1
--- stdout
255
Unknown page --sort key: 'ptr'

{"schema":"perf kmem stat","version":1,"hits":60,"requested":2370,"allocated":5610,"freed":4654,"cross_cpu":0,"nodeless":0,"lost":0}
Unknown slab --sort key: 'page'
--- stderr
error: '$DATA/kmem/kmem.data' has no events of the page allocator
hint: perf kmem --page record COMMAND records what is needed
error: '$DATA/kmem/kmem.data' has no events of the page allocator
hint: perf kmem --page record COMMAND records what is needed

