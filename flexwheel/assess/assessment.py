"""What an assessment of results is: the results that it judges, what it needs of them, and its section of a report.

An assessment from outside is an entry point in the group "flexwheel.assessments"; `flexwheel report` shows it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from flexwheel.base.registry import Registry


@dataclass(frozen=True)
class Assessment:
    """A section of the report on a run."""

    name: str
    heading: str
    # (run, say) -> blocks of assess.figures.report_blocks; run: assess.report.Reported, say: callable(str), told of
    # each longer part. A FlexwheelError becomes a sentence in the place of the section
    blocks: Callable
    kinds: tuple[str, ...] = ()  # of run whose results it judges; (): every kind
    needs: tuple[str, ...] = ()  # variables of the results; where one is missing, a sentence says so
    place: int = 100  # in the report, ascending
    appendix: bool = False  # whether it stands behind what answers the question


ASSESSMENTS = Registry("assessment", "flexwheel.assessments", Assessment)
