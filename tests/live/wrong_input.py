#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Wrong input, live: what is missing, refused, full or killed is answered with the right exit
status and a clear message."""
import os
import re
import sys

from live_case import Skip, Suite, need_mount_namespace, need_program, need_root, show

HERE = os.path.dirname(os.path.abspath(__file__))
NOBODY = 'setpriv --reuid 65534 --regid 65534 --clear-groups '
ANY = r''

# Name, command, exit status (a set of good ones), pattern that stderr must match.
# Exit status 129 comes with a usage block; others must be told in few lines.
FAILURES = [
    ('no-workload-file', 'perf record -o f ./nonexistent', {255}, r'\./nonexistent'),
    ('no-workload-name', 'perf record -o f no-such-program-x', {255}, r'no-such-program-x'),
    ('bad-event', 'perf record -o f -e nosuchevent true', {129}, r"(?m)nosuchevent[\s\S]*^ +\\___ "),
    ('bad-event-second', 'perf record -o f -e cpu-clock,nosuchevent true', {129}, r'nosuchevent'),
    ('bad-tracepoint-group', 'perf record -o f -e nosuch:event true', {129}, r'nosuch:event'),
    ('bad-tracepoint', 'perf record -o f -e sched:nosuch true', {129}, r'sched:nosuch'),
    ('no-pmu', 'perf record -o f -e nopmu/config=1/ true', {129}, r'nopmu'),
    ('bad-term', 'perf record -o f -e cpu-clock/nosuch=1/ true', {129}, r'nosuch[\s\S]*config'),
    ('bad-modifier', 'perf record -o f -e cpu-clock:Q true', {129}, r'cpu-clock:Q'),
    ('bad-group', "perf record -o f -e '{cpu-clock,page-faults' true", {129}, r'cpu-clock'),
    ('bad-option', 'perf record --no-such true', {129}, r"no-such"),
    ('bad-short-option', 'perf report -Z', {129}, r'Z'),
    ('bad-output', 'perf record -o /nonexistent/x true', {255}, r'/nonexistent/x.*[Nn]o such file'),
    ('output-is-directory', 'mkdir -p d; perf record -o d/../d/. true', {255}, r'd'),
    ('no-pid', 'perf record -o f -p 999999999', {255, 244}, r'999999999|[Nn]o such process'),
    ('no-pid-2', 'perf record -o f -p 4000000', {255, 244}, r'4000000|[Nn]o such process'),
    ('bad-pid', 'perf record -o f -p abc', {129, 255, 244}, r'abc|[Nn]o such process'),
    ('no-tid', 'perf record -o f -t 4000000', {255, 244}, r'4000000|[Nn]o such process'),
    ('no-cpu', 'perf record -o f -C 99999 true', {255, 237, 129}, r'99999|[Cc][Pp][Uu]'),
    ('bad-cpu', 'perf record -o f -C abc true', {255, 237, 129}, r'abc|[Cc][Pp][Uu]'),
    ('no-cgroup', 'perf record -o f -a -e cpu-clock --cgroup nosuchgroup true', {129, 255},
     r'nosuchgroup|cgroup'),
    ('bad-filter', "perf record -o f -e sched:sched_switch --filter 'nosuch == 1' -a true", {255},
     r'nosuch == 1'),
    ('filter-no-tracepoint', "perf record -o f -e cpu-clock --filter 'x == 1' -a true", {129, 255},
     r'filter'),
    ('filter-no-event', "perf record -o f --filter 'x == 1' -a true", {129}, r'filter'),
    ('bad-frequency', 'perf record -o f -F abc true', {129, 234, 255}, r'abc|frequency'),
    ('zero-frequency', 'perf record -o f -F 0 true', {129, 234, 255}, r'frequency|zero'),
    ('strict-frequency', 'perf record -o f --strict-freq -F 1000000 true', {129, 255, 234},
     r'perf_event_max_sample_rate'),
    ('bad-count', 'perf record -o f -c abc true', {129}, r'count|abc|`c'),
    ('bad-pages', 'perf record -o f -m abc true', {129}, r'abc|mmap'),
    ('bad-call-graph', 'perf record -o f --call-graph nosuch true', {129}, r'nosuch'),
    ('bad-dwarf-size', 'perf record -o f --call-graph dwarf,999999 true', {129}, r'65528'),
    ('control-no-fifo', 'echo > c; perf record -o f --control fifo:c true', {129}, "'c' is no fifo"),
    ('control-null', 'perf record -o f --control fd:0 true < /dev/null', {255},
     'cannot wait for commands of --control'),
    ('bad-clock', 'perf record -o f -k nosuch true', {129}, r'nosuch'),
    ('bad-branch-filter', 'perf record -o f -j nosuch true', {129}, r'nosuch'),
    ('bad-register', 'perf record -o f --user-regs=nosuch true', {129}, r'nosuch'),
    ('report-no-file', 'perf report -i nosuch', {255}, r'nosuch.*[Nn]o such file'),
    ('report-default-file', 'mkdir -p e; cd e; perf report', {255}, r'perf\.data.*[Nn]o such file'),
    ('report-empty', ': > empty; perf report -i empty', {255}, r'empty'),
    ('report-text', 'echo hello world > text; perf report -i text', {255}, r'text|format'),
    ('report-directory', 'perf report -i /', {255}, r'/'),
    ('script-no-file', 'perf script -i nosuch', {255}, r'nosuch.*[Nn]o such file'),
    ('script-empty', ': > empty; perf script -i empty', {255}, r'empty'),
    ('script-text', 'echo hello world > text; perf script -i text', {255}, r'text|format'),
    ('script-empty-pipe', 'perf script -i - < /dev/null', {255}, ANY),
    ('evlist-no-file', 'perf evlist -i nosuch', {255}, r'nosuch.*[Nn]o such file'),
    ('evlist-text', 'echo hello world > text; perf evlist -i text', {255}, r'text|format'),
    ('buildid-list-no-file', 'perf buildid-list -i nosuch', {255}, r'nosuch.*[Nn]o such file'),
    ('bad-sort-key', 'perf record -q -o g true; perf report --stdio --sort nosuch -i g', {129},
     r'nosuch'),
    ('bad-report-field', 'perf record -q -o g true; perf report --stdio -F nosuch -i g', {129},
     r'nosuch'),
    ('bad-report-graph', 'perf report -g nosuch -i f', {129}, r'nosuch|call-graph'),
    ('bad-report-time', 'perf record -q -o g true; perf report --stdio --time abc -i g',
     {129, 234, 255}, r'abc|time'),
    ('bad-script-field', 'perf script -F nosuch -i f', {129}, r'nosuch|field'),
    ('script-absent-field', 'perf record -q -o g true; perf script -F comm,weight,phys_addr -i g',
     {234, 255}, r'phys_addr|PHYS_ADDR|weight|WEIGHT'),
    ('unknown-command', 'perf nosuch', {1}, r"'nosuch' is not a perf-command"),
    ('misspelt-command', 'perf recrod', {1}, r"recrod[\s\S]*record"),
]


def failure(suite, command, statuses, pattern):
    r = suite.sh(command)
    assert r.status in statuses, 'wanted exit %s: %s\n%s' % (sorted(statuses), command, show(r))
    assert re.search(pattern, r.err), 'stderr lacks /%s/: %s\n%s' % (pattern, command, show(r))
    assert r.status == 129 or len(r.err.splitlines()) <= 15, 'too many lines\n' + show(r)
    assert '\x1b' not in r.err and 'Sanitizer' not in r.err, show(r)


def wanted(result, status, pattern=ANY):
    assert result.status == status, 'wanted exit %d\n%s' % (status, show(result))
    assert re.search(pattern, result.err), 'stderr lacks /%s/\n%s' % (pattern, show(result))


def exit_status(suite):
    wanted(suite.sh('perf record -o f sh -c "exit 7"'), 7)
    wanted(suite.sh('perf record -o f false'), 1)


def killed_workload(suite):
    """The recorder raises the workload's signal on itself, so that a shell sees 128 + n."""
    wanted(suite.sh('perf record -q -o f sh -c \'kill -KILL $$\'; exit $?'), 137)
    # (page faults: a program that ends at once may not see a clock tick)
    wanted(suite.sh('perf record -q -o f -e page-faults -c 1 sh -c \'kill -TERM $$\'; exit $?'), 143)
    r = suite.sh('perf script -i f')
    wanted(r, 0)
    assert r.out, 'the file of a killed workload has no samples'


def high_frequency(suite):
    r = suite.sh('perf record -o f -F 1000000 true')
    wanted(r, 0, 'perf_event_max_sample_rate')


def as_nobody(suite):
    need_root()
    need_program('setpriv')
    probe = suite.sh(NOBODY + '"$PERF" --version')
    if probe.status:
        raise Skip('the program cannot be run by others')
    suite.sh('mkdir -p nb; chown 65534 nb')


def nobody_system_wide(suite):
    as_nobody(suite)
    if int(open('/proc/sys/kernel/perf_event_paranoid').read()) < 1:
        raise Skip('perf_event_paranoid allows it')
    wanted(suite.sh(NOBODY + '"$PERF" record -o nb/f -a true'), 255, 'perf_event_paranoid')


def nobody_own(suite):
    as_nobody(suite)
    if int(open('/proc/sys/kernel/perf_event_paranoid').read()) > 2:
        raise Skip('perf_event_paranoid forbids it')
    wanted(suite.sh(NOBODY + '"$PERF" record -o nb/f ls /'), 0, 'Captured and wrote')


def nobody_home(suite):
    as_nobody(suite)
    suite.sh('mkdir -m 700 -p home; echo > home/.perfconfig')
    r = suite.sh('unset PERF_CONFIG; HOME=$PWD/home ' + NOBODY + '"$PERF" config -l')
    assert r.status == 0 and not r.err, show(r)
    suite.sh('chmod 755 home; chmod 600 home/.perfconfig')
    r = suite.sh('unset PERF_CONFIG; HOME=$PWD/home ' + NOBODY + '"$PERF" config -l')
    assert "cannot read config file" in r.err, show(r)


def nobody_tracepoint(suite):
    as_nobody(suite)
    if os.stat('/sys/kernel/tracing').st_mode & 0o5:
        raise Skip('tracefs is open to others')
    r = suite.sh(NOBODY + '"$PERF" record -o nb/f -e sched:sched_switch true')
    wanted(r, 129, r'(?i)permission|access')
    assert 'sched:sched_switch' in r.err, show(r)


def nobody_pages(suite):
    as_nobody(suite)
    r = suite.sh(NOBODY + '"$PERF" record -o nb/f -m 256M true')
    wanted(r, 255, 'perf_event_mlock_kb')


def nobody_pid(suite):
    as_nobody(suite)
    r = suite.sh(NOBODY + '"$PERF" record -o nb/f -p 1')
    wanted(r, 255, r'(?i)permission|access|perf_event_paranoid')


def foreign_file(suite):
    as_nobody(suite)
    suite.sh('perf record -q -o h true; chmod 600 h; rm -f h.old')
    wanted(suite.sh(NOBODY + '"$PERF" report --stdio -i h'), 255, r'h.*[Pp]ermission denied')
    suite.sh('chmod 644 h; chown 1 h')
    wanted(suite.sh(NOBODY + '"$PERF" report --stdio -i h'), 255, r'h.*not owned[\s\S]*-f')
    wanted(suite.sh(NOBODY + '"$PERF" report --stdio -f -i h'), 0)
    wanted(suite.sh('perf script -i h'), 255, r'not owned')


def no_tracefs(suite):
    need_mount_namespace()
    r = suite.sh("unshare -m bash -c 'umount -R /sys/kernel/tracing; umount -R /sys/kernel/debug; "
                 "\"$PERF\" record -o f -e sched:sched_switch -a true'")
    if r.status == 0:
        return  # mounting it for this run, as perf does, is a good answer too
    assert re.search(r'tracefs|tracing', r.err), show(r)


def tmpfs(suite, size, commands):
    need_mount_namespace()
    r = suite.sh("unshare -m bash -c 'mount -t tmpfs -o size=%s none /mnt && { %s; }'"
                 % (size, commands))
    if 'mount:' in r.err:
        raise Skip('cannot mount a tmpfs')
    return r


def full_disk(suite):
    r = tmpfs(suite, '600k', '"$PERF" record -o /mnt/f -e raw_syscalls:sys_enter -- '
              'dd if=/dev/zero of=/dev/null bs=512 count=100k; echo status $?; '
              '"$PERF" script -i /mnt/f > out.txt; echo read $? $(wc -l < out.txt)')
    match = re.search(r'status (\d+)\nread (\d+) (\d+)', r.out)
    assert match, show(r)
    assert match.group(1) == '255', 'record on a full disk: ' + show(r)
    assert r.err.count('No space left on device') in (1, 2), show(r)
    assert 'Captured and wrote' in r.err and 'samples)' not in r.err, \
        'tells of samples that are not in the file: ' + show(r)
    assert match.group(2) == '0' and int(match.group(3)) > 100, \
        'what was written before the disk was full cannot be read: ' + show(r)


COUNTS = ('-I 10 --interval-count 150 -e cs,task-clock,cpu-clock,faults,migrations,minor-faults,'
          'major-faults,alignment-faults -p $$')


def check_counts_so_far(r):
    match = re.search(r'status (\d+)\nread (\d+) (\d+)', r.out)
    assert match and match.group(1) == '255', show(r)
    assert r.err.count('error:') == 1 and 'keeps what was counted until then' in r.err, show(r)
    assert r.err.count('alignment-faults') == 150, 'the text goes on: ' + show(r)
    assert match.group(2) == '0' and 20 < int(match.group(3)) < 150, \
        'the intervals before the disk was full cannot be read: ' + show(r)
    assert 'cmdline' in r.out and 'perf.data.old' not in r.out, 'no header: ' + show(r)


def full_disk_counts(suite):
    r = tmpfs(suite, '32k', '"$PERF" stat record -o /mnt/f %s; echo status $?; '
              '"$PERF" stat report -i /mnt/f 2> text; echo read $? $(grep -c alignment-faults text); '
              '"$PERF" report -i /mnt/f --header-only' % COUNTS)
    check_counts_so_far(r)


def full_disk_bpf(suite):
    """BPF programs that others have loaded, here those of --off-cpu, do not take the room of what was counted."""
    held = suite.sh('rm -f began go; mkfifo began go; '
                    '{ "$PERF" record -q -o bpf.data --off-cpu -- sh -c "echo > began; read x < go" 2> err; } & '
                    'read x < began; ulimit -S -f 32; "$PERF" stat record -o f %s; echo status $?; '
                    '"$PERF" stat report -i f 2> text; echo read $? $(grep -c alignment-faults text); '
                    '"$PERF" report -i f --header-only; ulimit -S -f unlimited; echo > go; wait; cat err >&2' % COUNTS)
    if 'Operation not permitted' in held.err or 'without BPF programs' in held.err:
        raise Skip('no BPF here')
    check_counts_so_far(held)
    assert 'no room for the machine' in held.err, show(held)


# The command itself does not inherit that the signal is ignored: SIGXFSZ is 25.
def file_limit(suite):
    r = suite.sh('(ulimit -S -f 32; "$PERF" stat record -o f %s; exit $?); echo status $?; '
                 'perf stat report -i f 2> text; echo read $? $(grep -c alignment-faults text); '
                 'perf report -i f --header-only' % COUNTS)
    check_counts_so_far(r)
    r = suite.sh('perf stat grep SigIgn /proc/self/status; perf record -o h grep SigIgn /proc/self/status')
    assert r.out.count('SigIgn') == 2, show(r)
    for ignored in re.findall(r'SigIgn:\s*(\w+)', r.out):
        assert not int(ignored, 16) >> 24 & 1, show(r)
    r = suite.sh('(ulimit -S -f 64; exec "$PERF" record -o g -e page-faults -c 1 -- sh -c '
                 '"i=0; while [ \$i -lt 200 ]; do i=\$((i+1)); /bin/true; done"); echo status $?; perf script -i g > out.txt; '
                 'echo read $? $(wc -l < out.txt); perf evlist -i g')
    match = re.search(r'status (\d+)\nread (\d+) (\d+)\npage-faults', r.out)
    assert match and match.group(1) == '255' and match.group(2) == '0', show(r)


def full_disk_pipe(suite):
    r = tmpfs(suite, '300k', '"$PERF" record -o - -e raw_syscalls:sys_enter -- '
              'dd if=/dev/zero of=/dev/null bs=512 count=100k > /mnt/f; echo status $?')
    assert 'status 0' not in r.out and 'No space left on device' in r.err, show(r)


def closed_pipe(suite):
    r = suite.sh('perf record -o - -F 999 -a -- sleep 0.3 | head -c 1000 > /dev/null; '
                 'echo ${PIPESTATUS[0]}', limit=100)
    assert 'Sanitizer' not in r.err and len(r.err.splitlines()) < 10, show(r)
    suite.sh('perf record -q -o f -F 4999 -g -- ls -lR /usr/share/doc')
    r = suite.sh('set -o pipefail; perf script -i f | head -n 1')
    assert len(r.err.splitlines()) <= 1, show(r)
    r = suite.sh('perf report --stdio -i f | head -n 1')
    assert len(r.err.splitlines()) <= 1, show(r)


def killed_recorder(suite):
    """The file of a recorder that was killed is read as far as it got."""
    # a job has a process group of its own: the workload must go with it, or it holds our pipes open
    r = suite.sh('set -m; "$PERF" record -o k -e raw_syscalls:sys_enter -- '
                 'dd if=/dev/zero of=/dev/null bs=512 count=100000k & p=$!; '
                 'for i in {1..999}; do (($(stat -c %s k 2>/dev/null || echo 0) > 1000000)) && break; sleep 0.1; done; '
                 'kill -KILL -- -$p; wait; set +m; ls -l k >&2; "$PERF" script -i k | wc -l; '
                 '"$PERF" report --stdio -i k > rep.txt; echo $?; grep -c dd rep.txt')
    words = r.out.split()
    assert len(words) == 3 and int(words[0]) > 1000, 'samples read: ' + show(r)
    assert words[1] == '0' and int(words[2]) > 0, 'report of it: ' + show(r)
    assert not re.search(r'Sanitizer|Segmentation', r.err), show(r)


def truncated(suite):
    suite.sh('perf record -q -o t -F 4999 -g -- ls -lR /usr/share/doc; rm -f c')
    r = suite.sh('n=$(stat -c %s t); for c in 60 50 40; do head -c $((n * c / 100)) t > c; '
                 'perf script -i c | wc -l; done')
    assert all(int(w) > 0 for w in r.out.split()), 'a cut file shows no samples: ' + show(r)
    assert 0 < len(r.err.splitlines()) <= 9, 'one line on what was lost is wanted: ' + show(r)


def interrupted(suite):
    for signal in ('INT', 'TERM'):
        r = suite.sh('rm -f i; "$PERF" record -o i -F 999 -a -- sleep 600 & p=$!; '
                     'for i in {1..999}; do [ -s i ] && break; sleep 0.1; done; sleep 0.5; kill -%s $p; '
                     'wait $p; "$PERF" script -i i | wc -l' % signal, limit=200)
        assert int(r.out.split()[-1]) > 0, signal + ': ' + show(r)
        assert 'Captured and wrote' in r.err, show(r)


def target_exits(suite):
    r = suite.sh('rm -f x; sleep 600 & target=$!; "$PERF" record -o x -p $target & p=$!; '
                 'for i in {1..999}; do [ -s x ] && break; sleep 0.1; done; kill $target; wait $p')
    wanted(r, 0, 'Captured and wrote')


def old_file(suite):
    suite.sh('rm -f o o.old; perf record -q -o o true; perf record -q -o o true')
    wanted(suite.sh('test -s o && test -s o.old && perf script -i o.old'), 0)
    wanted(suite.sh('test $(stat -c %a o) = 600'), 0)


def many_files(suite):
    r = suite.sh("ulimit -n 40; perf record -o f -a -e 'syscalls:*' true")
    assert r.status not in (0, 139), show(r)
    assert re.search(r'(?i)too many', r.err) and 'ulimit' in r.err, show(r)


def escapes(suite):
    """Control characters in names do not reach a terminal."""
    need_program('script')
    suite.sh("cp /bin/ls $'ev\\e[31mil'; perf record -q -o s -F 9999 ./$'ev\\e[31mil' -R /usr/share/doc")
    for command in ('report --stdio', 'script', 'script --show-task-events --show-mmap-events',
                    'script -D', 'report --tasks', 'report --mmaps', 'evlist -v', 'buildid-list',
                    'report --stdio --header -I', 'report --stdio --parent "$EV"', 'script -C "$EV"',
                    'report --stdio -w "$EV"'):
        r = suite.sh("export EV=$'[ev\\e[31mil'; TERM=xterm PERF_PAGER=cat PAGER=cat "
                     "script -qec '\"$PERF\" %s -i s' /dev/null" % command)
        assert '\x1b[31mil' not in r.out, command + ' passes an escape sequence on'


def packed_sections(suite):
    """Three megabytes of debug information that unpack to three gigabytes."""
    need_program('gcc')
    r = suite.sh('gcc -g -O2 -pthread -o p %s/stacks/deep.c && python3 %s/../tools/make_packed_sections.py p big && '
                 'chmod +x big && perf record -q -o b -e cpu-clock:u -F 199 ./big sort 300' % (HERE, HERE))
    if r.status:
        raise Skip('cannot record here: ' + r.err.strip()[:200])
    r = suite.sh('ulimit -v 2500000; perf report --stdio -i b -s srcline')
    if 'Sanitizer' in r.err:
        raise Skip('sanitizers reserve memory')
    wanted(r, 0)
    assert 'compare' in r.out, show(r)


def frozen_counters(suite):
    """--smi-cost, refused after it has set the kernel's switch, puts it back."""
    need_mount_namespace()
    with_pmus = '%s/../diff/with_pmus.sh %s/../data/sysfs/amd-zen.tree ' % (HERE, HERE)
    r = suite.sh(with_pmus + "bash -c 'mount -t tmpfs none /sys/devices && mkdir /sys/devices/cpu && "
                 "printf 0 > /sys/devices/cpu/freeze_on_smi && "
                 "{ \"$PERF\" stat --smi-cost -o /nonexistent/x true; cat /sys/devices/cpu/freeze_on_smi; }'")
    assert 'failed to create output file' in r.err and r.out == '0', show(r)


def lowered_rate(suite):
    """A kernel that allows fewer samples than the usual rate gets what it allows."""
    need_mount_namespace()
    limit = "unshare -m bash -c 'echo 321 > limit; mount --bind limit /proc/sys/kernel/perf_event_max_sample_rate; %s'"
    r = suite.sh(limit % '"$PERF" record -o f -e cpu-clock:u true')
    if 'mount:' in r.err:
        raise Skip('cannot mount over a file of /proc')
    wanted(r, 0, r'Lowering default frequency rate from 4000 to 321\.\n.*perf_event_max_sample_rate')
    assert 'sample_freq }: 321,' in suite.sh('perf evlist -v -i f').out
    wanted(suite.sh(limit % '"$PERF" record -q -o f -e cpu-clock:u true'), 0, r'^$')
    wanted(suite.sh(limit % '"$PERF" record -F 500 -o f -e cpu-clock:u true'), 0, r'throttling from 500 Hz to 321 Hz')
    wanted(suite.sh(limit % '"$PERF" record -c 500000 -o f -e cpu-clock:u true'), 0, r'^\[ perf record: W')


def main():
    suite = Suite(__doc__)
    for name, command, statuses, pattern in FAILURES:
        suite.check(name, failure, suite, command, statuses, pattern)
    for case in (exit_status, killed_workload, high_frequency, nobody_system_wide, nobody_own, nobody_home,
                 nobody_tracepoint, nobody_pages, nobody_pid, foreign_file, no_tracefs, full_disk,
                 full_disk_counts, full_disk_bpf, file_limit, full_disk_pipe, closed_pipe, killed_recorder, truncated, interrupted, target_exits,
                 old_file, many_files, escapes, packed_sections, frozen_counters,
                 lowered_rate):
        suite.check(case.__name__.replace('_', '-'), case, suite)
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
