"""Mutations of result files: bytes that change, and datasets and attributes that another program has edited."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import h5py
import numpy as np
from fuzz.mutations import ARMS
from results.edited_files import edited
from results.older_files import unpacked

import flexarm

RESULTS = ("forward", "flight", "inverse", "payload", "equilibrium", "modes", "sweep")

NUMBERS = (0.0, -1.0, np.nan, np.inf, -np.inf, 1e308, -1e308, 9e299, -1e200, 5e-324, 1e30)
ATTRIBUTES = (
    "", "abc", "\x1b[31m", "links: []", "é", 0, -1, 3, 1e300, np.nan, 2**62, [1, 2], ["a", "b"], h5py.Empty("f8"), True,
    "forward", "sweep", "modes", "incomplete", "x" * 100_000,
)  # fmt: skip


def mutated_result(folder: Path, rng: np.random.Generator) -> Path:
    """Write a result of some kind into a folder, after one to three mutations."""
    kind = int(rng.integers(len(RESULTS) + len(ARMS)))
    if kind < len(RESULTS):
        path = unpacked(folder, RESULTS[kind], "format_2")
    else:
        path = folder / "new.h5"
        path.unlink(missing_ok=True)
        new_result(ARMS[kind - len(RESULTS)]).save(path)
    if rng.random() < 0.3:
        _damage(path, rng)
        return path
    with edited(path) as file:
        for _ in range(int(rng.integers(1, 4))):
            EDITS[int(rng.integers(len(EDITS)))](file, rng)
    return path


@cache
def new_result(text: str) -> flexarm.Result:
    """Simulate one of the arms; what it records and how its base moves are in the file."""
    return flexarm.simulate(flexarm.parse_arm(text))


def mutated_linear_model(folder: Path, rng: np.random.Generator) -> Path:
    """Write something that begins as a linear model (.npz), under the name of a result."""
    path = folder / "linear.h5"
    with path.open("wb") as file:
        np.savez(file, A=rng.standard_normal((4, 4)), B=np.zeros((4, 1)))
    _damage(path, rng)
    return path


def _damage(path: Path, rng: np.random.Generator) -> None:
    content = bytearray(path.read_bytes())
    place = int(rng.integers(len(content)))
    match rng.integers(3):
        case 0:
            content[place] ^= 1 << int(rng.integers(8))
        case 1:
            del content[place:]
        case 2:
            content[place : place + 100] = rng.bytes(100)
    path.write_bytes(content)


def _some_dataset(file: h5py.File, rng: np.random.Generator) -> tuple[str, h5py.Dataset]:
    names = sorted(name for name in file if isinstance(file.get(name), h5py.Dataset)) or [""]
    name = names[int(rng.integers(len(names)))]
    return name, file[name or "/"]


def _other_number(file, rng):
    _, dataset = _some_dataset(file, rng)
    if isinstance(dataset, h5py.Dataset) and dataset.size and dataset.dtype.kind == "f":
        place = tuple(int(rng.integers(n)) for n in dataset.shape)
        dataset[place] = NUMBERS[int(rng.integers(len(NUMBERS)))]


def _all_numbers(file, rng):
    _, dataset = _some_dataset(file, rng)
    if isinstance(dataset, h5py.Dataset) and dataset.size and dataset.dtype.kind == "f":
        dataset[...] = NUMBERS[int(rng.integers(len(NUMBERS)))]


def _without_a_dataset(file, rng):
    name, _ = _some_dataset(file, rng)
    if name:
        del file[name]


def _other_shape(file, rng):
    name, dataset = _some_dataset(file, rng)
    if name and dataset.shape:
        values = dataset[...]
        del file[name]
        match rng.integers(4):
            case 0:
                file[name] = values[:0]
            case 1:
                file[name] = values[..., None]
            case 2:
                file[name] = values[: len(values) // 2]
            case 3:
                file[name] = values.ravel()


def _other_type(file, rng):
    name, dataset = _some_dataset(file, rng)
    if name and dataset.dtype.kind == "f":
        values = dataset[...]
        del file[name]
        with np.errstate(all="ignore"):
            file[name] = values.astype(("f4", "i4", "c16", "S3", "?")[int(rng.integers(5))])


def _other_attribute(file, rng):
    names = sorted(file.attrs)
    if names:
        file.attrs[names[int(rng.integers(len(names)))]] = ATTRIBUTES[int(rng.integers(len(ATTRIBUTES)))]


def _without_an_attribute(file, rng):
    names = sorted(file.attrs)
    if names:
        del file.attrs[names[int(rng.integers(len(names)))]]


def _other_arm(file, rng):
    text = file.attrs.get("robot")
    if isinstance(text, str) and text:
        place = int(rng.integers(len(text)))
        file.attrs["robot"] = text[:place] + "0:[x"[int(rng.integers(4))] + text[place + 1 :]


EDITS = (
    _other_number, _other_number, _all_numbers, _all_numbers, _without_a_dataset, _other_shape, _other_shape,
    _other_type,
    _other_attribute, _other_attribute, _without_an_attribute, _other_arm,
)  # fmt: skip
