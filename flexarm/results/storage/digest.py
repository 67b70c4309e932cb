"""Digest of a result file, in the user block before its HDF5 data: damage is noticed before HDF5 reads anything.

A result begins with 512 bytes of text, which HDF5 passes over (its user block)::

    flexarm result: HDF5 data follow this text of 512 bytes
    format 2
    digest 7d2c..

The digest is the SHA-256 of the CRC-32 of every MiB of the data. CRC-32 notices one or two flipped bits, or a burst of
32, in a MiB for certain, and other damage but for one case in 4e9; it is several times as fast as SHA-256 of all data.
It tells damage, not forgery.
"""

from __future__ import annotations

import hashlib
import io
import re
import zlib
from pathlib import Path

import h5py

from flexarm.errors import ResultError
from flexarm.results.schema import FORMAT_VERSION

USER_BLOCK_BYTES = 512
BLOCK_BYTES = 1024**2
FIRST_FORMAT = 2
"""Format version from which on files have a digest."""

_HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_FIRST_LINE = f"flexarm result: HDF5 data follow this text of {USER_BLOCK_BYTES} bytes\n".encode()
_VERSION = re.compile(re.escape(_FIRST_LINE) + rb"format (\d{1,9})\n")


def write_digest(file: io.FileIO) -> None:
    """Write the user block of a file whose HDF5 data are complete."""
    block = _user_block(file)
    file.seek(0)
    file.write(block)


def check_digest(path: Path, file: io.FileIO) -> None:
    """Compare the content of a file with its digest; files of format 1 have none and pass.

    Raises
    ------
    ResultError
        The content is not that which was written; or this is no HDF5 file at all, or one of a newer format.
    """
    found = file.read(USER_BLOCK_BYTES)
    if found.startswith(_HDF5_SIGNATURE):
        return
    if not found.startswith(_FIRST_LINE):
        what = "it is damaged" if h5py.is_hdf5(path) else "it is not an HDF5 file"
        raise ResultError(f"cannot read {path}: {what}; results are written by `flexarm simulate`")
    version = _VERSION.match(found)
    if version and int(version[1]) > FORMAT_VERSION:
        raise ResultError(
            f"cannot read {path}: format {int(version[1])} of a newer flexarm; this one reads format {FORMAT_VERSION}"
        )
    if found != _user_block(file):
        raise ResultError(
            f"cannot read {path}: the file is damaged or cut off, or another program has changed it (its digest is "
            "that of another content)"
        )


def is_result(path: Path) -> bool:
    """True for what begins like a result, damaged perhaps, and for any other HDF5 file."""
    with path.open("rb") as file:
        return file.read(len(_FIRST_LINE)) == _FIRST_LINE or h5py.is_hdf5(path)


def _user_block(file: io.FileIO) -> bytes:
    """The user block that belongs to the data of a file."""
    file.seek(USER_BLOCK_BYTES)
    digest = hashlib.sha256()
    block = memoryview(bytearray(BLOCK_BYTES))
    while size := _fill(block, file):
        digest.update(zlib.crc32(block[:size]).to_bytes(4, "little"))
    text = _FIRST_LINE + f"format {FORMAT_VERSION}\ndigest {digest.hexdigest()}\n".encode()
    return text.ljust(USER_BLOCK_BYTES - 1) + b"\n"


def _fill(block: memoryview, file: io.FileIO) -> int:
    """Read as much as fits, fewer bytes only at the end of the file; return how many."""
    size = 0
    while read := file.readinto(block[size:]):
        size += read
    return size
