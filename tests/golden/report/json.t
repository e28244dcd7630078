# report --json: doc/json.md. (When the file was made is another time each time.)

=== events of a group side by side
sh: perf report --json --symfs /nothing -i $DATA/report/threads-group.data -s comm | grep -v '"captured"\|"file"'
threads: 1 2 3
--- stdout
{
	"schema": "perf report",
	"version": 1,
	"header": {
		"arch": "x86_64",
		"cpus_online": 16,
		"cpus_available": 16,
		"first_sample_time": 0.000000100,
		"last_sample_time": 0.000001100
	},
	"samples": 28,
	"lost": {"samples": 0, "events": 0, "chunks": 0, "throttled": 0, "bad_samples": 0, "unknown_samples": 0},
	"only": {},
	"sections": [
		{
			"events": [
				{"name": "cpu-clock", "samples": 14, "period": 14001, "latency": 9000331},
				{"name": "task-clock", "samples": 14, "period": 7000, "latency": 4499996}
			],
			"grouped": true,
			"group": "",
			"time": null,
			"columns": [
				{"name": "overhead", "header": "Overhead", "unit": "period", "percent": true},
				{"name": "latency", "header": "Latency", "unit": "latency", "percent": true},
				{"name": "comm", "header": "Command", "unit": "text"}
			],
			"rows": [
				{"id": 0, "cells": {"overhead": [6000, 3000], "overhead_percent": [42.8541, 42.8571], "latency": [4666666, 2333332], "latency_percent": [51.8499, 51.8519], "comm": "main"}},
				{"id": 1, "cells": {"overhead": [5001, 2500], "overhead_percent": [35.7189, 35.7143], "latency": [3166999, 1583332], "latency_percent": [35.1876, 35.1852], "comm": "right"}},
				{"id": 2, "cells": {"overhead": [3000, 1500], "overhead_percent": [21.4270, 21.4286], "latency": [1166666, 583332], "latency_percent": [12.9625, 12.9629], "comm": "left"}}
			]
		}
	]
}

=== call graphs, callers accumulated
sh: perf report --json --symfs /nothing -i $DATA/report/threads.data -s comm -c main -n | grep -v '"captured"\|"file"'
threads: 1 2 3
--- stdout
{
	"schema": "perf report",
	"version": 1,
	"header": {
		"arch": "x86_64",
		"cpus_online": 16,
		"cpus_available": 16,
		"first_sample_time": 0.000000100,
		"last_sample_time": 0.000001100
	},
	"samples": 14,
	"lost": {"samples": 0, "events": 0, "chunks": 0, "throttled": 0, "bad_samples": 0, "unknown_samples": 0},
	"only": {"comm": "main"},
	"sections": [
		{
			"events": [
				{"name": "cpu-clock", "samples": 14, "period": 14001, "latency": 9000331}
			],
			"grouped": false,
			"group": null,
			"time": null,
			"callgraph": {"order": "caller", "min_percent": 0.5},
			"columns": [
				{"name": "overhead_children", "header": "Children", "unit": "period", "percent": true},
				{"name": "latency_children", "header": "Latency", "unit": "latency", "percent": true},
				{"name": "overhead", "header": "Self", "unit": "period", "percent": true},
				{"name": "latency", "header": "Latency", "unit": "latency", "percent": true},
				{"name": "sample", "header": "Samples", "unit": "samples"},
				{"name": "comm", "header": "Command", "unit": "text"}
			],
			"rows": [
				{"id": 0, "cells": {"overhead_children": 6000, "overhead_children_percent": 42.8541, "latency_children": 4666666, "latency_children_percent": 51.8499, "overhead": 6000, "overhead_percent": 42.8541, "latency": 4666666, "latency_percent": 51.8499, "sample": 6, "comm": "main"}, "callgraph": [{"id": 0, "total": 6000, "self": 0, "total_samples": 6, "self_samples": 0, "frames": []}, {"id": 1, "parent": 0, "total": 6000, "self": 0, "total_samples": 6, "self_samples": 0, "frames": [{"name": "0x401008"}]}, {"id": 2, "parent": 1, "total": 4000, "self": 3000, "total_samples": 4, "self_samples": 3, "frames": [{"name": "0x401108"}]}, {"id": 3, "parent": 2, "total": 1000, "self": 1000, "total_samples": 1, "self_samples": 1, "frames": [{"name": "0x401208"}]}, {"id": 4, "parent": 1, "total": 2000, "self": 2000, "total_samples": 2, "self_samples": 2, "frames": [{"name": "0x401308"}]}]}
			]
		}
	]
}

=== the columns that -F names, rows above a limit
sh: perf report --json --symfs /nothing -i $DATA/report/threads.data -F sample,sym,overhead -g none --percent-limit 20 | sed -n '/columns/,$p'
--- stdout
			"columns": [
				{"name": "sample", "header": "Samples", "unit": "samples"},
				{"name": "symbol", "header": "Symbol", "unit": "text"},
				{"name": "overhead", "header": "Overhead", "unit": "period", "percent": true}
			],
			"rows": [
				{"id": 0, "cells": {"sample": 4, "symbol_level": ".", "symbol": "0x0000000000000608", "overhead": 4001, "overhead_percent": 28.5765}},
				{"id": 1, "cells": {"sample": 4, "symbol_level": ".", "symbol": "0x0000000000000508", "overhead": 4000, "overhead_percent": 28.5694}},
				{"id": 2, "cells": {"sample": 3, "symbol_level": ".", "symbol": "0x0000000000000108", "overhead": 3000, "overhead_percent": 21.4270}},
				{"id": 3, "cells": {"sample": 0, "symbol_level": ".", "symbol": "0x0000000000401008", "overhead": 0, "overhead_percent": 0.0000}},
				{"id": 4, "cells": {"sample": 0, "symbol_level": ".", "symbol": "0x0000000000401108", "overhead": 0, "overhead_percent": 0.0000}},
				{"id": 5, "cells": {"sample": 0, "symbol_level": ".", "symbol": "0x0000000000401408", "overhead": 0, "overhead_percent": 0.0000}},
				{"id": 6, "cells": {"sample": 0, "symbol_level": ".", "symbol": "0x0000000000401508", "overhead": 0, "overhead_percent": 0.0000}},
				{"id": 7, "cells": {"sample": 0, "symbol_level": ".", "symbol": "0x0000000000401608", "overhead": 0, "overhead_percent": 0.0000}}
			]
		}
	]
}

=== a hierarchy
sh: perf report --json --symfs /nothing -i $DATA/report/threads.data -H -s comm,sym -g none --percent-limit 20 | sed -n '/columns/,$p'
--- stdout
			"columns": [
				{"name": "overhead", "header": "Overhead", "unit": "period", "percent": true},
				{"name": "latency", "header": "Latency", "unit": "latency", "percent": true},
				{"name": "comm", "header": "Command", "unit": "text", "level": 0},
				{"name": "symbol", "header": "Symbol", "unit": "text", "level": 1}
			],
			"rows": [
				{"id": 0, "level": 0, "cells": {"overhead": 6000, "overhead_percent": 42.8541, "latency": 4666666, "latency_percent": 51.8499, "comm": "main"}},
				{"id": 1, "parent": 0, "level": 1, "cells": {"overhead": 3000, "overhead_percent": 21.4270, "latency": 3000000, "latency_percent": 33.3321, "symbol_level": ".", "symbol": "0x0000000000000108"}},
				{"id": 2, "level": 0, "cells": {"overhead": 5001, "overhead_percent": 35.7189, "latency": 3166999, "latency_percent": 35.1876, "comm": "right"}},
				{"id": 3, "parent": 2, "level": 1, "cells": {"overhead": 4001, "overhead_percent": 28.5765, "latency": 2166999, "latency_percent": 24.0769, "symbol_level": ".", "symbol": "0x0000000000000608"}},
				{"id": 4, "level": 0, "cells": {"overhead": 3000, "overhead_percent": 21.4270, "latency": 1166666, "latency_percent": 12.9625, "comm": "left"}},
				{"id": 5, "parent": 4, "level": 1, "cells": {"overhead": 3000, "overhead_percent": 21.4270, "latency": 1166666, "latency_percent": 12.9625, "symbol_level": ".", "symbol": "0x0000000000000508"}}
			]
		}
	]
}

=== branches
sh: perf report --json -b --symfs /nothing -i $DATA/perfdata/quipper-perf.data.branch-4.14 -s dso_from --percent-limit 5 | sed -n '/columns/,$p'
--- stdout
			"columns": [
				{"name": "overhead", "header": "Overhead", "unit": "period", "percent": true},
				{"name": "dso_from", "header": "Source Shared Object", "unit": "text"}
			],
			"rows": [
				{"id": 0, "cells": {"overhead": 323, "overhead_percent": 77.6442, "dso_from": "[kernel.kallsyms]"}},
				{"id": 1, "cells": {"overhead": 62, "overhead_percent": 14.9038, "dso_from": "ld-2.23.so"}},
				{"id": 2, "cells": {"overhead": 29, "overhead_percent": 6.9712, "dso_from": "[unknown]"}}
			]
		}
	]
}

=== blocks by their cycles, and branches by kind
sh: perf report --json --total-cycles -i $DATA/branches/stack.data --symfs $DATA/branches --percent-limit 9 | sed -n '/columns/,$p'
--- stdout
			"columns": [
				{"name": "sampled_cycles_share", "header": "Sampled Cycles%", "unit": "cycles", "percent": true},
				{"name": "sampled_cycles", "header": "Sampled Cycles", "unit": "cycles"},
				{"name": "average_cycles_share", "header": "Avg Cycles%", "unit": "cycles", "percent": true},
				{"name": "average_cycles", "header": "Avg Cycles", "unit": "cycles"},
				{"name": "range", "header": "[Program Block Range]", "unit": "text"},
				{"name": "dso", "header": "Shared Object", "unit": "text"}
			],
			"rows": [
				{"id": 0, "cells": {"sampled_cycles_share": 841, "sampled_cycles_share_percent": 27.3763, "sampled_cycles": 841, "average_cycles_share": 210, "average_cycles_share_percent": 1.2887, "average_cycles": 210, "range": "[walk.c:10 -> walk.c:12]", "dso": "walk"}},
				{"id": 1, "cells": {"sampled_cycles_share": 404, "sampled_cycles_share_percent": 13.1510, "sampled_cycles": 404, "average_cycles_share": 134, "average_cycles_share_percent": 0.8223, "average_cycles": 134, "range": "[walk.c:25 -> walk.c:26]", "dso": "walk"}},
				{"id": 2, "cells": {"sampled_cycles_share": 402, "sampled_cycles_share_percent": 13.0859, "sampled_cycles": 402, "average_cycles_share": 201, "average_cycles_share_percent": 1.2335, "average_cycles": 201, "range": "[walk.c:25 -> walk.c:26]", "dso": "walk"}},
				{"id": 3, "cells": {"sampled_cycles_share": 401, "sampled_cycles_share_percent": 13.0534, "sampled_cycles": 401, "average_cycles_share": 200, "average_cycles_share_percent": 1.2274, "average_cycles": 200, "range": "[walk.c:25 -> walk.c:25]", "dso": "walk"}},
				{"id": 4, "cells": {"sampled_cycles_share": 400, "sampled_cycles_share_percent": 13.0208, "sampled_cycles": 400, "average_cycles_share": 400, "average_cycles_share_percent": 2.4547, "average_cycles": 400, "range": "[walk.c:28 -> walk.c:29]", "dso": "walk"}}
			]
		}
	],
	"branch_kinds": {"COND_FWD": 9, "COND_BWD": 18, "COND": 27, "CALL": 18, "IND_CALL": 2, "RET": 9}
}

=== callers that are guesses are marked
sh: $DATA/../tools/make_names_file.py perf.data comm=7,7,seven map=7,0x10000,0x1000,0,$DATA/elf/tiny64.so stack=7,7,U,0x103bc,0x103c0,U,0x103c0,0x103bd,0x999999; perf report -q --json --guessed-callers --no-children -s sym | grep -o '"callgraph": \[.*'
needs: feature:demangle
--- stdout
"callgraph": [{"id": 0, "total": 1000, "self": 0, "total_samples": 1, "self_samples": 0, "frames": []}, {"id": 1, "parent": 0, "total": 1000, "self": 1000, "total_samples": 1, "self_samples": 1, "frames": [{"name": "al"}, {"name": "foo"}, {"name": "foo", "guess": true}, {"name": "al", "guess": true}, {"name": "0x999999", "guess": true}]}]}

=== widths, separators and colours do not matter
sh: perf report --json -i $DATA/report/threads.data -s comm -g none >a; perf report --json -i $DATA/report/threads.data -s comm -g none -w 1,1,1 -t a --stdio-color always -q | cmp - a && echo the same
--- stdout
the same

=== no sample is left: told, and an empty list
sh: perf report --json --symfs /nothing -i $DATA/report/threads.data --time 9,10 | sed -n '/"samples": [0-9]/,$p'
--- stdout
	"samples": 14,
	"lost": {"samples": 0, "events": 0, "chunks": 0, "throttled": 0, "bad_samples": 0, "unknown_samples": 0},
	"only": {},
	"sections": []
}
--- stderr
error: no sample of '$DATA/report/threads.data' is left by what was chosen

=== callers that were not recorded
sh: perf report --json -g -i $DATA/perfdata/quipper-perf.data.singleprocess-3.4 | sed -n '/"samples": [0-9]/,$p'
--- stdout
	"samples": 0,
	"lost": {"samples": 0, "events": 0, "chunks": 0, "throttled": 0, "bad_samples": 0, "unknown_samples": 0},
	"only": {},
	"sections": []
}
--- stderr
Error:
Selected -g or --branch-history.
But no callchain or branch data.
Did you call 'perf record' without -g or -b?

=== one object, whatever is asked for
sh: for i in "-s pid,cpu,time" "-s {comm,dso},sym -H" "-g flat" "-g fractal" "-g folded,count" "--mem-mode" "--stats" "-b" "-s trace_fields" "--latency" "--group -F +period"; do for f in $DATA/report/*.data $DATA/perfdata/linux-perf-data-sleep.compressed.pipe.data $DATA/perfdata/quipper-perf.data.callgraph-3.8; do perf report --json $i -i $f >out 2>err || continue; n=$((n + 1)); mv out $n.json; done; done; python3 -c 'import glob, json; print({json.load(open(f))["version"] for f in glob.glob("*.json")})'
--- stdout
{1}

=== other listings are no profile
argv: perf report --json --stats -i $DATA/report/threads.data
exit: 129
--- stderr
--json shows a profile: it cannot be used together with --stats, --tasks, --mmaps, --header-only, -D and -T
 Usage: perf report [<options>]

        --json            print the profile as JSON

