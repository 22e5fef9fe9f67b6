"""What a kind of run is: its keys, how it is checked, run and drawn, and what its results hold.

A kind is one value. The reader of scenarios, `check`, `run`, `view`, the files of results and the documents know no
kind by name: they ask KINDS. A kind from outside is an entry point in the group "flexwheel.kinds".
"""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from flexwheel.errors import ScenarioError
from flexwheel.registry import Registry

VEHICLE = "vehicle"
"""Name of the kind of a scenario, and of results, that name none."""


@dataclass(frozen=True)
class RunOptions:
    """How `flexwheel run` tells what it does."""

    say: Callable  # takes lines of text
    view: bool = False  # draw the pictures as well
    quiet: bool = False
    as_json: bool = False


@dataclass(frozen=True)
class ViewOptions:
    """How pictures are drawn; a kind refuses what it cannot do by Kind.view_options."""

    against: tuple = ()  # Datasets of other runs, for the curves
    time_s: float | None = None  # of the deformed body
    factor: float | None = None  # magnification of displacements
    frames: int = 36  # of the animation
    scenes: bool = True  # three-dimensional pictures
    paraview: bool = True  # VTU and PVD files
    spread_nodes: bool = False  # colour the nodes over which the contact force is spread


@dataclass(frozen=True)
class Kind:
    """A kind of run."""

    name: str
    meaning: str  # one line, for documents
    keys: type  # of its scenarios, a scenario.section.Section with the key `kind`
    variables: tuple  # of its results, results.variables.Variable
    check: Callable[[Any], list]  # (ScenarioSource) -> warnings; raises what is wrong, runs and compiles nothing
    run: Callable  # (ScenarioSource, report, wheelsets, out, Checkpoints) -> Dataset; see run.any_kind.run_source
    command: Callable  # (ScenarioSource, folder, RunOptions, Checkpoints): `flexwheel run`, results written and told
    draw: Callable  # (Dataset, folder, say, ViewOptions) -> files of its pictures
    ahead: Callable = lambda source: nullcontext()  # (ScenarioSource) -> context in which kernels are compiled ahead
    view_options: tuple[str, ...] = ()  # fields of ViewOptions that its pictures heed
    wrong: Callable[[Any], str] = lambda dataset: ""  # (Dataset) -> what is wrong with names of its own, or ""
    even_samples: bool = True  # of its results, in time
    constant_speed: bool = True  # run.speed_kmh is the speed all along


def require_heeded(options, kind):
    """Refuse what is asked of pictures and means nothing to a kind."""
    plain = ViewOptions()
    given = [name for name in vars(plain) if getattr(options, name) != getattr(plain, name)]
    idle = [f"--{name.replace('_', '-')}" for name in given if name not in kind.view_options]
    if idle:
        raise ScenarioError(f"view: {', '.join(idle)}: without effect on results of kind {kind.name!r}; leave it out")


KINDS = Registry("kind of run", "flexwheel.kinds", Kind, VEHICLE)
