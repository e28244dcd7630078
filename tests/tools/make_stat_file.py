#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a small perf.data file of perf stat record: 4 CPUs in 2 sockets, task-clock, cycles,
instructions and an event that was not supported, 2 intervals. Says how tests/data/perfdata/
made-stat.data was made.

    make_stat_file.py FILE [big|little]
"""
import struct
import sys

CPUS = 4
HEADER_SIZE = 104
FEAT_HOSTNAME, FEAT_NRCPUS, FEAT_CMDLINE, FEAT_EVENT_DESC, FEAT_CPU_TOPOLOGY, FEAT_NUMA, \
    FEAT_STAT = 3, 7, 11, 12, 13, 14, 19
EVENTS = [("task-clock", 1, 1), ("cycles", 0, 0), ("instructions", 0, 1), ("branches", 0, 4)]
NOT_SUPPORTED = 3
RECORD_THREAD_MAP, RECORD_CPU_MAP, RECORD_STAT_CONFIG, RECORD_STAT, RECORD_STAT_ROUND, \
    RECORD_EVENT_UPDATE = 73, 74, 75, 76, 77, 78


class Writer:
    def __init__(self, order):
        self.order = order

    def pack(self, layout, *values):
        return struct.pack(self.order + layout, *values)

    def record(self, kind, body):
        body += b"\0" * (-len(body) % 8)
        return self.pack("IHH", kind, 0, 8 + len(body)) + body

    def string(self, text):
        raw = text.encode() + b"\0"
        raw += b"\0" * (-len(raw) % 64)
        return self.pack("I", len(raw)) + raw

    def attr(self, kind, config):
        # sample_type IDENTIFIER; read_format: both times; disabled, inherit
        raw = self.pack("IIQQQQ", kind, 128, config, 0, 1 << 16, 3)
        flags = 3 if self.order == "<" else 3 << 62
        return (raw + self.pack("Q", flags)).ljust(128, b"\0")

    def ids(self, event):
        return [] if event == NOT_SUPPORTED else [100 * event + cpu + 1 for cpu in range(CPUS)]

    def data(self):
        out = self.record(RECORD_EVENT_UPDATE, self.pack("QQ", 0, 1) + b"msec\0")
        out += self.record(RECORD_EVENT_UPDATE, self.pack("QQd", 1, 1, 1e-6))
        out += self.record(RECORD_THREAD_MAP, self.pack("Qq16s", 1, -1, b""))
        out += self.record(RECORD_CPU_MAP, self.pack("HH4H", 0, CPUS, *range(CPUS)))
        out += self.record(RECORD_STAT_CONFIG, self.pack("7Q", 3, 0, 1, 1, 1000, 2, 1))
        for interval in (1, 2):
            now = interval * 1000000000
            for event in range(3):
                for cpu, ident in enumerate(self.ids(event)):
                    value = [now, 3000000000 * interval, 1000000000 * interval * interval][event]
                    running = now // 2 if event == 2 else now
                    out += self.record(RECORD_STAT, self.pack(
                        "QIIQQQ", ident, cpu, 0, value // (cpu + 1), now, running))
            out += self.record(RECORD_STAT_ROUND, self.pack("QQ", 0, now))
        return out

    def features(self):
        desc = self.pack("II", len(EVENTS), 128)
        for i, (name, kind, config) in enumerate(EVENTS):
            ids = self.ids(i)
            desc += self.attr(kind, config) + self.pack("I", len(ids)) + self.string(name)
            desc += b"".join(self.pack("Q", v) for v in ids)
        words = ["perf", "stat", "record", "-a", "-I", "1000"]
        topology = self.pack("I", 2) + self.string("0-1") + self.string("2-3")
        topology += self.pack("I", 4) + b"".join(self.string(str(i)) for i in range(CPUS))
        topology += b"".join(self.pack("II", cpu % 2, cpu // 2) for cpu in range(CPUS))
        topology += self.pack("I", 2) + self.string("0-1") + self.string("2-3")
        topology += self.pack("4I", 0, 0, 0, 0)
        numa = self.pack("I", 2)
        for node in (0, 1):
            numa += self.pack("IQQ", node, 1000, 500) + self.string("%d-%d" % (2 * node, 2 * node + 1))
        return {
            # without it readers take the bits for a bitmap of 32-bit words
            FEAT_HOSTNAME: self.string("machine"),
            FEAT_NRCPUS: self.pack("II", CPUS, CPUS),
            FEAT_CMDLINE: self.pack("I", len(words)) + b"".join(map(self.string, words)),
            FEAT_EVENT_DESC: desc,
            FEAT_CPU_TOPOLOGY: topology,
            FEAT_NUMA: numa,
            FEAT_STAT: b"",
        }

    def file(self):
        ids = attrs = b""
        for i, (_, kind, config) in enumerate(EVENTS):
            mine = b"".join(self.pack("Q", v) for v in self.ids(i))
            attrs += self.attr(kind, config) + self.pack("QQ", HEADER_SIZE + len(ids), len(mine))
            ids += mine
        data, features = self.data(), self.features()
        attrs_at = HEADER_SIZE + len(ids)
        data_at = attrs_at + len(attrs)
        table_at = data_at + len(data)
        body_at = table_at + 16 * len(features)
        table = bodies = b""
        bits = 0
        for number in sorted(features):
            table += self.pack("QQ", body_at + len(bodies), len(features[number]))
            bodies += features[number]
            bits |= 1 << number
        head = self.pack("QQQ", 0x32454C4946524550, HEADER_SIZE, 128 + 16)
        head += self.pack("QQQQQQ", attrs_at, len(attrs), data_at, len(data), 0, 0)
        head += self.pack("QQQQ", bits, 0, 0, 0)
        return head + ids + attrs + data + table + bodies


def main():
    order = ">" if sys.argv[2:] == ["big"] else "<"
    with open(sys.argv[1], "wb") as f:
        f.write(Writer(order).file())


if __name__ == "__main__":
    main()
