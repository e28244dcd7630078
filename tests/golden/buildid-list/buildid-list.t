# Build ids of recordings, of a file, of the kernel.
=== from the header
argv: perf buildid-list -f -i $DATA/perfdata/quipper-perf.data.hybrid_topology
--- stdout
4d8da7461ede4247af093af473f1c8ddaa2ba242 [kernel.kallsyms]
72d2e6b04eddddbe609e3ce78f0c16a03f516b35 [vdso]

=== only objects with hits
argv: perf buildid-list -f -H -i $DATA/perfdata/quipper-perf.data.hybrid_topology
--- stdout
4d8da7461ede4247af093af473f1c8ddaa2ba242 [kernel.kallsyms]

=== a stream has no list: the objects with hits
argv: perf buildid-list -f -i $DATA/perfdata/quipper-perf.data.piped.target.throttled-3.4
--- stdout
                                         [kernel.kallsyms]
                                         /lib/libc-2.15.so
                                         /lib/ld-2.15.so
                                         /usr/sbin/perf

=== ids of 20 bytes without a size
argv: perf buildid-list -f -i $DATA/perfdata/simpleperf-perf_etm.data
--- stdout
a42b7702ae0c32fbc1c5818b4f2b87aa00000000 /apex/com.android.runtime/lib64/bionic/libm.so
3a1df11a4578394874ce095dd2e4ea7900000000 /apex/com.android.runtime/lib64/bionic/libc.so
3eb0e2561dbfddddc4dc7928c8b7547200000000 /apex/com.android.runtime/lib64/bionic/libdl.so
038d4ab0b4ef91c520d94f73693c8c1400000000 /system/lib64/libc++.so
e5119e5d35568a2d3038aa96374e457c00000000 /apex/com.android.runtime/bin/linker64
d14fb9539651ca8022764aa0a9ea635f00000000 /system/lib64/libnetd_client.so
0c9a20bf9c009d0e4e8bbf9fad0300ae00000000 /data/local/tmp/etm_test_loop
450545a9ad27e0f0b1e8b2780de2c2b600000000 /data/local/tmp/simpleperf64

=== no such file
argv: perf buildid-list -i nonexistent.data
exit: 255
--- stderr
error: failed to open 'nonexistent.data': No such file or directory
hint: try 'perf record' first

=== of an ELF file
sh: diff <(perf buildid-list -i /bin/true) <(readelf -n /bin/true | sed -n 's/.*Build ID: //p')
needs: readelf

=== of the running kernel
sh: perf buildid-list -k | grep -qxE '[0-9a-f]{40}' && perf buildid-list -m | head -1 | grep -qE '^[0-9a-f]{40} +[0-9a-f]+ +[0-9a-f]+ \[kernel.kallsyms\]$'
needs: /sys/kernel/notes

