"""Profile pairs of the detection commands."""

from __future__ import annotations

from pathlib import Path

RAILS = ("UIC60", "60E1")


def contact_pair(wheel, rail, inclination, radius, smoothing_mm=0.0):
    """ContactTables and Placement of a pair given by name or file.

    Parameters
    ----------
    wheel : str          S1002, or a profile file
    rail : str           UIC60 (Manchester benchmark), 60E1 (EN 13674-1), or a profile file
    inclination : str    1:40, 1:20, 0; added to a file's own
    radius : float [m]   nominal rolling radius
    """
    from flexwheel.contact.tables import make_contact_tables
    from flexwheel.profiles.placement import place
    from flexwheel.profiles.profile_file import read_profile
    from flexwheel.profiles.rail_60e1 import rail_60e1, rail_uic60_manchester
    from flexwheel.profiles.s1002 import s1002

    lean = parse_inclination(inclination)
    known = {"UIC60": rail_uic60_manchester, "60E1": rail_60e1}
    if rail.upper() in known:
        section = known[rail.upper()](lean)
    else:
        section = read_profile(_file(rail, "--rail", RAILS), "rail", inclination=lean, smoothing_mm=smoothing_mm)
    if wheel.upper() == "S1002":
        tread = s1002()
    else:
        tread = read_profile(_file(wheel, "--wheel", ("S1002",)), "wheel", smoothing_mm=smoothing_mm)
    placement = place(section, radius=radius)
    return make_contact_tables(tread, section, placement), placement


def parse_inclination(text):
    """Tangent of "1:40" or a number."""
    from flexwheel.errors import ScenarioError

    try:
        parts = [float(part) for part in str(text).replace("/", ":").split(":")]
        value = parts[0] / parts[1] if len(parts) == 2 else parts[0]
        if len(parts) > 2 or not 0.0 <= value <= 0.2:
            raise ValueError
    except (ValueError, ZeroDivisionError):
        raise ScenarioError(f"--inclination {text}: expected 1:40, 1:20 or 0") from None
    return value


def _file(text, option, names):
    from flexwheel.errors import ScenarioError

    if not Path(text).is_file():
        raise ScenarioError(f"{option} {text}: neither {', '.join(names)} nor a file")
    return text


def trained_for(contact, options=None, file=None, again=False, quiet=False):
    """TrainedDetection of a pair from its file, or trained with these options and stored; with the file's path."""
    from flexwheel.contact.detection.train import train_detection
    from flexwheel.io.detection_file import detection_path, load_detection, save_detection
    from flexwheel.io.progress import progress

    path = Path(file) if file else detection_path(contact)
    if path.is_file() and not again:
        return load_detection(path, contact), path
    with progress("training of the contact detection", not quiet) as report:
        report(0.0)
        found = train_detection(contact, options, report)
    save_detection(found, path)
    return found, path
