# SPDX-License-Identifier: GPL-2.0-or-later
# read_all FOLDER RESULTS OPTION...: all recordings of FOLDER through the readers; sourced in the
# guest and on the host, $PERF is the program.
# shellcheck shell=sh
read_all() {
	from=$1 to=$2
	shift 2
	mkdir -p "$to"
	for file in "$from"/*; do
		case $file in
		*.data | *.perf | *perf.data*) ;;
		*) continue ;;
		esac
		base=$to/${file##*/}
		cd "$from" || return 1
		file=${file##*/}
		"$PERF" report --stdio -i "$file" "$@" >"$base.report" 2>"$base.report.err"
		"$PERF" report --stdio --no-children -g caller -s dso,sym -i "$file" "$@" >"$base.caller" 2>&1
		"$PERF" report --header-only -I -i "$file" >"$base.header" 2>&1
		"$PERF" script -i "$file" "$@" >"$base.script" 2>&1
		"$PERF" script -i "$file" -F +iregs,+uregs "$@" >"$base.regs" 2>&1
		"$PERF" script -D -i "$file" "$@" >"$base.dump" 2>&1
		"$PERF" evlist -v -i "$file" >"$base.evlist" 2>&1
		"$PERF" buildid-list -i "$file" >"$base.ids" 2>&1
	done
}
