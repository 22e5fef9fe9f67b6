"""Histories of results into a file of another program's format, whole or not at all."""

from pathlib import Path

from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.base.output_files import write_whole
from flexwheel.extensions.exports.channels import EXPORTS, channels


def export_results(results, path, names, where=None, span=(None, None), rate_hz=None):
    """Write chosen histories; the format is that of the file's suffix. Returns the Channels.

    results, names, where, span, rate_hz : of `channels`    path : str or Path

    Raises
    ------
    ScenarioError    what `channels` refuses; an unknown suffix; a library that is not installed
    FlexwheelError   a file that cannot be written, or a format that cannot hold it
    """
    path = Path(path)
    chosen = EXPORTS.of_file(path, "the suffix must be one of")
    found = channels(results, names, where, span, rate_hz)
    try:
        write_whole(path, lambda part: chosen.write(found, part))
    except ImportError:
        raise ScenarioError(f"{path}: needs {chosen.library}: pip install 'flexwheel[export]'") from None
    except ValueError as error:
        raise FlexwheelError(f"{path}: {error}") from None
    return found


def frame_of(results, names, where=None, span=(None, None), rate_hz=None):
    """Chosen histories as a DataFrame; arguments and errors of `channels`."""
    return channels(results, names, where, span, rate_hz).frame
