# Samples of record --transaction, whose words were replaced: a bit each, and some at once. perf 6.1 prints the same.
=== how transactions ended
argv: perf report --stdio -s transaction -i $DATA/report/transactions.data
threads: 1 2 3
--- stdout
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 33  of event 'task-clock'
# Event count (approx.): 16500000
#
# Overhead  Transaction                     
# ........  ................................
#
     9.09%  TX NEITHER                      
     9.09%  EL NEITHER                      
     9.09%                                  
     6.06%  EL TX SYNC ASYNC RETRY CON CAP-WRITE CAP-READ :7
     6.06%  TX CAP-WRITE NEITHER :5         
     6.06%  NEITHER                         
     6.06%  CAP-READ NEITHER                
     6.06%  CON CAP-WRITE NEITHER           
     6.06%  CAP-WRITE NEITHER               
     6.06%  CON NEITHER                     
     6.06%  SYNC RETRY                      
     6.06%  EL TX RETRY NEITHER             
     6.06%  RETRY NEITHER                   
     6.06%  ASYNC                           
     6.06%  SYNC                            


#
# (Tip: For a higher level overview, try: perf report --sort comm,dso)
#
