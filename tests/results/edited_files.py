"""Result files changed by hand, with a digest that agrees all the same: what is checked besides is put to the test."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import h5py

from flexarm.results.storage.digest import write_digest


@contextmanager
def edited(path: Path) -> Iterator[h5py.File]:
    """Open a result to be changed, and write the digest of its new content."""
    with h5py.File(path, "a") as file:
        yield file
    with io.FileIO(path, "r+") as raw:
        write_digest(raw)
