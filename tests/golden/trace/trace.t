# perf trace of recordings: of perf 6.1's `trace record`, and of ours.
=== calls, threads that interrupt each other, errors, calls without a name
argv: perf trace -f -i $DATA/trace/perf61.data
threads: 1 2 3
--- stderr
         ? (         ): calls/28491  ... [continued]: execve())                                           = 0
     0.306 ( 0.002 ms): calls/28491 brk()                                                                 = 0x301e8000
     0.309 ( 0.004 ms): calls/28491 brk(brk: 0x301e8d40)                                                  = 0x301e8d40
     0.320 ( 0.002 ms): calls/28491 arch_prctl(option: SET_FS, arg2: 0x301e83c0)                          = 0
     0.323 ( 0.001 ms): calls/28491 set_tid_address(tidptr: 0x301e8690)                                   = 28491 (calls)
     0.325 ( 0.001 ms): calls/28491 set_robust_list(head: 0x301e86a0, len: 24)                            = 0
     0.327 ( 0.001 ms): calls/28491 rseq(rseq: 0x301e8ce0, rseq_len: 32, sig: 0x53053053)                 = 0
     0.336 ( 0.022 ms): calls/28491 prlimit64(resource: STACK, old_rlim: 0x7ffc3050d190)                  = 0
     0.361 ( 0.029 ms): calls/28491 readlink(path: 0x490518, buf: 0x7ffc3050c100, bufsiz: 4096)           = 18
     0.392 ( 0.002 ms): calls/28491 getrandom(ubuf: 0x4c12a8, len: 8, flags: NONBLOCK)                    = 8
     0.399 ( 0.001 ms): calls/28491 brk()                                                                 = 0x301e8d40
     0.401 ( 0.005 ms): calls/28491 brk(brk: 0x30209d40)                                                  = 0x30209d40
     0.408 ( 0.001 ms): calls/28491 brk(brk: 0x3020a000)                                                  = 0x3020a000
     0.437 ( 0.010 ms): calls/28491 mprotect(start: 0x4b6000, len: 16384, prot: READ)                     = 0
     0.451 ( 0.012 ms): calls/28491 openat(dfd: CWD, filename: 0x48c004, flags: RDWR|CLOEXEC|CREAT, mode: IRUGO|IWUSR) = 3
     0.464 ( 0.002 ms): calls/28491 fcntl(fd: 3, cmd: SETFL, arg: RDONLY|APPEND|NONBLOCK)                 = 0
     0.467 ( 0.001 ms): calls/28491 fcntl(fd: 3, cmd: GETFL)                                              = RDWR|APPEND|LARGEFILE|NONBLOCK
     0.469 ( 0.001 ms): calls/28491 fcntl(fd: 3, cmd: SETFD, arg: CLOEXEC)                                = 0
     0.471 ( 0.002 ms): calls/28491 lseek(fd: 3, whence: SET)                                             = 0
     0.474 ( 0.017 ms): calls/28491 mmap(len: 8192, prot: READ|WRITE, flags: PRIVATE|ANONYMOUS|NORESERVE) = 0x7f8cfb48f000
     0.492 ( 0.017 ms): calls/28491 socket(family: INET, type: STREAM|CLOEXEC, protocol: TCP)             = 5
     0.509 ( 0.018 ms): calls/28491 close(fd: 5)                                                          = 0
     0.528 (10.591 ms): calls/28491 poll(timeout_msecs: 1)                                                = 0 (Timeout)
    11.126 ( 0.006 ms): calls/28491 access(filename: 0x48c00e, mode: RX)                                  = -1 ENOENT (No such file or directory)
    11.133 ( 0.009 ms): calls/28491 mkdir(pathname: 0x48c01b, mode: IRUGO|IXUGO|IWUSR)                    = -1 ENOENT (No such file or directory)
    11.143 ( 0.001 ms): calls/28491 getpid()                                                              = 28491
    11.146 ( 0.005 ms): calls/28491 kill(pid: 28491 (calls))                                              = 0
    11.152 ( 0.001 ms): calls/28491 getpid()                                                              = 28491
    11.153 ( 0.004 ms): calls/28491 kill(pid: 28491 (calls), sig: CHLD)                                   = 0
    11.158 ( 0.003 ms): calls/28491 futex(uaddr: 0x7ffc3050d0fc, op: WAKE|PRIVATE_FLAG, val: 1)           = 0
    11.164 ( 0.001 ms): calls/28491 rt_sigaction(sig: RT_1, act: 0x7ffc3050ce50, sigsetsize: 8)           = 0
    11.166 ( 0.001 ms): calls/28491 rt_sigprocmask(how: UNBLOCK, nset: 0x7ffc3050d008, sigsetsize: 8)     = 0
    11.168 ( 0.017 ms): calls/28491 mmap(len: 8392704, flags: PRIVATE|ANONYMOUS|STACK)                    = 0x7f8cfac8e000
    11.186 ( 0.011 ms): calls/28491 mprotect(start: 0x7f8cfac8f000, len: 8388608, prot: READ|WRITE)       = 0
    11.211 ( 0.001 ms): calls/28491 rt_sigprocmask(how: BLOCK, nset: 0x48d690, oset: 0x7ffc3050cff8, sigsetsize: 8) = 0
    11.214 ( 0.168 ms): calls/28491 clone3(uargs: 0x7ffc3050cf10, size: 88)                               = 28499
    11.383 ( 0.001 ms): calls/28491 rt_sigprocmask(how: SETMASK, nset: 0x7ffc3050cff8, sigsetsize: 8)     = 0
    11.385 ( 0.005 ms): calls/28491 mmap(len: 8392704, flags: PRIVATE|ANONYMOUS|STACK)                    = 0x7f8cfa48d000
    11.391 ( 0.006 ms): calls/28491 mprotect(start: 0x7f8cfa48e000, len: 8388608, prot: READ|WRITE)       = 0
    11.410 ( 0.001 ms): calls/28491 rt_sigprocmask(how: BLOCK, nset: 0x48d690, oset: 0x7ffc3050cff8, sigsetsize: 8) = 0
    11.412 ( 0.054 ms): calls/28491 clone3(uargs: 0x7ffc3050cf10, size: 88)                               = 28500
    11.467 ( 0.001 ms): calls/28491 rt_sigprocmask(how: SETMASK, nset: 0x7ffc3050cff8, sigsetsize: 8)     = 0
         ? (         ): calls/28499  ... [continued]: clone3())                                           = 0
    11.469 (         ): calls/28491 futex(uaddr: 0x7f8cfb48e990, op: WAIT_BITSET|CLOCK_REALTIME, val: 28499, val3: MATCH_ANY) ...
    11.479 ( 0.001 ms): calls/28499 rseq(rseq: 0x7f8cfb48efe0, rseq_len: 32, sig: 0x53053053)             = 0
    11.480 ( 0.001 ms): calls/28499 set_robust_list(head: 0x7f8cfb48e9a0, len: 24)                        = 0
    11.482 ( 0.001 ms): calls/28499 rt_sigprocmask(how: SETMASK, nset: 0x7f8cfb48efb0, sigsetsize: 8)     = 0
         ? (         ): calls/28500  ... [continued]: clone3())                                           = 0
    11.484 (         ): calls/28499 clock_nanosleep(rqtp: 0x7f8cfb48e240)                              ...
    11.501 ( 0.001 ms): calls/28500 rseq(rseq: 0x7f8cfac8dfe0, rseq_len: 32, sig: 0x53053053)             = 0
    11.503 ( 0.001 ms): calls/28500 set_robust_list(head: 0x7f8cfac8d9a0, len: 24)                        = 0
    11.504 ( 0.001 ms): calls/28500 rt_sigprocmask(how: SETMASK, nset: 0x7f8cfac8dfb0, sigsetsize: 8)     = 0
    11.505 ( 3.063 ms): calls/28500 clock_nanosleep(rqtp: 0x7f8cfac8d240)                                 = 0
    14.575 ( 0.001 ms): calls/28500 syscall_1000(arg0: 0x1, arg1: 0x2, arg2: 0x3, arg4: 0x7ffc3050cff7)   = -1 ENOSYS (Function not implemented)
    14.579 ( 0.001 ms): calls/28500 rt_sigprocmask(how: BLOCK, nset: 0x7f8cfac8dfb0, sigsetsize: 8)       = 0
    14.582 ( 0.009 ms): calls/28500 madvise(start: 0x7f8cfa48d000, len_in: 8372224, behavior: MADV_DONTNEED) = 0
    14.592 (         ): calls/28500 exit()                                                                = ?
    11.484 ( 3.168 ms): calls/28499  ... [continued]: clock_nanosleep())                                  = 0
    14.655 ( 0.001 ms): calls/28499 syscall_1000(arg0: 0x1, arg1: 0x2, arg2: 0x3, arg4: 0x7ffc3050cff7)   = -1 ENOSYS (Function not implemented)
    14.657 ( 0.001 ms): calls/28499 rt_sigprocmask(how: BLOCK, nset: 0x7f8cfb48efb0, sigsetsize: 8)       = 0
    14.659 ( 0.003 ms): calls/28499 madvise(start: 0x7f8cfac8e000, len_in: 8372224, behavior: MADV_DONTNEED) = 0
    14.663 (         ): calls/28499 exit()                                                                = ?
    11.469 ( 3.225 ms): calls/28491  ... [continued]: futex())                                            = 0
    14.698 ( 0.194 ms): calls/28491 clone(clone_flags: CHILD_CLEARTID|CHILD_SETTID|CHLD, child_tidptr: 0x301e8690) = 28501 (calls)
         ? (         ): calls/28501  ... [continued]: clone())                                            = 0
    14.912 (         ): calls/28491 wait4(upid: -1, stat_addr: 0x7ffc3050d0fc)                         ...
    14.927 ( 0.001 ms): calls/28501 set_robust_list(head: 0x301e86a0, len: 24)                            = 0
    14.948 ( 0.012 ms): calls/28501 openat(dfd: CWD, filename: 0x48c00e)                                  = -1 ENOENT (No such file or directory)
    14.961 (         ): calls/28501 exit_group(error_code: 3)                                             = ?
    14.912 ( 2.046 ms): calls/28491  ... [continued]: wait4())                                            = 28501 (calls)
    16.969 (         ): calls/28491 exit_group()                                                          = ?

=== what we record is read the same way
argv: perf trace -f -i $DATA/trace/calls.data --failure
--- stderr
     1.726 ( 0.005 ms): calls/28528 access(filename: 0x48c00e, mode: RX)                                  = -1 ENOENT (No such file or directory)
     1.732 ( 0.011 ms): calls/28528 mkdir(pathname: 0x48c01b, mode: IRUGO|IXUGO|IWUSR)                    = -1 ENOENT (No such file or directory)
     5.226 ( 0.001 ms): calls/28530 syscall_1000(arg0: 0x1, arg1: 0x2, arg2: 0x3, arg4: 0x7fffc843cca7)   = -1 ENOSYS (Function not implemented)
     5.307 ( 0.001 ms): calls/28529 syscall_1000(arg0: 0x1, arg1: 0x2, arg2: 0x3, arg4: 0x7fffc843cca7)   = -1 ENOSYS (Function not implemented)
     5.647 ( 0.015 ms): calls/28531 openat(dfd: CWD, filename: 0x48c00e)                                  = -1 ENOENT (No such file or directory)

=== tables by thread, errors by name
argv: perf trace -f -i $DATA/trace/perf61.data -s --errno-summary
threads: 1 2 3
--- stderr

 Summary of events:

 calls (28491), 90 events, 70.3%

   syscall            calls  errors  total       min       avg       max       stddev
                                     (msec)    (msec)    (msec)    (msec)        (%)
   --------------- --------  ------ -------- --------- --------- ---------     ------
   poll                   1      0    10.591    10.591    10.591    10.591      0.00%
   futex                  2      0     3.228     0.003     1.614     3.225     99.84%
   wait4                  1      0     2.046     2.046     2.046     2.046      0.00%
   clone3                 2      0     0.222     0.054     0.111     0.168     51.27%
   clone                  1      0     0.194     0.194     0.194     0.194      0.00%
   mmap                   3      0     0.038     0.005     0.013     0.017     31.48%
   readlink               1      0     0.029     0.029     0.029     0.029      0.00%
   mprotect               3      0     0.027     0.006     0.009     0.011     18.29%
   prlimit64              1      0     0.022     0.022     0.022     0.022      0.00%
   close                  1      0     0.018     0.018     0.018     0.018      0.00%
   socket                 1      0     0.017     0.017     0.017     0.017      0.00%
   brk                    5      0     0.013     0.001     0.003     0.005     29.56%
   openat                 1      0     0.012     0.012     0.012     0.012      0.00%
   kill                   2      0     0.009     0.004     0.005     0.005     10.99%
   mkdir                  1      1     0.009     0.009     0.009     0.009      0.00%
				ENOENT: 1
   access                 1      1     0.006     0.006     0.006     0.006      0.00%
				ENOENT: 1
   rt_sigprocmask         5      0     0.005     0.001     0.001     0.001      8.89%
   fcntl                  3      0     0.004     0.001     0.001     0.002     20.32%
   getrandom              1      0     0.002     0.002     0.002     0.002      0.00%
   lseek                  1      0     0.002     0.002     0.002     0.002      0.00%
   arch_prctl             1      0     0.002     0.002     0.002     0.002      0.00%
   getpid                 2      0     0.002     0.001     0.001     0.001     14.15%
   set_tid_address        1      0     0.001     0.001     0.001     0.001      0.00%
   rseq                   1      0     0.001     0.001     0.001     0.001      0.00%
   rt_sigaction           1      0     0.001     0.001     0.001     0.001      0.00%
   set_robust_list        1      0     0.001     0.001     0.001     0.001      0.00%
   execve                 1      0     0.000     0.000     0.000     0.000      0.00%


 calls (28499), 16 events, 12.5%

   syscall            calls  errors  total       min       avg       max       stddev
                                     (msec)    (msec)    (msec)    (msec)        (%)
   --------------- --------  ------ -------- --------- --------- ---------     ------
   clock_nanosleep        1      0     3.168     3.168     3.168     3.168      0.00%
   madvise                1      0     0.003     0.003     0.003     0.003      0.00%
   rt_sigprocmask         2      0     0.002     0.001     0.001     0.001     13.56%
   rseq                   1      0     0.001     0.001     0.001     0.001      0.00%
   syscall_1000           1      1     0.001     0.001     0.001     0.001      0.00%
				ENOSYS: 1
   set_robust_list        1      0     0.001     0.001     0.001     0.001      0.00%
   clone3                 1      0     0.000     0.000     0.000     0.000      0.00%


 calls (28500), 16 events, 12.5%

   syscall            calls  errors  total       min       avg       max       stddev
                                     (msec)    (msec)    (msec)    (msec)        (%)
   --------------- --------  ------ -------- --------- --------- ---------     ------
   clock_nanosleep        1      0     3.063     3.063     3.063     3.063      0.00%
   madvise                1      0     0.009     0.009     0.009     0.009      0.00%
   rt_sigprocmask         2      0     0.002     0.001     0.001     0.001     28.05%
   syscall_1000           1      1     0.001     0.001     0.001     0.001      0.00%
				ENOSYS: 1
   rseq                   1      0     0.001     0.001     0.001     0.001      0.00%
   set_robust_list        1      0     0.001     0.001     0.001     0.001      0.00%
   clone3                 1      0     0.000     0.000     0.000     0.000      0.00%


 calls (28501), 6 events, 4.7%

   syscall            calls  errors  total       min       avg       max       stddev
                                     (msec)    (msec)    (msec)    (msec)        (%)
   --------------- --------  ------ -------- --------- --------- ---------     ------
   openat                 1      1     0.012     0.012     0.012     0.012      0.00%
				ENOENT: 1
   set_robust_list        1      0     0.001     0.001     0.001     0.001      0.00%
   clone                  1      0     0.000     0.000     0.000     0.000      0.00%



=== one table for all, the heaviest calls
argv: perf trace -f -i $DATA/trace/perf61.data -s --summary-mode total --max-summary 3
--- stderr

 Summary of events:

 total, 128 events

   syscall            calls  errors  total       min       avg       max       stddev
                                     (msec)    (msec)    (msec)    (msec)        (%)
   --------------- --------  ------ -------- --------- --------- ---------     ------
   poll                   1      0    10.591    10.591    10.591    10.591      0.00%
   clock_nanosleep        2      0     6.232     3.063     3.116     3.168      1.68%
   futex                  2      0     3.228     0.003     1.614     3.225     99.84%



=== calls by name, glob and group
argv: perf trace -f -i $DATA/trace/perf61.data -e clone3,open*,network
--- stderr
     0.451 ( 0.012 ms): calls/28491 openat(dfd: CWD, filename: 0x48c004, flags: RDWR|CLOEXEC|CREAT, mode: IRUGO|IWUSR) = 3
     0.492 ( 0.017 ms): calls/28491 socket(family: INET, type: STREAM|CLOEXEC, protocol: TCP)             = 5
    11.214 ( 0.168 ms): calls/28491 clone3(uargs: 0x7ffc3050cf10, size: 88)                               = 28499
    11.412 ( 0.054 ms): calls/28491 clone3(uargs: 0x7ffc3050cf10, size: 88)                               = 28500
         ? (         ): calls/28499  ... [continued]: clone3())                                           = 0
         ? (         ): calls/28500  ... [continued]: clone3())                                           = 0
    14.948 ( 0.012 ms): calls/28501 openat(dfd: CWD, filename: 0x48c00e)                                  = -1 ENOENT (No such file or directory)

=== all calls but those, and tables
argv: perf trace -f -i $DATA/trace/perf61.data -S -e !file,memory,rt_*,futex,clone*,rseq,set_* --max-summary 1
--- stderr
     0.320 ( 0.002 ms): calls/28491 arch_prctl(option: SET_FS, arg2: 0x301e83c0)                          = 0
     0.336 ( 0.022 ms): calls/28491 prlimit64(resource: STACK, old_rlim: 0x7ffc3050d190)                  = 0
     0.392 ( 0.002 ms): calls/28491 getrandom(ubuf: 0x4c12a8, len: 8, flags: NONBLOCK)                    = 8
     0.464 ( 0.002 ms): calls/28491 fcntl(fd: 3, cmd: SETFL, arg: RDONLY|APPEND|NONBLOCK)                 = 0
     0.467 ( 0.001 ms): calls/28491 fcntl(fd: 3, cmd: GETFL)                                              = RDWR|APPEND|LARGEFILE|NONBLOCK
     0.469 ( 0.001 ms): calls/28491 fcntl(fd: 3, cmd: SETFD, arg: CLOEXEC)                                = 0
     0.471 ( 0.002 ms): calls/28491 lseek(fd: 3, whence: SET)                                             = 0
     0.492 ( 0.017 ms): calls/28491 socket(family: INET, type: STREAM|CLOEXEC, protocol: TCP)             = 5
     0.509 ( 0.018 ms): calls/28491 close(fd: 5)                                                          = 0
     0.528 (10.591 ms): calls/28491 poll(timeout_msecs: 1)                                                = 0 (Timeout)
    11.143 ( 0.001 ms): calls/28491 getpid()                                                              = 28491
    11.146 ( 0.005 ms): calls/28491 kill(pid: 28491 (calls))                                              = 0
    11.152 ( 0.001 ms): calls/28491 getpid()                                                              = 28491
    11.153 ( 0.004 ms): calls/28491 kill(pid: 28491 (calls), sig: CHLD)                                   = 0
    11.484 (         ): calls/28499 clock_nanosleep(rqtp: 0x7f8cfb48e240)                              ...
    11.505 ( 3.063 ms): calls/28500 clock_nanosleep(rqtp: 0x7f8cfac8d240)                                 = 0
    14.575 ( 0.001 ms): calls/28500 syscall_1000(arg0: 0x1, arg1: 0x2, arg2: 0x3, arg4: 0x7ffc3050cff7)   = -1 ENOSYS (Function not implemented)
    14.592 (         ): calls/28500 exit()                                                                = ?
    11.484 ( 3.168 ms): calls/28499  ... [continued]: clock_nanosleep())                                  = 0
    14.655 ( 0.001 ms): calls/28499 syscall_1000(arg0: 0x1, arg1: 0x2, arg2: 0x3, arg4: 0x7ffc3050cff7)   = -1 ENOSYS (Function not implemented)
    14.663 (         ): calls/28499 exit()                                                                = ?
    14.912 (         ): calls/28491 wait4(upid: -1, stat_addr: 0x7ffc3050d0fc)                         ...
    14.961 (         ): calls/28501 exit_group(error_code: 3)                                             = ?
    14.912 ( 2.046 ms): calls/28491  ... [continued]: wait4())                                            = 28501 (calls)
    16.969 (         ): calls/28491 exit_group()                                                          = ?

 Summary of events:

 calls (28491), 31 events, 24.2%

   syscall            calls  errors  total       min       avg       max       stddev
                                     (msec)    (msec)    (msec)    (msec)        (%)
   --------------- --------  ------ -------- --------- --------- ---------     ------
   poll                   1      0    10.591    10.591    10.591    10.591      0.00%


 calls (28499), 5 events, 3.9%

   syscall            calls  errors  total       min       avg       max       stddev
                                     (msec)    (msec)    (msec)    (msec)        (%)
   --------------- --------  ------ -------- --------- --------- ---------     ------
   clock_nanosleep        1      0     3.168     3.168     3.168     3.168      0.00%


 calls (28500), 5 events, 3.9%

   syscall            calls  errors  total       min       avg       max       stddev
                                     (msec)    (msec)    (msec)    (msec)        (%)
   --------------- --------  ------ -------- --------- --------- ---------     ------
   clock_nanosleep        1      0     3.063     3.063     3.063     3.063      0.00%



=== only long ones
argv: perf trace -f -i $DATA/trace/perf61.data --duration 3
--- stderr
     0.528 (10.591 ms): calls/28491 poll(timeout_msecs: 1)                                                = 0 (Timeout)
    11.505 ( 3.063 ms): calls/28500 clock_nanosleep(rqtp: 0x7f8cfac8d240)                                 = 0
    11.484 ( 3.168 ms): calls/28499 clock_nanosleep(rqtp: 0x7f8cfb48e240)                                 = 0
    11.469 ( 3.225 ms): calls/28491 futex(uaddr: 0x7f8cfb48e990, op: WAIT_BITSET|CLOCK_REALTIME, val: 28499, val3: MATCH_ANY) = 0

=== without names, with CPUs and times of the machine
argv: perf trace -f -i $DATA/trace/perf61.data -T --no-comm --show-cpu --max-events 3
--- stderr
         ? [000] (         ): 28491  ... [continued]: execve())                                           = 0
53020054.812 [000] ( 0.002 ms): 28491 brk()                                                                 = 0x301e8000
53020054.815 [000] ( 0.004 ms): 28491 brk(brk: 0x301e8d40)                                                  = 0x301e8d40

=== what is behind a line
argv: perf trace -f -i $DATA/trace/perf61.data --print-sample --max-events 2
--- stderr
 raw_syscalls:sys_exit 53020054.506 calls 28491/28491 [0]
         ? (         ): calls/28491  ... [continued]: execve())                                           = 0
raw_syscalls:sys_enter 53020054.812 calls 28491/28491 [0]
 raw_syscalls:sys_exit 53020054.814 calls 28491/28491 [0]
     0.306 ( 0.002 ms): calls/28491 brk()                                                                 = 0x301e8000

=== into a file
argv: perf trace -f -i $DATA/trace/perf61.data -o out.txt -e openat

=== other tracepoints
argv: perf trace -f -i $DATA/sched/switches.data --max-events 2
--- stderr
     0.000 (         ): perf/146 sched:sched_switch(prev_comm: "perf", prev_pid: 146 (perf), prev_prio: 120, next_comm: "kworker/0:0", next_pid: 7 (kworker/0:0-eve), next_prio: 120)
     0.836 (         ): kworker/0:0-eve/7 sched:sched_switch(prev_comm: "kworker/0:0", prev_pid: 7 (kworker/0:0-eve), prev_prio: 120, prev_state: 128, next_comm: "perf", next_pid: 146 (perf), next_prio: 120)

=== no such file
argv: perf trace -i nothing.data
exit: 255
--- stderr
error: failed to open 'nothing.data': No such file or directory
hint: try 'perf record' first

=== no call of that name
argv: perf trace -e !opennat true
exit: 129
--- stderr
'opennat' is no system call: behind '!' are their names, globs and groups

 Usage: perf trace [<options>] [<command>]
    or: perf trace [<options>] -- <command> [<options>]
    or: perf trace record [<options>] [<command>]
    or: perf trace record [<options>] -- <command> [<options>]

    -e, --event <event>   event/syscall selector. use 'perf list' to list available events

=== neither an event nor a call
argv: perf trace -e opennat true
exit: 129
--- stderr
event syntax error: 'opennat'
                     \___ parser error
Run 'perf list' for a list of valid events

 Usage: perf trace [<options>] [<command>]
    or: perf trace [<options>] -- <command> [<options>]
    or: perf trace record [<options>] [<command>]
    or: perf trace record [<options>] -- <command> [<options>]

    -e, --event <event>   event/syscall selector. use 'perf list' to list available events

=== calls to be traced and calls to be left out
argv: perf trace -e openat -e !close true
exit: 129
--- stderr
-e cannot name both calls to be traced and, with '!', calls to be left out

 Usage: perf trace [<options>] [<command>]
    or: perf trace [<options>] -- <command> [<options>]
    or: perf trace record [<options>] [<command>]
    or: perf trace record [<options>] -- <command> [<options>]

    -e, --event <event>   event/syscall selector. use 'perf list' to list available events

=== what is not here yet
argv: perf trace --map-dump x true
exit: 129
--- stderr
perf trace --map-dump is not here yet

 Usage: perf trace [<options>] [<command>]
    or: perf trace [<options>] -- <command> [<options>]
    or: perf trace record [<options>] [<command>]
    or: perf trace record [<options>] -- <command> [<options>]

        --map-dump <BPF map>
                          BPF map to periodically dump

=== page faults of another kind
argv: perf trace -F some true
exit: 129
--- stderr
'some' are no page faults: maj, min or all

 Usage: perf trace [<options>] [<command>]
    or: perf trace [<options>] -- <command> [<options>]
    or: perf trace record [<options>] [<command>]
    or: perf trace record [<options>] -- <command> [<options>]

    -F, --pf <all|maj|min>
                          Trace pagefaults

=== nothing to trace
argv: perf trace --no-syscalls true
exit: 129
--- stderr
Please specify something to trace.

 Usage: perf trace [<options>] [<command>]
    or: perf trace [<options>] -- <command> [<options>]
    or: perf trace record [<options>] [<command>]
    or: perf trace record [<options>] -- <command> [<options>]

        --syscalls        Trace syscalls

