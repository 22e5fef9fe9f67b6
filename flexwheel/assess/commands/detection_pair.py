"""Profile pairs of the detection commands."""

from pathlib import Path

from flexwheel.assess.commands import contact_options


def contact_pair(wheel, rail, inclination, radius, files=None, rail_inclined=None):
    """ContactTables and Placement of a pair given by name or file.

    Parameters
    ----------
    wheel : str          S1002, or a profile file
    rail : str           UIC60 (Manchester benchmark), 60E1 (EN 13674-1), or a profile file
    inclination : str    1:40, 1:20, 0; of a file only where it stands upright
    radius : float [m]   nominal rolling radius
    files : dict         ProfileFile of wheel and rail
    rail_inclined : bool or None   how the rail stands in its file
    """
    from flexwheel.base.disagreements import disagree
    from flexwheel.contact.contact_tables import make_contact_tables
    from flexwheel.contact.profiles.chosen_profile import chosen_profile
    from flexwheel.contact.profiles.placement import place
    from flexwheel.contact.profiles.profile_file import ProfileFile

    files = files or {"wheel": ProfileFile(), "rail": ProfileFile()}
    section, doubts = chosen_profile(
        rail, "rail", files["rail"], inclination=contact_options.inclination_of(inclination), inclined=rail_inclined,
        place="--rail ",
    )  # fmt: skip
    for doubt in doubts:
        disagree(*doubt)
    tread, _ = chosen_profile(wheel, "wheel", files["wheel"], place="--wheel ")
    placement = place(section, radius=radius)
    return make_contact_tables(tread, section, placement), placement


def trained_for(contact, options=None, file=None, again=False, quiet=False):
    """TrainedDetection of a pair from its file, or trained with these options and stored; with the file's path."""
    from flexwheel.assess.detection.train_detection import train_detection
    from flexwheel.contact.detection.detection_file import detection_path, load_detection, save_detection
    from flexwheel.run.progress import progress

    path = Path(file) if file else detection_path(contact)
    if path.is_file() and not again:
        return load_detection(path, contact), path
    with progress("training of the contact detection", not quiet) as report:
        report(0.0)
        found = train_detection(contact, options, report)
    save_detection(found, path)
    return found, path
