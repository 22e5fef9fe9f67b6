"""Results of the face: xarray Datasets with the accessor `fw`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import xarray as xr

from flexwheel.face.accessor import Accessor

if TYPE_CHECKING:

    class Results(xr.Dataset):
        """Results of a run, a study or an analysis: a Dataset with the accessor `fw`."""

        fw: Accessor

else:
    Results = xr.Dataset


def results_of(dataset: xr.Dataset, place: str | Path | None = None) -> Results:
    """A Dataset as Results; place: file or folder that it stands in."""
    if place is not None:
        dataset.encoding["source"] = str(place)
    return cast(Results, dataset)
