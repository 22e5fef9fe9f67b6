"""Every mutation of `python -m tests.mutation` stands in the source as it is, and names tests that are there."""

from tests.mutation.__main__ import checked
from tests.mutation.mutations import MUTATIONS


def test_mutations_fit_the_source():
    assert checked(MUTATIONS)
