# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of perf's commands, options, events, sort keys and fields for bash. Everything comes from
# perf itself: --list-cmds, --list-opts, --list-values and `perf list --raw-dump`.

# The word under the cursor with its ':' and '=', which are characters between words for bash: sets
# cur, and behind, how much of it bash does not replace.
_perf_current() {
	local line=${COMP_LINE:0:COMP_POINT}
	cur=${line##*[[:space:]]}
	local last=${COMP_WORDS[COMP_CWORD]}
	case $last in
	[:=]) last= ;;
	esac
	behind=$((${#cur} - ${#last}))
	[ "$behind" -ge 0 ] || behind=0
}

# _perf_words WORDS...: those that begin with $cur.
_perf_words() {
	local word
	for word; do
		[[ $word == "$cur"* ]] && COMPREPLY+=("${word:behind}")
	done
}

# _perf_list WORDS...: the same for the last item of a list separated by commas.
_perf_list() {
	local before= word item=$cur
	case $cur in
	*,*)
		item=${cur##*,}
		before=${cur%"$item"}
		;;
	esac
	case $item in
	[{+-]*)
		before+=${item:0:1}
		item=${item:1}
		;;
	esac
	for word; do
		[[ $word == "$item"* ]] || continue
		word=$before$word
		COMPREPLY+=("${word:behind}")
	done
	compopt -o nospace 2>/dev/null
}

_perf_files() {
	local word
	while IFS= read -r word; do
		[ ! -d "$word" ] || word+=/
		COMPREPLY+=("$word")
	done < <(compgen -f -- "$1")
	compopt -o filenames 2>/dev/null
}

# The command, and where it stands.
_perf_command() {
	local i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--buildid-dir | --debugfs-dir | --debug | --debug-file) i=$((i + 1)) ;;
		-*) ;;
		*)
			command=${COMP_WORDS[i]}
			place=$i
			return
			;;
		esac
	done
}

# _perf_value OPTION: the argument of an option.
_perf_value() {
	case $command:$1 in
	record:-e | stat:-e | top:-e | trace:-e | record:--event | stat:--event | top:--event | trace:--event)
		_perf_list $("$perf" list --raw-dump 2>/dev/null)
		;;
	report:-s | report:--sort | top:-s | top:--sort)
		_perf_list $("$perf" "$command" --list-values sort 2>/dev/null)
		;;
	report:-F | report:--fields | script:-F | script:--fields)
		_perf_list $("$perf" "$command" --list-values fields 2>/dev/null)
		;;
	report:-g | report:--call-graph | record:--call-graph)
		_perf_list $("$perf" "$command" --list-values call-graph 2>/dev/null)
		;;
	probe:-x | probe:--exec | probe:-m | probe:--module | probe:-s | probe:--source)
		_perf_files "$cur"
		;;
	*:-i | *:--input | *:-o | *:--output | *:-k | *:--vmlinux | *:--kallsyms | *:--symfs)
		_perf_files "$cur"
		;;
	*)
		return 1
		;;
	esac
}

_perf() {
	local cur behind command= place=0 perf=${COMP_WORDS[0]} option
	COMPREPLY=()
	_perf_current
	_perf_command
	local before=${COMP_WORDS[COMP_CWORD - 1]}
	if [ -z "$command" ]; then
		case $cur in
		-*) _perf_words $("$perf" --list-opts) ;;
		*) _perf_words $("$perf" --list-cmds) ;;
		esac
		return
	fi
	case $cur in
	--*=*)
		option=${cur%%=*}
		cur=${cur#*=}
		behind=$((behind > ${#option} ? behind - ${#option} - 1 : 0))
		_perf_value "$option" || _perf_files "$cur"
		return
		;;
	--*)
		_perf_words $("$perf" "$command" --list-opts 2>/dev/null)
		return
		;;
	esac
	# A value that bash has cut at its colons or '=': the option stands before all of it.
	local line=${COMP_LINE:0:COMP_POINT}
	line=${line%"$cur"}
	line=${line%"${line##*[![:space:]]}"}
	before=${line##*[[:space:]]}
	if [ "$COMP_CWORD" -gt $((place + 1)) ] && _perf_value "$before"; then
		return
	fi
	case $command in
	help) _perf_words $("$perf" --list-cmds) ;;
	daemon) _perf_words $("$perf" daemon --list-values words) ;;
	*)
		# Programs as the workload, and files.
		if [ -n "$cur" ] && [[ $command == record || $command == stat ]]; then
			while IFS= read -r option; do
				COMPREPLY+=("$option")
			done < <(compgen -c -- "$cur" | sort -u)
		fi
		_perf_files "$cur"
		;;
	esac
}

complete -F _perf perf
