# perf buildid-list: of recordings, of an ELF file, of the running kernel.
=== of a recording
argv: perf buildid-list -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
--- stdout
635d9e4f686bf3b5adf08d7a735a5260899b17a6 [kernel.kallsyms]
33b6bb158d0389f4d19701868e0d2331a02c2a80 /lib/modules/3.8.11/kernel/drivers/net/wireless-3.4/ath/ath9k/ath9k.ko
13e8dca7f4af3ede7a2c3a95856ef59340f78ecd /lib/modules/3.8.11/kernel/net/mac80211-3.4/mac80211.ko
94f90900a301bf546be58a8a6a1f85f0040c4054 /lib/modules/3.8.11/kernel/drivers/net/wireless-3.4/ath/ath9k/ath9k_hw.ko
ddfecb30f925fd5220a4778616abfcab2ac5b9ea /lib/modules/3.8.11/kernel/net/wireless-3.4/cfg80211.ko
5f2dfd78b347ff9c6119d12145ceb473ce5b0c13 /lib64/libpthread-2.15.so
3423c656d00b4346125085b98e40efb8f16013f9 /lib64/libc-2.15.so
f2ccfc79e2309a69e599cbdf86df88e542cefaae /lib64/librt-2.15.so
8fbb3178b8a4a0123788aaf45fdf9a4adf7c5753 /lib64/libm-2.15.so
23c700bbad0805aa4b44dfcf71e9d64bd3d86969 /usr/lib64/libstdc++.so.6.0.17
a8ee101da5460f0737cc760b374d39482242d6c0 /usr/lib64/libglib-2.0.so.0.3400.3
416062652c6355ce5d978474258ee45ef1551f31 /usr/lib64/libbase-core-180609.so
a6cd0dad20212895721aa290e220abf5169e8a0c /usr/bin/shill
23ddd54246fe6e8f228de7d911de01c97a9e2439 /usr/local/bin/x11vnc
8bf837e84a2a91d49e5cb32bc8a3d04df14c4e47 /opt/google/chrome/chrome
974d7d567945c43d43ba0a822aa9801d5f742b4f [vdso]

=== only what was hit
argv: perf buildid-list -H -i $DATA/perfdata/quipper-perf.data.callgraph-3.8
--- stdout
635d9e4f686bf3b5adf08d7a735a5260899b17a6 [kernel.kallsyms]
33b6bb158d0389f4d19701868e0d2331a02c2a80 /lib/modules/3.8.11/kernel/drivers/net/wireless-3.4/ath/ath9k/ath9k.ko
13e8dca7f4af3ede7a2c3a95856ef59340f78ecd /lib/modules/3.8.11/kernel/net/mac80211-3.4/mac80211.ko
94f90900a301bf546be58a8a6a1f85f0040c4054 /lib/modules/3.8.11/kernel/drivers/net/wireless-3.4/ath/ath9k/ath9k_hw.ko
ddfecb30f925fd5220a4778616abfcab2ac5b9ea /lib/modules/3.8.11/kernel/net/wireless-3.4/cfg80211.ko
5f2dfd78b347ff9c6119d12145ceb473ce5b0c13 /lib64/libpthread-2.15.so
3423c656d00b4346125085b98e40efb8f16013f9 /lib64/libc-2.15.so
f2ccfc79e2309a69e599cbdf86df88e542cefaae /lib64/librt-2.15.so
8fbb3178b8a4a0123788aaf45fdf9a4adf7c5753 /lib64/libm-2.15.so
23c700bbad0805aa4b44dfcf71e9d64bd3d86969 /usr/lib64/libstdc++.so.6.0.17
a8ee101da5460f0737cc760b374d39482242d6c0 /usr/lib64/libglib-2.0.so.0.3400.3
416062652c6355ce5d978474258ee45ef1551f31 /usr/lib64/libbase-core-180609.so
a6cd0dad20212895721aa290e220abf5169e8a0c /usr/bin/shill
23ddd54246fe6e8f228de7d911de01c97a9e2439 /usr/local/bin/x11vnc
8bf837e84a2a91d49e5cb32bc8a3d04df14c4e47 /opt/google/chrome/chrome
974d7d567945c43d43ba0a822aa9801d5f742b4f [vdso]

=== of a stream from standard input
sh: perf buildid-list -i - < $DATA/perfdata/quipper-perf.data.piped.header_features-4.16
--- stdout
                                         [kernel.kallsyms]
                                         /lib/x86_64-linux-gnu/ld-2.19.so

=== of the running kernel
sh: perf buildid-list -k | grep -cxE '[0-9a-f]{40}'
--- stdout
1

=== no file
argv: perf buildid-list
exit: 255
--- stderr
error: failed to open 'perf.data': No such file or directory
hint: try 'perf record' first

