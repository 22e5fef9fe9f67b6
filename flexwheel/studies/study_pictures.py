"""The pictures of a study."""

from flexwheel.base.kind import Pictures
from flexwheel.studies.study_keys import STUDY_NAME


def _read(path):
    from flexwheel.studies.sweep_study import read_figures

    return read_figures(path)


def _figures(dataset, variable):
    from flexwheel.studies.study_figures import study_figures

    return study_figures(dataset, variable)


def draw(dataset, folder, say, options=None):
    """Draw all figures of a study into a folder; returns the files made."""
    from flexwheel.studies.study_figures import draw_study

    made = draw_study(dataset, folder)
    say(f"{len(made)} pictures in {folder}")
    return made


PICTURES_OF_STUDY = Pictures("study", draw, file=STUDY_NAME, read=_read, figures=_figures)
