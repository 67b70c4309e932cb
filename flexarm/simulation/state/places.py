"""Places of datasets in the vector of observables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class Place(NamedTuple):
    """Place of a dataset in the vector of observables, and its shape at one time."""

    columns: slice
    shape: tuple[int, ...]


def datasets_in(values: np.ndarray, places: Mapping[str, Place]) -> dict[str, np.ndarray]:
    """Datasets by name, each (k, ..) in the unit of the schema, from values of the vector at k times, (k, n)."""
    return {
        name: values[:, columns].reshape(len(values), *shape) for name, (columns, shape) in places.items()
    }
