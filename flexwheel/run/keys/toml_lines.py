"""Where a key stands in a TOML text, so that an error can name the line."""

import re

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"^\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"))*)\s*=")
_STRING = re.compile(r"\"(?:\\.|[^\"\\])*\"|'[^']*'|#.*")
_BRACKET = re.compile(r"[\[\]{}]")


def _parts(dotted):
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def key_lines(text):
    """Line number of every key and table of a TOML text.

    Parameters
    ----------
    text : str

    Returns
    -------
    dict    path (tuple of str and int) -> line number from 1
    """
    lines, prefix, counts = {}, (), {}
    array, depth = (), 0  # path of an array that runs over lines, and how deep in its brackets a line begins
    for number, line in enumerate(text.splitlines(), start=1):
        if depth:
            depth = _elements(line, array, depth, counts, lines, number)
            continue
        header = _HEADER.match(line)
        if header:
            prefix = _parts(header.group(2))
            if header.group(1) == "[[":
                index = counts.get(prefix, 0)
                counts[prefix] = index + 1
                prefix = (*prefix, index)
            else:
                prefix = _within_array(prefix, counts)
            lines.setdefault(prefix, number)
            continue
        key = _KEY.match(line)
        if key:
            array = prefix + _parts(key.group(1))
            lines.setdefault(array, number)
            depth = _elements(line[key.end() :], array, 0, counts, lines, number)
    return lines


def _elements(text, array, depth, counts, lines, number):
    """Note the line of each table in an array that runs over lines; returns how deep in brackets the text ends."""
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        if bracket == "{" and depth == 1:
            counts[array] = counts.get(array, 0) + 1
            lines.setdefault((*array, counts[array] - 1), number)
        depth = depth + 1 if bracket in "[{" else max(depth - 1, 0)
    return depth


def _within_array(path, counts):
    """Path with the index of the last element put after each array of tables it passes through."""
    result = ()
    for depth in range(1, len(path) + 1):
        result = (*result, path[depth - 1])
        if path[:depth] in counts:
            result = (*result, counts[path[:depth]] - 1)
    return result


def line_of(text, path):
    """Line of the key at path, or of the innermost table that holds it; None when nothing matches."""
    lines = key_lines(text)
    path = tuple(path)
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return None
