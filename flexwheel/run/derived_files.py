"""Files that commands make of a run's results, in its folder: they go with the run that replaces the results."""

from contextlib import contextmanager, suppress
from pathlib import Path

MADE = {
    "report": ("report.html", "report.pdf"),
    "pictures": ("pictures/*.png", "pictures/*.gif", "pictures/*.mp4", "pictures/*.vtkhdf"),
    "stress": ("stress/*.nc", "stress/*.png"),
    "fatigue": ("fatigue/*.png",),
    "agreement": ("agreement.csv",),
    "runs beside": tuple(f"{mode}/{{results}}" for mode in ("eulerian", "lagrangian", "eulerian_interpolated")),
}  # fmt: skip
"""What `report`, `view`, `stress`, `fatigue`, reduced runs and run.compare_modes leave in a run's folder."""


@contextmanager
def derived_files_follow(folder, name, say=lambda line: None):
    """Remove what was made of a folder's results where the block has replaced them.

    Parameters
    ----------
    folder : Path or str
    name : str                  of the result file in it
    say : callable(str)         told in one line what was removed
    """
    folder = Path(folder)
    before = _written(folder / name)
    try:
        yield
    finally:
        now = _written(folder / name)
        if now is not None and now != before:
            removed = {kind: _remove_older(folder, patterns, name, now) for kind, patterns in MADE.items()}
            words = ", ".join(f"{kind} ({count})" for kind, count in removed.items() if count)
            if words:
                say(f"removed files made from the former run: {words}")


def _written(file):
    """Time of the last change [ns], None where there is no file."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return None


def _remove_older(folder, patterns, name, limit):
    """Number of files removed that are older than a time [ns]; folders they leave empty go as well."""
    files = [file for pattern in patterns for file in folder.glob(pattern.format(results=name))]
    old = [file for file in files if (_written(file) or limit) < limit]
    for file in old:
        with suppress(OSError):
            file.unlink()
    for place in sorted({file.parent for file in old} - {folder}, reverse=True):  # the inner ones first
        with suppress(OSError):
            place.rmdir()
    return len(old)
