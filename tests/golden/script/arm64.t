# Frame pointers on arm64 miss the caller of a function without a frame: it comes from lr. Recorded by perf 6.1,
# which shows the same functions there.
=== the caller of a leaf and of an entry of the linkage table
sh: perf script -F ip,sym -i $DATA/script/arm64/leaf.data --symfs $DATA/script/arm64 | awk 'BEGIN { RS = "" } /leaf|plt/ { gsub(/[0-9a-f]+ /, ""); gsub(/[\n\t ]+/, " "); print }' | sort | uniq -c
threads: 1 2 3
--- stdout
      4  abs@plt main [unknown] [unknown] _start
     50  leaf middle main [unknown] [unknown] _start

