"""Languages of a report: a TOML file of phrases; names, numbers and texts that it does not know stay as they are.

The phrases of `languages/en.toml` are what the code writes. {a}, {b} in them stand for numbers and names. `[texts]` of
a language are whole texts of files, such as reasons of assumed values.
"""

import re
from functools import cached_property
from pathlib import Path

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, read_toml

FOLDER = Path(__file__).with_name("languages")
PLACES = re.compile(r"\{(\w)\}")
PROSE = re.compile(r"\b(a(?= \w)|an|and|at|in|is|no(?!\.)|of|off|the|without)\b")  # in no quantity or its value
GROUPS = ("phrases", "cells")  # of whole texts, headings and labels; of single cells of tables


class Phrases:
    """Words of a report in one language."""

    def __init__(self, name, english, own):
        """name: as of HTML's lang; english, own: group -> key -> phrase"""
        self.name, self.english, self.own = name, english, own

    @cached_property
    def _known(self):
        pairs = {g: [(text, self.own[g].get(k, text), k) for k, text in self.english[g].items()] for g in GROUPS}
        plain = {g: {text: own for text, own, _ in found} | self.own.get("texts", {}) for g, found in pairs.items()}
        forms = {group: [] for group in GROUPS}
        for group in GROUPS:
            for text, own, key in sorted(pairs[group], key=lambda p: -len(PLACES.sub("", p[0]))):  # the closest first
                if PLACES.search(text):
                    form = re.sub(r"\\\{(\w)\\\}", r"(?P<\1>.+?)", re.escape(text))
                    of_quantity = group == "cells" and (key.startswith("of_") or key == "value_of")
                    forms[group].append((re.compile(form, re.DOTALL), own, of_quantity))
        return plain, forms

    def __call__(self, text, group="phrases"):
        """The text in this language."""
        plain, forms = self._known
        if text in plain[group] or self.own is self.english:
            return plain[group].get(text, text)
        listed = group == "cells" and "; " in text
        for form, own, of_quantity in forms[group]:
            found = None if listed and "; " not in own else form.fullmatch(text)
            if found and not (of_quantity and PROSE.search(text)):
                said = {k: self._listed(v, group, ", ") if v != text else v for k, v in found.groupdict().items()}
                return PLACES.sub(lambda place, said=said: said[place[1]], own)
        if listed:
            return "; ".join(self(part, group) for part in text.split("; "))
        parts = text.split(": ", 1) if group == "phrases" else ()  # a name and its meaning, both known, or a label
        said = [self._part(part, "cells") for part in parts]
        return text if any(own == part for own, part in zip(said, parts, strict=True)) else ": ".join(said) or text

    def _listed(self, text, group, mark):
        """The text in this language, or each part of the list that it is."""
        said = self._part(text, group)
        parts = text.split(mark)
        return said if said != text or len(parts) == 1 else mark.join(self._part(part, group) for part in parts)

    def _part(self, text, group):
        """A part of a text: a list of which each is a cell, a phrase, or a cell."""
        parts = text.split("; ")
        cells = [self(part, "cells") for part in parts] if len(parts) > 1 else parts
        said = self(text, group) if any(map(str.__eq__, cells, parts)) else "; ".join(cells)
        return self(text, "cells") if said == text else said


def language_of(name, folder=None):
    """Phrases of a shipped language, or of a file that lies in the folder.

    Raises
    ------
    ScenarioError       no such file; unknown keys; a phrase without its places
    """
    shipped = FOLDER / f"{name}.toml"
    english = _read(FOLDER / "en.toml")
    if name == "en":
        return Phrases("en", english, english)
    if not shipped.is_file() and folder is None or not str(name).endswith(".toml") and not shipped.is_file():
        known = ", ".join(sorted(path.stem for path in FOLDER.glob("*.toml")))
        raise ScenarioError(f"language must be one of {known}, or a file ending in .toml, got {clipped(repr(name))}")
    path = shipped if shipped.is_file() else Path(folder) / name
    own = _read(path)
    for group in GROUPS:
        for key, text in own[group].items():
            if key not in english[group]:
                raise ScenarioError(f"{path}: {group}.{clipped(key)} is no phrase of a report; en.toml has all")
            if not isinstance(text, str) or set(PLACES.findall(text)) != set(PLACES.findall(english[group][key])):
                raise ScenarioError(f"{path}: {group}.{key} must be text with the places of {english[group][key]!r}")
    return Phrases(own["language"], english, own)


def _read(path):
    found = read_toml(path, "a language of a report: TOML of phrases")
    wrong = [key for key in found if key not in ("language", *GROUPS, "texts")]
    if wrong or not isinstance(found.get("language"), str):
        what = f"unknown key {clipped(wrong[0])}" if wrong else 'no key language (say "fr")'
        raise ScenarioError(f"{path}: must have language, [phrases], [cells] and [texts], got {what}")
    for group in (*GROUPS, "texts"):
        if not isinstance(found.setdefault(group, {}), dict):
            raise ScenarioError(f"{path}: {group} must be a table")
    return found
