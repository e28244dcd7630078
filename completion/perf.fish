# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of perf's commands, options, events, sort keys and fields for fish. Everything comes from
# perf itself: --list-cmds, --list-opts, --list-values and `perf list --raw-dump`.

function __perf_words
    perf $argv 2>/dev/null | string split -n ' '
end

# The command on the line, if there is one.
function __perf_command
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case --buildid-dir --debugfs-dir --debug --debug-file
                set -e words[1]
            case '-*'
            case '*'
                echo $words[1]
                return 0
        end
        set -e words[1]
    end
    return 1
end

function __perf_no_command
    not __perf_command >/dev/null
end

function __perf_is
    contains -- (__perf_command) $argv
end

# The words of a list separated by commas, each behind what is typed already.
function __perf_list
    set -l typed (string replace -r '[^,{+]*$' '' -- (commandline -ct | string replace -r '^--[a-z-]+=' ''))
    for word in (__perf_words $argv)
        echo $typed$word
    end
end

complete -c perf -n __perf_no_command -f -a '(__perf_words --list-cmds)'
complete -c perf -n '__perf_no_command; and string match -q -- "-*" (commandline -ct)' -f -a '(__perf_words --list-opts)'
complete -c perf -n 'not __perf_no_command; and string match -q -- "--*" (commandline -ct)' -f -a '(__perf_words (__perf_command) --list-opts)'
complete -c perf -n '__perf_is daemon' -f -a '(__perf_words daemon --list-values words)'
complete -c perf -n '__perf_is help' -f -a '(__perf_words --list-cmds)'
complete -c perf -n '__perf_is record stat top trace' -s e -l event -x -a '(__perf_list list --raw-dump)'
complete -c perf -n '__perf_is report top' -s s -l sort -x -a '(__perf_list (__perf_command) --list-values sort)'
complete -c perf -n '__perf_is report script' -s F -l fields -x -a '(__perf_list (__perf_command) --list-values fields)'
complete -c perf -n '__perf_is report record' -l call-graph -x -a '(__perf_list (__perf_command) --list-values call-graph)'
complete -c perf -n '__perf_is record stat' -a '(__fish_complete_command)'
