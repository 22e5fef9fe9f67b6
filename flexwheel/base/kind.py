"""What a kind of run is: its keys, how it is checked and run, and what its results hold.

A kind is one value. The reader of scenarios, `check`, `run`, `view`, the files of results and the documents know no
kind by name: they ask KINDS. A kind from outside is an entry point in the group "flexwheel.kinds"; pictures of its
results are one in the group "flexwheel.pictures".
"""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from flexwheel.base.errors import ScenarioError
from flexwheel.base.registry import Registry

VEHICLE = "vehicle"  # kind of a scenario, and of results, that name none


@dataclass(frozen=True)
class RunOptions:
    """How `flexwheel run` tells what it does."""

    say: Callable  # takes lines of text
    view: bool = False  # draw the pictures as well
    quiet: bool = False
    as_json: bool = False
    verbose: bool = False  # tell the audits of meshes and bodies, and what is assumed, in full


@dataclass(frozen=True)
class ViewOptions:
    """How pictures are drawn; Pictures.options says which of it means something to them."""

    against: tuple = ()  # Datasets of other runs, for the curves
    time_s: float | None = None  # of the deformed body
    factor: float | None = None  # magnification of displacements
    frames: int = 36  # of the animation
    scenes: bool = True  # three-dimensional pictures
    paraview: bool = True  # one VTKHDF file a wheelset, with time
    spread_nodes: bool = False  # colour the nodes over which the contact force is spread
    motions: bool = False  # complex modes of the linear vehicle, in a page
    body: tuple = ()  # NAME=FILE or NAME=FILE@UNIT: a mesh for a body, in a page
    samples: int | None = None  # at most, in a page that is to be small: evenly spaced, no half second


@dataclass(frozen=True)
class Kind:
    """A kind of run."""

    name: str
    meaning: str  # one line, for documents
    keys: type  # of its scenarios, a section.Section with the key `kind`
    variables: tuple  # of its results, results.variables.Variable
    check: Callable[[Any], list]  # (ScenarioSource) -> warnings; raises what is wrong, runs and compiles nothing
    run: Callable  # (ScenarioSource, report, wheelsets, out, Checkpoints) -> Dataset; see run.any_kind.run_source
    # (ScenarioSource, folder, RunOptions, Checkpoints): `flexwheel run`, results written and told; None: run_plainly
    command: Callable | None = None
    summary: Callable[[Any], list] = lambda dataset: []  # (Dataset) -> lines that run_plainly and `report` tell
    ahead: Callable = lambda source: nullcontext()  # (ScenarioSource) -> context in which kernels are compiled ahead
    wrong: Callable[[Any], str] = lambda dataset: ""  # (Dataset) -> what is wrong with names of its own, or ""
    even_samples: bool = True  # of its results, in time
    constant_speed: bool = True  # run.speed_kmh is the speed all along
    curves_in_report: bool = True  # its variables over time; False: its assessments show them


@dataclass(frozen=True)
class Pictures:
    """How results of one kind are drawn: those of a kind of run, or of a study of many."""

    name: str  # attribute `kind` of the results
    draw: Callable  # (Dataset, folder, say, ViewOptions) -> files made
    options: tuple[str, ...] = ()  # fields of ViewOptions that they heed
    file: str = ""  # name of the results in their folder; "": results.nc
    read: Callable | None = None  # (path) -> Dataset of such a file
    figures: Callable | None = None  # (Dataset, variable) -> name -> figure, for the notebook
    fewest: int = 0  # samples that they need
    scenes: Callable | None = None  # (Dataset) -> [page_scene.PageScene], for a page
    motions: Callable | None = None  # (Dataset, say) -> [page_scene.PageMotion], for a page
    # (Dataset, Scenario, [(row, wheel)]) -> {(row, wheel): [contact_strips.PatchStrips] or why not}, or None
    strips: Callable = lambda results, scenario, wanted: None
    # (Scenario, folder) -> context of drawing_process.PictureProcess, which draws as runs end
    beside: Callable = lambda scenario, folder: nullcontext()

    def require_samples(self, count):
        """Refuse results, or a run that will store them, with fewer samples than the pictures need."""
        if count < self.fewest:
            raise ScenarioError(
                f"view: results must have {self.fewest} samples or more, got {count}; lengthen the run, or set "
                "run.output_step_s"
            )

    def require_heeded(self, options):
        """Refuse what is asked of these pictures and means nothing to them."""
        _require_heeded(options, self.options, f"results of kind {self.name!r}")


@dataclass(frozen=True)
class Page:
    """Results as one file that another program opens: a page that moves, a body to be turned."""

    name: str
    make: Callable  # ((Dataset, ...) the run and those beside it, path, say, ViewOptions) -> files made
    suffixes: tuple[str, ...] = ()  # of the file, lower case
    options: tuple[str, ...] = ("against", "time_s")  # fields of ViewOptions that it heeds
    of_scenes: Callable | None = None  # ([(name, page_scene.PageScene)] beside each other, path, say) -> files made

    def require_heeded(self, options):
        """Refuse what is asked of the file, or of the window, and means nothing to it."""
        _require_heeded(options, self.options, f"{self.suffixes[0]} files" if self.suffixes else f"the {self.name}")


def _require_heeded(options, heeded, what):
    plain = ViewOptions()
    given = [name for name in vars(plain) if getattr(options, name) != getattr(plain, name)]
    idle = [f"--{name.replace('_', '-')}" for name in given if name not in heeded]
    if idle:
        raise ScenarioError(f"view: {', '.join(idle)}: without effect on {what}")


def file_of_results(datasets, path, say, options):
    """Write results as one file of the Page of its suffix; datasets: the run, and those beside it. Returns the files.

    Raises
    ------
    ScenarioError   an unknown suffix, options without effect, results that the page cannot take
    """
    page = PAGES.of_file(path, "the suffix must be one of")
    page.require_heeded(replace(options, against=tuple(datasets[1:])))
    return page.make(tuple(datasets), path, say, options)


KINDS = Registry("kind of run", "flexwheel.kinds", Kind, VEHICLE)
PICTURES = Registry("pictures of results", "flexwheel.pictures", Pictures)
PAGES = Registry("page of results", "flexwheel.pages", Page)
