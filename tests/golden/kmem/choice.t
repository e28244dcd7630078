# perf kmem stat -p, -t: what some tasks asked for, whoever frees it.
=== objects
sh: python3 $DATA/../tools/make_kmem_file.py f.data && for o in '-t 10' '-p 20' '-p 10 -t 20' '-p 10-20' '-t 30' '-t x'; do echo "-- $o"; perf kmem stat --alloc -x, $o -i f.data; done
exit: 255
--- stdin
1000 task 10
2000 kmalloc 0 0x100 0x1000 10 16
3000 kmalloc 0 0x100 0x2000 20 32
4000 task 20
5000 kfree 1 0x200 0x1000
6000 kmalloc 1 0x200 0x3000 30 32
7000 task 10
8000 kfree 0 0x100 0x3000
--- stdout
-- -t 10
# type,ptr,hits,requested,allocated,pingpong
object,0x2000,1,20,32,0
object,0x1000,1,10,16,1
# type,hits,requested,allocated,freed,cross_cpu,nodeless,lost
total,2,30,48,16,0,0,0
-- -p 20
# type,ptr,hits,requested,allocated,pingpong
object,0x3000,1,30,32,1
# type,hits,requested,allocated,freed,cross_cpu,nodeless,lost
total,1,30,32,32,0,0,0
-- -p 10 -t 20
# type,ptr,hits,requested,allocated,pingpong
object,0x2000,1,20,32,0
object,0x1000,1,10,16,1
object,0x3000,1,30,32,1
# type,hits,requested,allocated,freed,cross_cpu,nodeless,lost
total,3,60,80,48,0,0,0
-- -p 10-20
# type,ptr,hits,requested,allocated,pingpong
object,0x2000,1,20,32,0
object,0x1000,1,10,16,1
object,0x3000,1,30,32,1
# type,hits,requested,allocated,freed,cross_cpu,nodeless,lost
total,3,60,80,48,0,0,0
-- -t 30
# type,hits,requested,allocated,freed,cross_cpu,nodeless,lost
total,0,0,0,0,0,0,0
-- -t x
--- stderr
error: cannot read the list of threads 'x'

=== pages: what they free themselves, too
sh: python3 $DATA/../tools/make_page_file.py --plain f.data && for o in '' '-t 10' '-p 20'; do echo "-- $o"; perf kmem stat --page --alloc -x, $o -i f.data; done
--- stdin
1000 task 10
2000 alloc 0 100 0 0xcc0 1
3000 alloc 0 200 1 0xcc0 1
3500 free 0 900 2
4000 task 20
5000 free 1 100 0
6000 alloc 1 300 0 0xcc0 1
7000 free 1 901 3
--- stdout
-- 
# type,page,callsite,hits,bytes,order,type,gfp_flags
page,0xc8,,1,8192,1,MOVABLE,GFP_KERNEL
page,0x64,,1,4096,0,MOVABLE,GFP_KERNEL
page,0x12c,,1,4096,0,MOVABLE,GFP_KERNEL
# type,of,nr,bytes
sum,allocations,3,16384
sum,frees,3,53248
sum,freed,1,4096
sum,alloc_only,2,12288
sum,free_only,2,49152
sum,failures,0,0
# type,lost
total,0
-- -t 10
# type,page,callsite,hits,bytes,order,type,gfp_flags
page,0xc8,,1,8192,1,MOVABLE,GFP_KERNEL
page,0x64,,1,4096,0,MOVABLE,GFP_KERNEL
# type,of,nr,bytes
sum,allocations,2,12288
sum,frees,2,20480
sum,freed,1,4096
sum,alloc_only,1,8192
sum,free_only,1,16384
sum,failures,0,0
# type,lost
total,0
-- -p 20
# type,page,callsite,hits,bytes,order,type,gfp_flags
page,0x12c,,1,4096,0,MOVABLE,GFP_KERNEL
# type,of,nr,bytes
sum,allocations,1,4096
sum,frees,2,36864
sum,freed,0,0
sum,alloc_only,1,4096
sum,free_only,2,36864
sum,failures,0,0
# type,lost
total,0

