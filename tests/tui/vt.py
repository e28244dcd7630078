# SPDX-License-Identifier: GPL-2.0-or-later
"""A terminal as xterm is one, as far as ncurses uses it: bytes in, a screen of characters with their looks out."""
import codecs

BLANK = (' ', ())


class Terminal:
    def __init__(self, columns, lines):
        self.columns, self.lines = columns, lines
        self.decoder = codecs.getincrementaldecoder('utf-8')('replace')
        self.pending = ''
        self.modes = set()
        self.bad = []  # sequences that this terminal does not know
        self.saved = None
        self.reset()

    def reset(self):
        self.cells = [[BLANK] * self.columns for _ in range(self.lines)]
        self.x = self.y = 0
        self.top, self.bottom = 0, self.lines - 1
        self.look = ()
        self.wraps = False
        self.last = ' '

    def resize(self, columns, lines):
        old = self.cells
        self.columns, self.lines = columns, lines
        self.cells = [[BLANK] * columns for _ in range(lines)]
        for y in range(min(lines, len(old))):
            for x in range(min(columns, len(old[y]))):
                self.cells[y][x] = old[y][x]
        self.top, self.bottom = 0, lines - 1
        self.x, self.y = min(self.x, columns - 1), min(self.y, lines - 1)

    def feed(self, data):
        text = self.pending + self.decoder.decode(data)
        i = 0
        while i < len(text):
            if text[i] == '\x1b':
                end = self.sequence(text, i)
                if end is None:
                    break
                i = end
            else:
                self.character(text[i])
                i += 1
        self.pending = text[i:]

    def sequence(self, text, i):
        """Takes an escape sequence; where it ends, None = it is not all there."""
        if i + 1 >= len(text):
            return None
        kind = text[i + 1]
        if kind == '[':
            j = i + 2
            while j < len(text) and not '@' <= text[j] <= '~':
                j += 1
            if j >= len(text):
                return None
            self.control(text[i + 2:j], text[j])
            return j + 1
        if kind in '()':
            return i + 3 if i + 2 < len(text) else None
        if kind == ']':
            j = text.find('\x07', i)
            return None if j < 0 else j + 1
        if kind == 'M':
            if self.y == self.top:
                self.scroll(-1)
            else:
                self.y = max(self.y - 1, 0)
        elif kind == '7':
            self.saved = (self.x, self.y, self.look)
        elif kind == '8' and self.saved:
            self.x, self.y, self.look = self.saved
        elif kind not in '=>':
            self.bad.append(text[i:i + 2])
        return i + 2

    def character(self, c):
        if c == '\r':
            self.x, self.wraps = 0, False
        elif c == '\n':
            self.down()
        elif c == '\b':
            self.x, self.wraps = max(self.x - 1, 0), False
        elif c == '\t':
            self.x = min((self.x // 8 + 1) * 8, self.columns - 1)
        elif c >= ' ':
            self.put(c)
        elif c not in '\x07\x0e\x0f':
            self.bad.append(c)

    def put(self, c):
        if self.wraps:
            self.x, self.wraps = 0, False
            self.down()
        self.cells[self.y][self.x] = (c, self.look)
        self.last = c
        if self.x + 1 < self.columns:
            self.x += 1
        else:
            self.wraps = True

    def down(self):
        self.wraps = False
        if self.y == self.bottom:
            self.scroll(1)
        elif self.y + 1 < self.lines:
            self.y += 1

    def scroll(self, n, top=None):
        top = self.top if top is None else top
        for _ in range(min(abs(n), self.bottom - top + 1)):
            if n > 0:
                del self.cells[top]
                self.cells.insert(self.bottom, [BLANK] * self.columns)
            else:
                del self.cells[self.bottom]
                self.cells.insert(top, [BLANK] * self.columns)

    def erase(self, y, x0, x1):
        for x in range(x0, min(x1, self.columns)):
            self.cells[y][x] = (' ', tuple(s for s in self.look if s.startswith('bg')))

    def control(self, args, what):
        if args[:1] == '?':
            for mode in args[1:].split(';'):
                (self.modes.add if what == 'h' else self.modes.discard)(int(mode))
                if mode == '1049':
                    self.cells = [[BLANK] * self.columns for _ in range(self.lines)]
            return
        if args[:1] in ('>', '!') or what in 'tc':
            return
        n = [int(a) if a else 0 for a in args.split(';')]
        one = max(n[0], 1)
        if what not in 'mb':
            self.wraps = False
        move = {'A': (0, -one), 'B': (0, one), 'C': (one, 0), 'D': (-one, 0)}
        if what in move:
            self.x = min(max(self.x + move[what][0], 0), self.columns - 1)
            self.y = min(max(self.y + move[what][1], 0), self.lines - 1)
        elif what in 'Hf':
            self.y = min(one, self.lines) - 1
            self.x = min(max(n[1] if len(n) > 1 else 1, 1), self.columns) - 1
        elif what == 'G':
            self.x = min(one, self.columns) - 1
        elif what == 'd':
            self.y = min(one, self.lines) - 1
        elif what == 'Z':
            self.x = max((self.x - 1) // 8 * 8, 0)
        elif what == 'm':
            self.set_look(n)
        elif what == 'b':
            for _ in range(one):
                self.put(self.last)
        elif what == 'r':
            self.top, self.bottom = one - 1, (n[1] if len(n) > 1 else self.lines) - 1
            self.x = self.y = 0
        else:
            self.change(what, n[0], one)

    def change(self, what, first, one):
        row = self.cells[self.y]
        if what == 'K':
            self.erase(self.y, 0 if first else self.x, self.x + 1 if first == 1 else self.columns)
        elif what == 'J':
            for y in range(0 if first else self.y + 1, self.y if first == 1 else self.lines):
                self.erase(y, 0, self.columns)
            if first != 2:
                self.erase(self.y, 0 if first else self.x, self.x + 1 if first == 1 else self.columns)
        elif what == 'X':
            self.erase(self.y, self.x, self.x + one)
        elif what == 'P':
            self.cells[self.y] = (row[:self.x] + row[self.x + one:] + [BLANK] * one)[:self.columns]
        elif what == '@':
            self.cells[self.y] = (row[:self.x] + [BLANK] * one + row[self.x:])[:self.columns]
        elif what in 'LM':
            self.scroll(one if what == 'M' else -one, self.y)
        elif what in 'ST':
            self.scroll(one if what == 'S' else -one)
        elif what not in 'lh':
            self.bad.append('CSI ' + what)

    def set_look(self, n):
        look, i = set(self.look), 0
        names = {1: 'bold', 2: 'dim', 4: 'underline', 7: 'reverse'}
        while i < len(n):
            v = n[i]
            if v == 0:
                look = set()
            elif v in names:
                look.add(names[v])
            elif v in (22, 24, 27):
                look -= {names[v - 20]} if v != 22 else {'bold', 'dim'}
            elif v in (38, 48) and n[i + 1:i + 2] == [5]:
                look = {s for s in look if not s.startswith('fg' if v == 38 else 'bg')}
                look.add(('fg%d' if v == 38 else 'bg%d') % n[i + 2])
                i += 2
            elif v == 39 or 30 <= v <= 37 or 90 <= v <= 97:
                look = {s for s in look if not s.startswith('fg')}
                look |= set() if v == 39 else {'fg%d' % (v - 30 if v < 40 else v - 82)}
            elif v == 49 or 40 <= v <= 47 or 100 <= v <= 107:
                look = {s for s in look if not s.startswith('bg')}
                look |= set() if v == 49 else {'bg%d' % (v - 40 if v < 50 else v - 92)}
            i += 1
        self.look = tuple(sorted(look))

    def text(self):
        """Lines without blanks at their ends, nor empty lines at the end."""
        lines = [''.join(c for c, _ in row).rstrip() for row in self.cells]
        while lines and not lines[-1]:
            lines.pop()
        return lines
