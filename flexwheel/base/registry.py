"""What can be added from outside: values that are found by name, of one form for everything that can be added.

A registry holds the values that installed distributions, the package's own among them, declare as entry points, and
those that the running program registers. An entry point is `name = "module:VALUE"` in the group of the registry:

    [project.entry-points."flexwheel.kinds"]
    my_kind = "my_package.kind:MY_KIND"

An entry point that cannot be used costs one warning and nothing else; two values of one name are refused.
"""

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from threading import RLock

from flexwheel import __version__
from flexwheel.base.errors import ScenarioError

OWN = __name__.partition(".")[0]
_installed = cache(entry_points)  # read once for all registries


class Registry(Mapping):
    """Name -> value; entry points are imported when the registry is first read.

    noun : str       what a value is, for messages: "kind of run"
    group : str      of the entry points
    type : type      of the values
    default : str    name that is taken where none is given; it comes first
    """

    def __init__(self, noun, group, type, default=""):
        self.noun, self.group, self.type, self.default = noun, group, type, default
        self._values, self._looked, self._lock, self._told = {}, False, RLock(), set()

    def register(self, value):
        """Add a value by its `name`; returns it, so that it can stand where the value is declared.

        Raises
        ------
        ScenarioError    another type, or a name that is taken
        """
        self._add(value, getattr(value, "name", "?"))
        return value

    def _add(self, value, name):
        if not isinstance(value, self.type) or value.name != name:
            raise ScenarioError(
                f"{self.noun} {name!r}: expected a {self.type.__name__} of that name, got {type(value).__name__} "
                f"{getattr(value, 'name', '')!r}"
            )
        held = self._values.setdefault(name, value)
        if held is not value:
            raise ScenarioError(f"{self.noun} {name!r} is declared twice")

    def require(self, name, where):
        """The value of a name; a ScenarioError that begins with `where` names those there are."""
        if name not in self:
            raise ScenarioError(f"{where}: {self.noun} must be one of {', '.join(self)}, got {name!r}")
        return self[name]

    def by_suffix(self, field="suffixes") -> dict:
        """Suffix of files -> value that claims it there; of two the first, so the package's own, with one warning."""
        found = {}
        for value in self.values():
            for suffix in getattr(value, field):
                kept = found.setdefault(suffix, value)
                if kept is not value and (clash := (suffix, value.name)) not in self._told:
                    self._told.add(clash)
                    print(f"warning: {suffix} is of {self.noun} {kept.name!r}, not of {value.name!r}", file=sys.stderr)
        return found

    def of_file(self, path, what, error=ScenarioError, field="suffixes"):
        """The value that claims the suffix of a file; refused in a line that says `what` of the suffixes there are."""
        suffix, known = Path(path).suffix, self.by_suffix(field)
        if suffix.lower() not in known:
            raise error(f"{path}: {what} {', '.join(known) or 'no file'}, got {suffix or 'no ending'}")
        return known[suffix.lower()]

    @property
    def declared(self) -> dict:
        """The values by name, as they are held."""
        with self._lock:
            if not self._looked:
                self._looked = True
                for point in sorted(_installed().select(group=self.group), key=self._turn):
                    self._load(point)
            return self._values

    def _turn(self, point):
        """Place of an entry point: the default, then the package's own, so that none can take the name of one."""
        return point.name != self.default, not point.module.startswith(f"{OWN}."), point.name

    def _load(self, point):
        if point.module.startswith(f"{OWN}.") and not _is_there(point.module):
            return  # a room that was taken out of this copy of the package
        try:
            _require_fit(point)
            self._add(point.load(), point.name)
        except Exception as error:  # noqa: BLE001 - whatever a plugin does, the package goes on
            whose = point.dist.name if point.dist else point.module
            line = " ".join(str(error).split())
            print(f"warning: {self.noun} {point.name!r} of {whose} is left out: {line}", file=sys.stderr)

    def __getitem__(self, name):
        return self.declared[name]

    def __iter__(self) -> Iterator:
        return iter(self.declared)

    def __len__(self) -> int:
        return len(self.declared)


def _require_fit(point):
    """Refuse a distribution that was made for another version of this package."""
    if point.dist is None or point.module.startswith(f"{OWN}."):
        return
    from packaging.requirements import Requirement

    for text in point.dist.requires or ():
        wanted = Requirement(text)
        if wanted.name == OWN and not wanted.specifier.contains(__version__, prereleases=True):
            raise ScenarioError(f"it was made for {text}, this is {OWN} {__version__}")


def _is_there(module):
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
