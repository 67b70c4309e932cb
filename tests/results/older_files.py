"""Result files of every format version, see data/README.md."""

from __future__ import annotations

import gzip
from pathlib import Path

DATA = Path(__file__).parent / "data"
FORMATS = sorted(folder.name for folder in DATA.iterdir() if folder.is_dir())
KINDS = ("forward", "flight", "inverse", "payload", "equilibrium", "modes")


def unpacked(folder: Path, name: str, version: str = "format_1") -> Path:
    """Unpack a file of some version, such as ``forward``, into a folder."""
    path = folder / f"{name}-{version}.h5"
    path.write_bytes(gzip.decompress((DATA / version / f"{name}.h5.gz").read_bytes()))
    return path
