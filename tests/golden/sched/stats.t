# perf sched stats: what perf 7.3 prints of recordings of its own.
=== a report
argv: perf sched stats report -f -i $DATA/sched/stats.1.data
--- stdout
Description
\----------------------------------------------------------------------------------------------------
DESC                          -> Description of the field
COUNT                         -> Value of the field
PCT_CHANGE                    -> Percent change with corresponding base value
AVG_JIFFIES                   -> Avg time in jiffies between two consecutive occurrence of event
\----------------------------------------------------------------------------------------------------

Time elapsed (in jiffies)                                        :         274
\----------------------------------------------------------------------------------------------------
CPU: <ALL CPUS SUMMARY>
\----------------------------------------------------------------------------------------------------
DESC                                                                     COUNT   PCT_CHANGE
\----------------------------------------------------------------------------------------------------
yld_count                                                        :           0
array_exp                                                        :           0
sched_count                                                      :          42
sched_goidle                                                     :          18  (    42.86% )
ttwu_count                                                       :          22
ttwu_local                                                       :          13  (    59.09% )
rq_cpu_time                                                      :    49987767
run_delay                                                        :     2759439  (     5.52% )
pcount                                                           :          26
\----------------------------------------------------------------------------------------------------
CPU: <ALL CPUS SUMMARY> | DOMAIN: MC
\----------------------------------------------------------------------------------------------------
DESC                                                                     COUNT    AVG_JIFFIES
\----------------------------------------- <Category busy> ------------------------------------------
busy_lb_count                                                    :           0  $        0.00 $
busy_lb_balanced                                                 :           0  $        0.00 $
busy_lb_failed                                                   :           0  $        0.00 $
busy_lb_imbalance_load                                           :           0
busy_lb_imbalance_util                                           :           0
busy_lb_imbalance_task                                           :           0
busy_lb_imbalance_misfit                                         :           0
busy_lb_gained                                                   :           0
busy_lb_hot_gained                                               :           0
busy_lb_nobusyq                                                  :           0  $        0.00 $
busy_lb_nobusyg                                                  :           0  $        0.00 $
*busy_lb_success_count                                           :           0
*busy_lb_avg_pulled                                              :        0.00
\----------------------------------------- <Category idle> ------------------------------------------
idle_lb_count                                                    :          18  $       15.22 $
idle_lb_balanced                                                 :          18  $       15.22 $
idle_lb_failed                                                   :           0  $        0.00 $
idle_lb_imbalance_load                                           :           0
idle_lb_imbalance_util                                           :           0
idle_lb_imbalance_task                                           :           0
idle_lb_imbalance_misfit                                         :           0
idle_lb_gained                                                   :           0
idle_lb_hot_gained                                               :           0
idle_lb_nobusyq                                                  :           0  $        0.00 $
idle_lb_nobusyg                                                  :          18  $       15.22 $
*idle_lb_success_count                                           :           0
*idle_lb_avg_pulled                                              :        0.00
\---------------------------------------- <Category newidle> ----------------------------------------
newidle_lb_count                                                 :           0  $        0.00 $
newidle_lb_balanced                                              :           0  $        0.00 $
newidle_lb_failed                                                :           0  $        0.00 $
newidle_lb_imbalance_load                                        :           0
newidle_lb_imbalance_util                                        :           0
newidle_lb_imbalance_task                                        :           0
newidle_lb_imbalance_misfit                                      :           0
newidle_lb_gained                                                :           0
newidle_lb_hot_gained                                            :           0
newidle_lb_nobusyq                                               :           0  $        0.00 $
newidle_lb_nobusyg                                               :           0  $        0.00 $
*newidle_lb_success_count                                        :           0
*newidle_lb_avg_pulled                                           :        0.00
\--------------------------------- <Category active_load_balance()> ---------------------------------
alb_count                                                        :           0
alb_failed                                                       :           0
alb_pushed                                                       :           0
\--------------------------------- <Category sched_balance_exec()> ----------------------------------
sbe_count                                                        :           0
sbe_balanced                                                     :           0
sbe_pushed                                                       :           0
\--------------------------------- <Category sched_balance_fork()> ----------------------------------
sbf_count                                                        :           0
sbf_balanced                                                     :           0
sbf_pushed                                                       :           0
\------------------------------------------ <Wakeup Info> -------------------------------------------
ttwu_wake_remote                                                 :           9
ttwu_move_affine                                                 :           0
ttwu_move_balance                                                :           0
\----------------------------------------------------------------------------------------------------
\----------------------------------------------------------------------------------------------------
CPU: 0
\----------------------------------------------------------------------------------------------------
DESC                                                                     COUNT   PCT_CHANGE
\----------------------------------------------------------------------------------------------------
yld_count                                                        :           0
array_exp                                                        :           0
sched_count                                                      :          79
sched_goidle                                                     :          33  (    41.77% )
ttwu_count                                                       :          26
ttwu_local                                                       :          25  (    96.15% )
rq_cpu_time                                                      :    65828225
run_delay                                                        :     5418609  (     8.23% )
pcount                                                           :          46
\----------------------------------------------------------------------------------------------------
CPU: 0 | DOMAIN: MC | DOMAIN_CPUS: 0-1
\----------------------------------------------------------------------------------------------------
DESC                                                                     COUNT    AVG_JIFFIES
\----------------------------------------- <Category busy> ------------------------------------------
busy_lb_count                                                    :           1  $      274.00 $
busy_lb_balanced                                                 :           1  $      274.00 $
busy_lb_failed                                                   :           0  $        0.00 $
busy_lb_imbalance_load                                           :           0
busy_lb_imbalance_util                                           :           0
busy_lb_imbalance_task                                           :           0
busy_lb_imbalance_misfit                                         :           0
busy_lb_gained                                                   :           0
busy_lb_hot_gained                                               :           0
busy_lb_nobusyq                                                  :           0  $        0.00 $
busy_lb_nobusyg                                                  :           1  $      274.00 $
*busy_lb_success_count                                           :           0
*busy_lb_avg_pulled                                              :        0.00
\----------------------------------------- <Category idle> ------------------------------------------
idle_lb_count                                                    :          32  $        8.56 $
idle_lb_balanced                                                 :          32  $        8.56 $
idle_lb_failed                                                   :           0  $        0.00 $
idle_lb_imbalance_load                                           :           0
idle_lb_imbalance_util                                           :           0
idle_lb_imbalance_task                                           :           0
idle_lb_imbalance_misfit                                         :           0
idle_lb_gained                                                   :           0
idle_lb_hot_gained                                               :           0
idle_lb_nobusyq                                                  :           0  $        0.00 $
idle_lb_nobusyg                                                  :          32  $        8.56 $
*idle_lb_success_count                                           :           0
*idle_lb_avg_pulled                                              :        0.00
\---------------------------------------- <Category newidle> ----------------------------------------
newidle_lb_count                                                 :           1  $      274.00 $
newidle_lb_balanced                                              :           1  $      274.00 $
newidle_lb_failed                                                :           0  $        0.00 $
newidle_lb_imbalance_load                                        :           0
newidle_lb_imbalance_util                                        :           0
newidle_lb_imbalance_task                                        :           0
newidle_lb_imbalance_misfit                                      :           0
newidle_lb_gained                                                :           0
newidle_lb_hot_gained                                            :           0
newidle_lb_nobusyq                                               :           0  $        0.00 $
newidle_lb_nobusyg                                               :           1  $      274.00 $
*newidle_lb_success_count                                        :           0
*newidle_lb_avg_pulled                                           :        0.00
\--------------------------------- <Category active_load_balance()> ---------------------------------
alb_count                                                        :           0
alb_failed                                                       :           0
alb_pushed                                                       :           0
\--------------------------------- <Category sched_balance_exec()> ----------------------------------
sbe_count                                                        :           0
sbe_balanced                                                     :           0
sbe_pushed                                                       :           0
\--------------------------------- <Category sched_balance_fork()> ----------------------------------
sbf_count                                                        :           0
sbf_balanced                                                     :           0
sbf_pushed                                                       :           0
\------------------------------------------ <Wakeup Info> -------------------------------------------
ttwu_wake_remote                                                 :           1
ttwu_move_affine                                                 :           0
ttwu_move_balance                                                :           0
\----------------------------------------------------------------------------------------------------
\----------------------------------------------------------------------------------------------------
CPU: 1
\----------------------------------------------------------------------------------------------------
DESC                                                                     COUNT   PCT_CHANGE
\----------------------------------------------------------------------------------------------------
yld_count                                                        :           0
array_exp                                                        :           0
sched_count                                                      :           6
sched_goidle                                                     :           3  (    50.00% )
ttwu_count                                                       :          19
ttwu_local                                                       :           2  (    10.53% )
rq_cpu_time                                                      :    34147309
run_delay                                                        :      100269  (     0.29% )
pcount                                                           :           6
\----------------------------------------------------------------------------------------------------
CPU: 1 | DOMAIN: MC | DOMAIN_CPUS: 0-1
\----------------------------------------------------------------------------------------------------
DESC                                                                     COUNT    AVG_JIFFIES
\----------------------------------------- <Category busy> ------------------------------------------
busy_lb_count                                                    :           0  $        0.00 $
busy_lb_balanced                                                 :           0  $        0.00 $
busy_lb_failed                                                   :           0  $        0.00 $
busy_lb_imbalance_load                                           :           0
busy_lb_imbalance_util                                           :           0
busy_lb_imbalance_task                                           :           0
busy_lb_imbalance_misfit                                         :           0
busy_lb_gained                                                   :           0
busy_lb_hot_gained                                               :           0
busy_lb_nobusyq                                                  :           0  $        0.00 $
busy_lb_nobusyg                                                  :           0  $        0.00 $
*busy_lb_success_count                                           :           0
*busy_lb_avg_pulled                                              :        0.00
\----------------------------------------- <Category idle> ------------------------------------------
idle_lb_count                                                    :           4  $       68.50 $
idle_lb_balanced                                                 :           4  $       68.50 $
idle_lb_failed                                                   :           0  $        0.00 $
idle_lb_imbalance_load                                           :           0
idle_lb_imbalance_util                                           :           0
idle_lb_imbalance_task                                           :           0
idle_lb_imbalance_misfit                                         :           0
idle_lb_gained                                                   :           0
idle_lb_hot_gained                                               :           0
idle_lb_nobusyq                                                  :           0  $        0.00 $
idle_lb_nobusyg                                                  :           4  $       68.50 $
*idle_lb_success_count                                           :           0
*idle_lb_avg_pulled                                              :        0.00
\---------------------------------------- <Category newidle> ----------------------------------------
newidle_lb_count                                                 :           0  $        0.00 $
newidle_lb_balanced                                              :           0  $        0.00 $
newidle_lb_failed                                                :           0  $        0.00 $
newidle_lb_imbalance_load                                        :           0
newidle_lb_imbalance_util                                        :           0
newidle_lb_imbalance_task                                        :           0
newidle_lb_imbalance_misfit                                      :           0
newidle_lb_gained                                                :           0
newidle_lb_hot_gained                                            :           0
newidle_lb_nobusyq                                               :           0  $        0.00 $
newidle_lb_nobusyg                                               :           0  $        0.00 $
*newidle_lb_success_count                                        :           0
*newidle_lb_avg_pulled                                           :        0.00
\--------------------------------- <Category active_load_balance()> ---------------------------------
alb_count                                                        :           0
alb_failed                                                       :           0
alb_pushed                                                       :           0
\--------------------------------- <Category sched_balance_exec()> ----------------------------------
sbe_count                                                        :           0
sbe_balanced                                                     :           0
sbe_pushed                                                       :           0
\--------------------------------- <Category sched_balance_fork()> ----------------------------------
sbf_count                                                        :           0
sbf_balanced                                                     :           0
sbf_pushed                                                       :           0
\------------------------------------------ <Wakeup Info> -------------------------------------------
ttwu_wake_remote                                                 :          17
ttwu_move_affine                                                 :           1
ttwu_move_balance                                                :           0
\----------------------------------------------------------------------------------------------------

=== one CPU, and what the counters mean
sh: perf sched stats report -f -C 0 -v -i $DATA/sched/stats.1.data | grep -n '^CPU\|^schedule\|newly idle$\|yield\|cache-cold'
--- stdout
11:CPU: <ALL CPUS SUMMARY>
15:sched_yield() count                                              :           0
17:schedule() called                                                :          79
18:schedule() left the processor idle                               :          33  (    41.77% )
25:CPU: <ALL CPUS SUMMARY> | DOMAIN: MC
84:try_to_wake_up() moved task because cache-cold on own cpu        :           0
88:CPU: 0
92:sched_yield() count                                              :           0
94:schedule() called                                                :          79
95:schedule() left the processor idle                               :          33  (    41.77% )
102:CPU: 0 | DOMAIN: MC | DOMAIN_CPUS: 0-1
161:try_to_wake_up() moved task because cache-cold on own cpu        :           0
=== two recordings
argv: perf sched stats diff -f $DATA/sched/stats.1.data $DATA/sched/stats.2.data
--- stdout
Description
\----------------------------------------------------------------------------------------------------
DESC                          -> Description of the field
COUNT                         -> Value of the field
PCT_CHANGE                    -> Percent change with corresponding base value
AVG_JIFFIES                   -> Avg time in jiffies between two consecutive occurrence of event
\----------------------------------------------------------------------------------------------------

Time elapsed (in jiffies)                                        :         274,        846
\----------------------------------------------------------------------------------------------------
CPU: <ALL CPUS SUMMARY>
\----------------------------------------------------------------------------------------------------
DESC                                                                    COUNT1      COUNT2   PCT_CHANGE    PCT_CHANGE1 PCT_CHANGE2
\----------------------------------------------------------------------------------------------------
yld_count                                                        :           0,          0  |     0.00% |
array_exp                                                        :           0,          0  |     0.00% |
sched_count                                                      :          42,       1185  |  2721.43% |
sched_goidle                                                     :          18,        571  |  3072.22% |  (    42.86%,     48.19% )
ttwu_count                                                       :          22,        597  |  2613.64% |
ttwu_local                                                       :          13,        222  |  1607.69% |  (    59.09%,     37.19% )
rq_cpu_time                                                      :    49987767, 1548139354  |  2997.04% |
run_delay                                                        :     2759439,   83550677  |  2927.81% |  (     5.52%,      5.40% )
pcount                                                           :          26,        608  |  2238.46% |
\----------------------------------------------------------------------------------------------------
CPU: <ALL CPUS SUMMARY> | DOMAIN: MC
\----------------------------------------------------------------------------------------------------
DESC                                                                    COUNT1      COUNT2   PCT_CHANGE     AVG_JIFFIES1 AVG_JIFFIES2
\----------------------------------------- <Category busy> ------------------------------------------
busy_lb_count                                                    :           0,          2  |     0.00% |  $        0.00,      423.00 $
busy_lb_balanced                                                 :           0,          2  |     0.00% |  $        0.00,      423.00 $
busy_lb_failed                                                   :           0,          0  |     0.00% |  $        0.00,        0.00 $
busy_lb_imbalance_load                                           :           0,          0  |     0.00% |
busy_lb_imbalance_util                                           :           0,          0  |     0.00% |
busy_lb_imbalance_task                                           :           0,          0  |     0.00% |
busy_lb_imbalance_misfit                                         :           0,          0  |     0.00% |
busy_lb_gained                                                   :           0,          0  |     0.00% |
busy_lb_hot_gained                                               :           0,          0  |     0.00% |
busy_lb_nobusyq                                                  :           0,          0  |     0.00% |  $        0.00,        0.00 $
busy_lb_nobusyg                                                  :           0,          2  |     0.00% |  $        0.00,      423.00 $
*busy_lb_success_count                                           :           0,          0  |     0.00% |
*busy_lb_avg_pulled                                              :        0.00,       0.00  |     0.00% |
\----------------------------------------- <Category idle> ------------------------------------------
idle_lb_count                                                    :          18,        282  |  1466.67% |  $       15.22,        3.00 $
idle_lb_balanced                                                 :          18,        281  |  1461.11% |  $       15.22,        3.01 $
idle_lb_failed                                                   :           0,          0  |     0.00% |  $        0.00,        0.00 $
idle_lb_imbalance_load                                           :           0,          0  |     0.00% |
idle_lb_imbalance_util                                           :           0,          0  |     0.00% |
idle_lb_imbalance_task                                           :           0,          1  |     0.00% |
idle_lb_imbalance_misfit                                         :           0,          0  |     0.00% |
idle_lb_gained                                                   :           0,          1  |     0.00% |
idle_lb_hot_gained                                               :           0,          0  |     0.00% |
idle_lb_nobusyq                                                  :           0,          0  |     0.00% |  $        0.00,        0.00 $
idle_lb_nobusyg                                                  :          18,        281  |  1461.11% |  $       15.22,        3.01 $
*idle_lb_success_count                                           :           0,          1  |     0.00% |
*idle_lb_avg_pulled                                              :        0.00,       1.00  |     0.00% |
\---------------------------------------- <Category newidle> ----------------------------------------
newidle_lb_count                                                 :           0,          8  |     0.00% |  $        0.00,      105.75 $
newidle_lb_balanced                                              :           0,          8  |     0.00% |  $        0.00,      105.75 $
newidle_lb_failed                                                :           0,          0  |     0.00% |  $        0.00,        0.00 $
newidle_lb_imbalance_load                                        :           0,          0  |     0.00% |
newidle_lb_imbalance_util                                        :           0,          0  |     0.00% |
newidle_lb_imbalance_task                                        :           0,          0  |     0.00% |
newidle_lb_imbalance_misfit                                      :           0,          0  |     0.00% |
newidle_lb_gained                                                :           0,          0  |     0.00% |
newidle_lb_hot_gained                                            :           0,          0  |     0.00% |
newidle_lb_nobusyq                                               :           0,          0  |     0.00% |  $        0.00,        0.00 $
newidle_lb_nobusyg                                               :           0,          8  |     0.00% |  $        0.00,      105.75 $
*newidle_lb_success_count                                        :           0,          0  |     0.00% |
*newidle_lb_avg_pulled                                           :        0.00,       0.00  |     0.00% |
\--------------------------------- <Category active_load_balance()> ---------------------------------
alb_count                                                        :           0,          0  |     0.00% |
alb_failed                                                       :           0,          0  |     0.00% |
alb_pushed                                                       :           0,          0  |     0.00% |
\--------------------------------- <Category sched_balance_exec()> ----------------------------------
sbe_count                                                        :           0,          0  |     0.00% |
sbe_balanced                                                     :           0,          0  |     0.00% |
sbe_pushed                                                       :           0,          0  |     0.00% |
\--------------------------------- <Category sched_balance_fork()> ----------------------------------
sbf_count                                                        :           0,          0  |     0.00% |
sbf_balanced                                                     :           0,          0  |     0.00% |
sbf_pushed                                                       :           0,          0  |     0.00% |
\------------------------------------------ <Wakeup Info> -------------------------------------------
ttwu_wake_remote                                                 :           9,        375  |  4066.67% |
ttwu_move_affine                                                 :           0,          2  |     0.00% |
ttwu_move_balance                                                :           0,          0  |     0.00% |
\----------------------------------------------------------------------------------------------------

=== what does not fit
sh: for w in "report -f -i $DATA/sched/switches.data" "report -f -C 7 -i $DATA/sched/stats.1.data" "report -f -C x -i $DATA/sched/stats.1.data" "report -i none.data" "diff $DATA/sched/stats.1.data"; do perf sched stats $w 2>&1 | head -2 | grep .; done
--- stdout
error: '$DATA/sched/switches.data' does not have the scheduler's counters twice
hint: perf sched stats record COMMAND records them
error: there are no counters of CPUs '7'
error: invalid CPU list 'x'
error: failed to open 'none.data': No such file or directory
hint: try 'perf record' first
 Error: diff takes two files, or none
