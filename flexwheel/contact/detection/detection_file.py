"""Trained networks and look-up tables on disk: one .npz file per profile pair, named by the pair's key.

The folder is `cache_root()/detection`. A file appears whole or not at all; nothing is unpickled. A file of another
pair, of another format or damaged is refused with one line, and so is one of that folder that another user may have
written (cache_root.py). A file that is named elsewhere is read whoever wrote it.
"""

from dataclasses import asdict
from pathlib import Path

from flexwheel.base.cache_root import cache_root, close_to_others, open_private, own_folder
from flexwheel.base.errors import ScenarioError
from flexwheel.base.output_files import output_folder, read_archive, write_archive
from flexwheel.contact.detection.pair_key import pair_key
from flexwheel.contact.detection.trained_detection import TrainedDetection, TrainingOptions

FORMAT = 1
KIND = "contact detection"


def detection_path(contact, folder=None):
    """File of a profile pair (ContactTables); it need not exist."""
    return Path(folder or cache_root() / "detection") / f"{pair_key(contact)[:24]}.npz"


def save_detection(trained, path):
    """Write TrainedDetection to a .npz file. Raises FlexwheelError when it cannot be written."""
    path = Path(path)
    words = {"kind": KIND, "format": FORMAT, "key": trained.key, "options": asdict(trained.options)}
    numbers = {"share": trained.share, "place_error": trained.place_error, "epochs": trained.epochs}
    if not _is_cached(path):
        output_folder(path.parent)
        write_archive(path, words, trained.arrays | numbers)
        return
    try:
        own_folder(path.parent, named_by_us=True)
    except OSError as error:
        raise ScenarioError(f"{path.parent} must be a writable folder: {error}") from None
    write_archive(path, words, trained.arrays | numbers)
    close_to_others(path)


def load_detection(path, contact) -> TrainedDetection:
    """Networks and table of a profile pair.

    Parameters
    ----------
    path : str or Path
    contact : ContactTables      of the pair they are wanted for

    Raises
    ------
    ScenarioError                no such file, damaged, or of another pair
    """
    path = Path(path)
    try:
        with open_private(path) if _is_cached(path) else open(path, "rb") as stream:
            words, arrays = read_archive(stream)
        kind, version, key = words["kind"], words["format"], words["key"]
    except FileNotFoundError:
        raise ScenarioError(
            f"{path}: no networks and tables for this wheel and rail; run `flexwheel detection-train`"
        ) from None
    except Exception as error:
        raise ScenarioError(f"{path}: cannot be read as networks and tables: {error}") from error
    if kind != KIND or version != FORMAT:
        raise ScenarioError(f"{path} must hold {KIND!r} of format {FORMAT}, got {kind!r} of format {version!r}")
    if key != pair_key(contact):
        raise ScenarioError(
            f"{path}: made for profile pair {key[:12]}, this wheel and rail are {pair_key(contact)[:12]}; "
            "train them with `flexwheel detection-train`"
        )
    numbers = {name: arrays.pop(name) for name in ("share", "place_error", "epochs")}
    options = words["options"]
    options["table"] = tuple(options["table"])
    return TrainedDetection(key, arrays, TrainingOptions(**options), **numbers)


def _is_cached(path):
    return path.parent == cache_root() / "detection"
