"""Sets as files write them: single ids and ranges, resolved against the ids there are, so that none is unfolded."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class IdRange:
    """Ids first, first + step, ... up to last, as far as they exist, without those excepted."""

    first: int
    last: int
    step: int = 1
    excepted: tuple = ()  # ids and IdRanges

    def within(self, known: np.ndarray) -> np.ndarray:
        """Mask (N,) of the known ids in the range."""
        last = self.last if abs(self.last) < 2**63 else 2**63 - 1
        inside = (known >= self.first) & (known <= last)
        if self.step > 1:
            inside &= (known - self.first) % min(self.step, 2**62) == 0
        for item in self.excepted:
            inside &= ~item.within(known) if isinstance(item, IdRange) else known != item
        return inside


def unfolded(items: Iterable, known: np.ndarray) -> np.ndarray:
    """Ids of a list of ids and IdRanges, each once, in the order of the list; ranges give existing ids ascending.

    Single ids are kept whether they exist or not, so that the caller can name those that do not.
    """
    parts, single = [np.empty(0, dtype=np.int64)], []
    ordered = None
    for item in items:
        if not isinstance(item, IdRange):
            single.append(item)
            continue
        if single:
            parts.append(np.array(single, dtype=np.int64))
            single = []
        if ordered is None:
            ordered = np.sort(known)
        parts.append(ordered[item.within(ordered)])
    parts.append(np.array(single, dtype=np.int64))
    return once(np.concatenate(parts))


def once(ids: np.ndarray) -> np.ndarray:
    """Each id once, where it stands first."""
    _, first = np.unique(ids, return_index=True)
    return ids[np.sort(first)]


def range_list(words: list[str], parse) -> list:
    """Ids and IdRanges of `a, b THRU c [BY d] [EXCEPT e, f, g THRU h]`; ValueError on anything else.

    What follows EXCEPT is excepted as long as it lies within the range before it.

    Source: MSC Nastran quick reference guide, case control SET and bulk data SET1.
    """
    items: list = []
    k = 0
    while k < len(words):
        if k + 1 < len(words) and words[k + 1] == "THRU":
            item, k = _range(words, k, parse)
            items.append(item)
        else:
            items.append(parse(words[k]))
            k += 1
    return items


def _range(words, k, parse):
    """IdRange that starts at word k, and the word after it."""
    if k + 2 >= len(words):
        raise ValueError("THRU without its two ends")
    first, last, step = parse(words[k]), parse(words[k + 2]), 1
    k += 3
    if k < len(words) and words[k] == "BY":
        if k + 1 >= len(words):
            raise ValueError("BY without a number")
        step = parse(words[k + 1])
        k += 2
    if last < first or step < 1:
        raise ValueError(f"range {first} THRU {last} BY {step} makes no ids")
    excepted: list = []
    if k < len(words) and words[k] == "EXCEPT":
        k += 1
        while k < len(words) and words[k] not in ("THRU", "EXCEPT", "BY"):
            number = parse(words[k])
            if not first <= number <= last:
                break
            if k + 1 < len(words) and words[k + 1] == "THRU":
                item, k = _range(words, k, parse)
                excepted.append(item)
            else:
                excepted.append(number)
                k += 1
        if not excepted:
            raise ValueError("EXCEPT without ids of its range")
    return IdRange(first, last, step, tuple(excepted)), k
