# Memory accesses: --mem-mode and its keys.
=== the usual keys
argv: perf report --stdio --mem-mode -i $DATA/report/memory.data --symfs /nothing
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'raw 0x1cd:pp'
# Total weight : 1725
# Sort order   : local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat,local_p_stage_cyc
#
# Overhead  Local Weight  Memory access             Symbol                  Shared Object      Data Symbol             Data Object       Snoop         TLB access              Locked  Blocked     Local INSTR Latency
# ........  ............  ........................  ......................  .................  ......................  ................  ............  ......................  ......  ..........  ...................
#
    14.43%  249           LFB/MAB or LFB/MAB hit    [k] 0xffffffffa423a4fe  [kernel.kallsyms]  [k] 0xffffc36ac0131180  [unknown]         None          L1 or L2 hit            No       N/A        0                  
    13.91%  240           L3 or L3 hit              [.] 0x00000000018da15a  mmanager           [.] 0x0000448253ad3300  anon              None          L2 miss                 No       N/A        0                  
    13.04%  225           LFB/MAB or LFB/MAB hit    [k] 0xffffffffa4470d46  [kernel.kallsyms]  [k] 0x000055ffba5cda08  [unknown]         None          L1 or L2 hit            No       N/A        0                  
     9.74%  168           L1 or L1 hit              [.] 0x0000000002d3f3ed  highlanderd        [.] 0x00007fc3ada9f408  anon              None          L1 or L2 hit            No       N/A        0                  
     6.78%  117           L3 or L3 hit              [.] 0x00000000017b3df9  borglet            [.] 0x00004609440bd6d0  anon              None          L1 or L2 hit            No       N/A        0                  
     5.57%  96            LFB/MAB or LFB/MAB hit    [k] 0xffffffffa421a5fb  [kernel.kallsyms]  [k] 0xffffffffa5e120e8  [unknown]         None          L1 or L2 hit            No       N/A        0                  
     5.33%  92            L1 or L1 hit              [.] 0x00000000027d9c67  borglet            [.] 0x0000000004e7ca80  borglet           None          L1 or L2 hit            Yes      N/A        0                  
     5.16%  89            LFB/MAB or LFB/MAB hit    [k] 0xffffffffa4222f49  [kernel.kallsyms]  [k] 0xffff8b5520563cf8  [unknown]         None          L1 or L2 hit            No       N/A        0                  
     4.70%  81            L1 or L1 hit              [k] 0xffffffffa423a52b  [kernel.kallsyms]  [k] 0xffffc36abf0c631c  [unknown]         None          L1 or L2 hit            Yes      N/A        0                  
     4.64%  80            L3 or L3 hit              [k] 0xffffffffa421c0ee  [kernel.kallsyms]  [k] 0xffff8b6d1f362fdc  [unknown]         None          L1 or L2 hit            No       N/A        0                  
     4.46%  77            L2 or L2 hit              [k] 0xffffffffa437f8be  [kernel.kallsyms]  [k] 0xffff8b6d0d9cb308  [unknown]         None          L1 or L2 hit            No       N/A        0                  
     4.12%  71            L1 or L1 hit              [k] 0xffffffffa423a747  [kernel.kallsyms]  [k] 0xffffc36a5ba4ba40  [unknown]         None          L1 or L2 hit            No       N/A        0                  
     4.06%  70            LFB/MAB or LFB/MAB hit    [.] 0x00000000010daae4  machdocd           [.] 0x000004a1cba76618  anon              None          L1 or L2 hit            No       N/A        0                  
     4.06%  70            L3 or L3 hit              [k] 0xffffffffa423d68e  [kernel.kallsyms]  [k] 0xffff8b6ce18f1608  [unknown]         None          L1 or L2 hit            No       N/A        0                  


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== lines and objects
argv: perf report --stdio --mem-mode -s comm,dcacheline,dso_daddr -i $DATA/report/memory.data --symfs /nothing
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'raw 0x1cd:pp'
# Total weight : 1725
# Sort order   : comm,dcacheline,dso_daddr
#
# Overhead  Command    Data Cacheline          Data Object     
# ........  .........  ......................  ................
#
    14.43%  kstaled    [X] 0xffffc36ac0131180  [unknown]       
    13.91%  :19360     [.] 0x0000448253ad3300  anon            
    13.04%  :20144     [X] 0x000055ffba5cda00  [unknown]       
     9.74%  :19892     [.] 0x00007fc3ada9f400  anon            
     6.78%  :20391     [.] 0x00004609440bd6c0  anon            
     5.57%  :18995     [X] 0xffffffffa5e120c0  [unknown]       
     5.33%  :19460     [.] 0x000000000487ca80  borglet         
     5.16%  swapper    [X] 0xffff8b5520563cc0  [unknown]       
     4.70%  kreclaimd  [X] 0xffffc36abf0c6300  [unknown]       
     4.64%  swapper    [X] 0xffff8b6d1f362fc0  [unknown]       
     4.46%  :26755     [X] 0xffff8b6d0d9cb300  [unknown]       
     4.12%  kstaled    [X] 0xffffc36a5ba4ba40  [unknown]       
     4.06%  :19993     [X] 0xffff8b6ce18f1600  [unknown]       
     4.06%  :20595     [.] 0x000004a1cba76600  anon            


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== how it went, counted
argv: perf report --stdio --mem-mode -n -s mem,locked,tlb,snoop,blocked -i $DATA/report/memory.data --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'raw 0x1cd:pp'
# Total weight : 1725
# Sort order   : mem,locked,tlb,snoop,blocked
#
# Overhead       Samples  Memory access             Locked  TLB access              Snoop         Blocked   
# ........  ............  ........................  ......  ......................  ............  ..........
#
    42.26%             5  LFB/MAB or LFB/MAB hit    No      L1 or L2 hit            None           N/A
    15.48%             3  L3 or L3 hit              No      L1 or L2 hit            None           N/A
    13.91%             1  L3 or L3 hit              No      L2 miss                 None           N/A
    13.86%             2  L1 or L1 hit              No      L1 or L2 hit            None           N/A
    10.03%             2  L1 or L1 hit              Yes     L1 or L2 hit            None           N/A
     4.46%             1  L2 or L2 hit              No      L1 or L2 hit            None           N/A


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== code and data
argv: perf report --stdio --mem-mode -s symbol_iaddr,symbol_daddr -i $DATA/report/memory.data --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'raw 0x1cd:pp'
# Total weight : 1725
# Sort order   : symbol_iaddr,symbol_daddr,ipc_null
#
# Overhead  Code Symbol             Data Symbol             IPC   [IPC Coverage]
# ........  ......................  ......................  ....................
#
    14.43%  [k] 0xffffffffa423a4fe  [k] 0xffffc36ac0131180  -      -            
    13.91%  [.] 0x0000000001ada15a  [.] 0x0000448253ad3300  -      -            
    13.04%  [k] 0xffffffffa4470d46  [k] 0x000055ffba5cda08  -      -            
     9.74%  [.] 0x0000561c92f3f3ed  [.] 0x00007fc3ada9f408  -      -            
     6.78%  [.] 0x00000000019b3df9  [.] 0x00004609440bd6d0  -      -            
     5.57%  [k] 0xffffffffa421a5fb  [k] 0xffffffffa5e120e8  -      -            
     5.33%  [.] 0x00000000029d9c67  [.] 0x0000000004e7ca80  -      -            
     5.16%  [k] 0xffffffffa4222f49  [k] 0xffff8b5520563cf8  -      -            
     4.70%  [k] 0xffffffffa423a52b  [k] 0xffffc36abf0c631c  -      -            
     4.64%  [k] 0xffffffffa421c0ee  [k] 0xffff8b6d1f362fdc  -      -            
     4.46%  [k] 0xffffffffa437f8be  [k] 0xffff8b6d0d9cb308  -      -            
     4.12%  [k] 0xffffffffa423a747  [k] 0xffffc36a5ba4ba40  -      -            
     4.06%  [k] 0xffffffffa423d68e  [k] 0xffff8b6ce18f1608  -      -            
     4.06%  [.] 0x00000000012daae4  [.] 0x000004a1cba76618  -      -            


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== not recorded
argv: perf report --stdio --mem-mode -s phys_daddr,data_page_size,p_stage_cyc -i $DATA/report/memory.data --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'raw 0x1cd:pp'
# Total weight : 1725
# Sort order   : phys_daddr,data_page_size,p_stage_cyc
#
# Overhead  Data Physical Address   Data Page Size        
# ........  ......................  ......................
#
   100.00%  [k] 0000000000000000    N/A                   


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== weights of rows, samples by period
argv: perf report --stdio -s weight -i $DATA/report/memory.data --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'raw 0x1cd:pp'
# Event count (approx.): 140126
#
# Overhead  Weight      
# ........  ............
#
    14.29%  140         
     7.14%  249         
     7.14%  240         
     7.14%  225         
     7.14%  168         
     7.14%  117         
     7.14%  96          
     7.14%  92          
     7.14%  89          
     7.14%  81          
     7.14%  80          
     7.14%  77          
     7.14%  71          


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#

=== a key of memory accesses without them
argv: perf report --stdio -s mem -i $DATA/report/memory.data --symfs /nothing
exit: 129
--- stderr contains
Invalid --sort key: `mem'

=== addresses and where symbols are from
argv: perf report --stdio -v --mem-mode -s symbol_daddr,symbol_iaddr,dcacheline -i $DATA/report/memory.data --symfs /nothing
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 14  of event 'raw 0x1cd:pp'
# Total weight : 1725
# Sort order   : symbol_daddr,symbol_iaddr,dcacheline,ipc_null
#
# Overhead  Data Symbol             Code Symbol             Data Cacheline          IPC   [IPC Coverage]
# ........  ......................  ......................  ......................  ....................
#
    14.43%  0xffffc36ac0131180 ! [k] 0xffffc36ac0131180  0xffffffffa423a4fe ! [k] 0xffffffffa423a4fe  0xffffc36ac0131180 ! [X] 0xffffc36ac0131180  -      -            
    13.91%  0x448253ad3300     ! [.] 0x0000448253ad3300  0x1ada15a          ! [.] 0x0000000001ada15a  0x448253ad3300     ! [.] 0x0000448253ad3300  -      -            
    13.04%  0x55ffba5cda08     ! [k] 0x000055ffba5cda08  0xffffffffa4470d46 ! [k] 0xffffffffa4470d46  0x55ffba5cda00     ! [X] 0x000055ffba5cda00  -      -            
     9.74%  0x7fc3ada9f408     ! [.] 0x00007fc3ada9f408  0x561c92f3f3ed     ! [.] 0x0000561c92f3f3ed  0x7fc3ada9f400     ! [.] 0x00007fc3ada9f400  -      -            
     6.78%  0x4609440bd6d0     ! [.] 0x00004609440bd6d0  0x19b3df9          ! [.] 0x00000000019b3df9  0x4609440bd6c0     ! [.] 0x00004609440bd6c0  -      -            
     5.57%  0xffffffffa5e120e8 ! [k] 0xffffffffa5e120e8  0xffffffffa421a5fb ! [k] 0xffffffffa421a5fb  0xffffffffa5e120c0 ! [X] 0xffffffffa5e120c0  -      -            
     5.33%  0x4e7ca80          ! [.] 0x0000000004e7ca80  0x29d9c67          ! [.] 0x00000000029d9c67  0x487ca80          ! [.] 0x000000000487ca80  -      -            
     5.16%  0xffff8b5520563cf8 ! [k] 0xffff8b5520563cf8  0xffffffffa4222f49 ! [k] 0xffffffffa4222f49  0xffff8b5520563cc0 ! [X] 0xffff8b5520563cc0  -      -            
     4.70%  0xffffc36abf0c631c ! [k] 0xffffc36abf0c631c  0xffffffffa423a52b ! [k] 0xffffffffa423a52b  0xffffc36abf0c6300 ! [X] 0xffffc36abf0c6300  -      -            
     4.64%  0xffff8b6d1f362fdc ! [k] 0xffff8b6d1f362fdc  0xffffffffa421c0ee ! [k] 0xffffffffa421c0ee  0xffff8b6d1f362fc0 ! [X] 0xffff8b6d1f362fc0  -      -            
     4.46%  0xffff8b6d0d9cb308 ! [k] 0xffff8b6d0d9cb308  0xffffffffa437f8be ! [k] 0xffffffffa437f8be  0xffff8b6d0d9cb300 ! [X] 0xffff8b6d0d9cb300  -      -            
     4.12%  0xffffc36a5ba4ba40 ! [k] 0xffffc36a5ba4ba40  0xffffffffa423a747 ! [k] 0xffffffffa423a747  0xffffc36a5ba4ba40 ! [X] 0xffffc36a5ba4ba40  -      -            
     4.06%  0xffff8b6ce18f1608 ! [k] 0xffff8b6ce18f1608  0xffffffffa423d68e ! [k] 0xffffffffa423d68e  0xffff8b6ce18f1600 ! [X] 0xffff8b6ce18f1600  -      -            
     4.06%  0x4a1cba76618      ! [.] 0x000004a1cba76618  0x12daae4          ! [.] 0x00000000012daae4  0x4a1cba76600      ! [.] 0x000004a1cba76600  -      -            


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
--- stderr
no symbols of '[kernel.kallsyms]': the recorded kernel is not this one, and no copy of its symbols is in the build-id cache
no symbols of '/usr/local/bin/mmanager': cannot open '/usr/local/bin/mmanager'
no symbols of '/usr/local/bin/borglets/borglet-baseline/borglet': cannot open '/usr/local/bin/borglets/borglet-baseline/borglet'
no symbols of '/usr/local/bin/highlanderd': cannot open '/usr/local/bin/highlanderd'
no symbols of '/usr/local/bin/machdocd': cannot open '/usr/local/bin/machdocd'

=== variables of the kernel have an offset, as data and as code
sh: printf '%s\n' 'ffffffffa4000000 T _text' 'ffffffffa423a000 D table' 'ffffffffa4240000 t code' 'ffffffffa5e00000 d counters' > k; perf report --stdio -q --mem-mode -s sym,symbol_daddr -v -w 8 -i $DATA/report/memory.data --symfs /nothing --kallsyms k | grep '\[k\] [a-z]'; perf report --stdio -q -s sym -i $DATA/report/memory.data --symfs /nothing --kallsyms k | grep '\[k\] [a-z]'
--- stdout
    13.04%  [k] code                [k] 0x000055ffba5cda08      -      -            
     5.57%  [k] _text               [k] code                    -      -            
     7.14%  [k] code

=== widths that are asked for cut some columns
sh: perf report --stdio --mem-mode -s local_weight,mem,snoop,tlb,locked,blocked,symbol_daddr,dso_daddr -w 1,1,1,1,1,1,1,1,1,1 -i $DATA/report/memory.data --symfs /nothing | grep -A5 '^# Overhead'
--- stdout
# Overhead  L  M  S  T  L  B  D  D  I
# ........  .  .  .  .  .  .  .  .  .
#
   14.43%   249  LFB/MAB or LFB/MAB hit  None  L1 or L2 hit  N     [k] 0xffffc36ac0131180  [  -      -
   13.91%   240  L3 or L3 hit  None  L2 miss  N     [.] 0x0000448253ad3300  a  -      -
   13.04%   225  LFB/MAB or LFB/MAB hit  None  L1 or L2 hit  N     [k] 0x000055ffba5cda08  [  -      -

=== data outside of all objects: as wide as the name for that, where widths are asked for
sh: perf report --stdio --mem-mode -s mem,sym,dso_daddr -w 8,4 -i $DATA/report/memory.data --symfs /nothing | grep -A5 '^# Overhead'; perf report --stdio --mem-mode -s mem,dso_daddr -i $DATA/report/memory.data --symfs /nothing | grep '^# Overhead'
--- stdout
# Overhead  Memo  Symbol                  Data Object
# ........  ....  ......................  ...........
#
    14.43%  LFB/MAB or LFB/MAB hit  [k] 0xffffffffa423a4fe  [unknown]  
    13.91%  L3 or L3 hit  [.] 0x00000000018da15a  anon       
    13.04%  LFB/MAB or LFB/MAB hit  [k] 0xffffffffa4470d46  [unknown]  
# Overhead  Memory access             Data Object     

