"""Checkpoints of a time loop: every array that moves, in one file that is replaced whole, and refused where it does not
fit what is run now.

A loop knows of them three calls: `steps`, `restore`, `save`. What moves is everything its kernel is handed
(`arrays_within`), scratch included, so that nothing has to be added here when a force element, a rail
model or a contact law gets a memory of its own. File: .npz without objects.
"""

import hashlib
import os
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from flexwheel.base.errors import ScenarioError
from flexwheel.base.output_files import read_archive, write_archive
from flexwheel.numerics.kernels.cache import source_stamp

FORMAT = 1
DONE, SAMPLES, SEAL = ".done", ".samples.nc", ".sha256"
"""Ends of the names of what stands beside a checkpoint."""


@dataclass
class Checkpoint:
    """The checkpoint of one time loop."""

    path: Path
    interval: float  # [s] of simulated time
    identity: dict[str, str] = field(default_factory=dict)  # what must be as it was: words for the reader -> digest
    at_end: bool = False  # of a loop with others after it: saved at its end as well
    seconds: float = 0.0  # [s] of wall clock that the run took before this process
    interrupted: bool = False  # the loop ended so

    def __post_init__(self):
        self._begun = time.perf_counter()

    @property
    def samples(self):
        """Path at which the samples of an interrupted loop wait."""
        return self.path.with_suffix(SAMPLES)

    def steps(self, step):
        """Whole steps of `step` [s] between checkpoints."""
        return max(1, int(round(self.interval / step)))

    def restore(self, moving, grown=None) -> bool:
        """Fill the arrays with what was saved; False where nothing was.

        Parameters
        ----------
        moving : dict of arrays          those of the shape they were saved in
        grown : dict of arrays           rows of samples: the first ones are filled, as many as there were

        Raises
        ------
        ScenarioError   unreadable, or of another scenario, input, program or version
        """
        if not self.path.is_file():
            return False
        words, arrays = self.require_fit()
        targets = {**moving, **(grown or {})}
        if set(targets) != set(arrays):
            odd = sorted(set(targets) ^ set(arrays))[0]
            raise ScenarioError(f"{self.path}: checkpoint of another run (array {odd!r}); run the scenario again")
        for name, target in targets.items():
            kept = arrays[name]
            target = target[: kept.shape[0]] if kept.ndim and name in (grown or {}) else target
            if kept.shape != target.shape or kept.dtype != target.dtype:
                raise ScenarioError(
                    f"{self.path}: checkpoint of another run (array {name!r} must be {target.dtype} {target.shape}, "
                    f"got {kept.dtype} {kept.shape}); run the scenario again"
                )
            target[...] = kept
        self.seconds = float(words["seconds"])
        return True

    def require_fit(self):
        """(words, arrays) of the file, which there is; errors as `restore`."""
        words, arrays = read_checkpoint(self.path)
        for what, digest in self.identity.items():
            if words["identity"].get(what) != digest:
                raise ScenarioError(
                    f"{self.path}: {what} has changed since the run began; restore it, or run the scenario again"
                )
        return words, arrays

    def save(self, moving, grown=None):
        """Write the arrays over what was saved before; `grown`: the rows there are. Errors as `output_files`."""
        seconds = self.seconds + time.perf_counter() - self._begun
        words = {"format": FORMAT, "identity": self.identity, "seconds": seconds}
        write_archive(self.path, words, {**moving, **(grown or {})})


def program_identity(module):
    """Identity of the program of a time loop: of a module, by its dotted name, and all that it imports."""
    return {"program of the time step": source_stamp(find_spec(module).origin)}


def read_checkpoint(path):
    """(words, arrays by name) of a checkpoint file.

    Raises
    ------
    ScenarioError   it cannot be read, or is of another version
    """
    try:
        words, arrays = read_archive(path)
        version, _ = words["format"], (dict(words["identity"]), float(words["seconds"]))
    except Exception as error:
        raise ScenarioError(
            f"{path} must be a checkpoint, but cannot be read: {error}; run the scenario again"
        ) from None
    if version != FORMAT:
        raise ScenarioError(f"{path} must be a checkpoint of format {FORMAT}, got {version}; run the scenario again")
    return words, arrays


def seal(path, place):
    """Note the digest of a file beside the place where it will wait."""
    place.with_name(place.name + SEAL).write_text(_digest(path), encoding="ascii")


def require_sealed(path):
    """Refuse a file that is not as it was when it was sealed."""
    note = path.with_name(path.name + SEAL)
    if not note.is_file() or note.read_bytes() != _digest(path).encode():
        raise ScenarioError(f"{path} has changed since the run was interrupted; run the scenario again")


def _digest(path):
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class Checkpoints:
    """Those of all time loops of a run, in one folder."""

    def __init__(self, folder, interval):
        """folder : Path; interval [s] of simulated time between checkpoints."""
        self.folder, self.interval, self.loops = Path(folder), interval, []

    def of(self, name, identity, at_end=False) -> Checkpoint:
        """Checkpoint of the loop of that name; identity and at_end as of Checkpoint."""
        made = Checkpoint(self.folder / f"{name}.npz", self.interval, identity, at_end)
        self.loops.append(made)
        return made

    def take_up(self, checkpoint, part):
        """Whether a loop goes on from its Checkpoint: its samples are then at the Path `part`, where they are written.

        Raises
        ------
        ScenarioError    there is a checkpoint, but it does not fit, or the samples before it are not there
        """
        if not checkpoint.path.is_file():
            return False
        checkpoint.require_fit()
        if checkpoint.samples.is_file():
            require_sealed(checkpoint.samples)
            os.replace(checkpoint.samples, part)
        if not part.is_file():
            raise ScenarioError(f"{part}: no such file, but the checkpoint needs it; run the scenario again")
        return True

    def finish(self, name):
        """Note that the results of a loop are written."""
        (self.folder / f"{name}{DONE}").touch()

    def finished(self, name, part):
        """Whether `finish` was called; of its samples at the Path `part` nothing is left then."""
        if not (self.folder / f"{name}{DONE}").is_file():
            return False
        part.unlink(missing_ok=True)
        return True

    @property
    def interrupted(self):
        """Whether a loop of this process was interrupted and can go on."""
        return any(loop.interrupted and loop.path.is_file() for loop in self.loops)
