# SPDX-License-Identifier: GPL-2.0-or-later
# read_texts FOLDER RESULTS TABLE OPTION...: recordings of FOLDER through the readers, as the table's lines "TEXT FILE..." say;
# sourced in the guest and on the host, $PERF is the program. Every start takes a tenth of a second in the guest, so each
# recording is read for what it is there for: dump has all bytes, records and samples, report the header, too.
# shellcheck shell=sh disable=SC2034
read_texts() {
	cd "$1" || return 1
	to=$2 table=$3
	shift 3
	mkdir -p "$to"
	echo "$table" | while read -r text files; do
		for file in $files; do
			base=$to/$file.$text
			case $text in
			report) "$PERF" report --stdio --header -I -i "$file" "$@" >"$base" 2>"$base.err" ;;
			caller) "$PERF" report --stdio --no-children -g caller -s dso,sym -i "$file" "$@" >"$base" 2>&1 ;;
			script) "$PERF" script -i "$file" "$@" >"$base" 2>&1 ;;
			regs) "$PERF" script -i "$file" -F +iregs,+uregs "$@" >"$base" 2>&1 ;;
			dump) "$PERF" script -D -i "$file" "$@" >"$base" 2>&1 ;;
			evlist) "$PERF" evlist -v -i "$file" >"$base" 2>&1 ;;
			ids) "$PERF" buildid-list -i "$file" >"$base" 2>&1 ;;
			esac </dev/null
		done
	done
}

guest_texts='report period.data freq.data clock.data
caller period.data dwarf.data
script period.data group.data trace.data
regs regs.data
dump regs.data trace.data clock.data
evlist group.data
ids dwarf.data'

# tests/data/perfdata: all kinds of records, fields of samples and features, of the oldest and the newest layouts.
data_texts='dump autofdo-ro_sample.perf linux-perf-data-sleep.compressed.data linux-perf-data-sleep.compressed.pipe.data
dump linux-perf-data-sleep.compressed2.data linuxtracepoints-pipe.data made-stat-big.data made-stat.data
dump quipper-perf.data.branch-4.14 quipper-perf.data.ctx_switch_namespaces-4.14 quipper-perf.data.lost_samples-4.4
dump quipper-perf.data.piped.header_features-4.16 quipper-perf.data.piped.target.throttled-3.4 simpleperf-etm-perf.data
dump simpleperf-perf_etm.data simpleperf-perf_g_fp.data simpleperf-perf_with_arm_regs.data
report autofdo-ro_sample.perf linux-perf-data-sleep.compressed.data linuxtracepoints-pipe.data quipper-perf.data.armv7-3.4
report quipper-perf.data.group_desc-4.14 quipper-perf.data.hybrid_topology quipper-perf.data.piped.header_feautres_group_desc-6.8
report quipper-perf.data.singleprocess-3.4 made-stat-big.data simpleperf-perf_with_two_event_types.data
caller quipper-perf.data.callgraph-3.8 made-jit-embedded.data
script quipper-perf.data.raw-3.4 quipper-perf.data.remmap-3.2
regs simpleperf-perf_g_fp.data simpleperf-perf_with_arm_regs.data
evlist quipper-perf.data.branch-4.14 quipper-perf.data.piped.header_feautres_group_desc-6.8
ids linux-perf-data-sleep.compressed2.data quipper-perf.data.piped.header_features-4.16'
