"""Output that fits a terminal: lines fold between words, tables that are too wide come in parts, under each other.

What goes to a file or a pipe, and JSON, stays as it is.
"""

import re
import shutil
import textwrap

_APART = re.compile(r"\S  +\S")  # between two columns of a table
_NUMBER = re.compile(r"[-+]?(\d|\.\d|$)|nan|inf")
_ESCAPE = "\x1b"


class FittedStream:
    """A terminal's stream that fits what is printed to its width."""

    def __init__(self, stream):
        self._stream, self._rows, self._begun = stream, [], ""

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def write(self, text):
        """Take text; rows of a table are held until a line that is none, or until `flush`."""
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            if _APART.search(line) and _ESCAPE not in line:
                self._rows.append(line)
            else:
                self._end_table()
                self._stream.write(f"{fitted_line(line, _width())}\n")
        return len(text)

    def flush(self):
        """Write what is held."""
        self._end_table()
        self._stream.write(self._begun)
        self._begun = ""
        self._stream.flush()

    def _end_table(self):
        if self._rows:
            self._stream.write("\n".join(fitted_table(self._rows, _width())) + "\n")
            self._rows = []


def fitted_line(line, width, deeper=None):
    """A line folded between words, its further parts `deeper`, or two spaces; JSON and colours stay as they are."""
    if len(line) <= width or _ESCAPE in line or line.lstrip()[:1] in set('"{}[]'):
        return line
    first = len(line) - len(line.lstrip())
    more = " " * (first + 2 if deeper is None else deeper)
    keys = {"break_long_words": False, "break_on_hyphens": False, "replace_whitespace": False}
    return textwrap.fill(line.strip(), width, initial_indent=" " * first, subsequent_indent=more, **keys)


def fitted_table(rows, width):
    """Rows of a table no wider than `width`: blanks between columns are taken out, then it comes in parts.

    A column begins where every row has two blanks before it. Each part begins with the labels, the leading columns of
    words. Where a last column of words alone is too wide it is folded in itself.
    """
    if max(map(len, rows)) <= width:
        return rows
    indent, columns = _columns(rows)
    labels = _labels(columns, width)
    used = indent + sum(len(column[0]) + 2 for column in columns[:labels])
    parts, room = [[]], width - used
    for column in columns[labels:]:
        if parts[-1] and len(column[0]) > room:
            parts.append([])
            room = width - used
        parts[-1].append(column)
        room -= len(column[0]) + 2
    out = []
    for part in parts:
        lines = [" " * indent + "  ".join(cells).rstrip() for cells in zip(*columns[:labels], *part, strict=True)]
        deep = used + sum(len(column[0]) + 2 for column in part[:-1])
        out += [""] * bool(out) + [
            fitted_line(line, width, deep if deep < 0.6 * width else indent + 2) for line in lines
        ]
    return out


def _columns(rows):
    """Blanks before the table, and its columns, each a list of cells of one length."""
    longest = max(map(len, rows))
    padded = [row.ljust(longest) for row in rows]
    blank = [all(row[k] == " " for row in padded) for k in range(longest)]
    starts = [k for k in range(longest) if not blank[k] and all(blank[max(k - 2, 0) : k])]
    ends = [*starts[1:], longest]
    cells = [[row[a:b].rstrip() for row in padded] for a, b in zip(starts, ends, strict=True)]
    return min(starts[0], 2), [[cell.ljust(max(map(len, column))) for cell in column] for column in cells]


def _labels(columns, width):
    """Number of leading columns of words, one at least, that take no more than 0.75 of the width."""
    count = 0
    for column in columns[:-1]:
        words = sum(not _NUMBER.match(cell.strip()) for cell in column[1:] if cell.strip())
        room = sum(len(c[0]) + 2 for c in columns[: count + 1])
        if count and (2 * words < len(column) or room > 0.75 * width):
            break
        count += 1
    return max(count, 1)


def _width():
    return shutil.get_terminal_size().columns
