"""Linear models to .npz files (NumPy) and .mat files (MATLAB, Octave, SciPy)."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from flexarm.analysis.linearization import LinearModel
from flexarm.errors import ResultError
from flexarm.results.whole_files import write_files

LISTS = ("states", "inputs", "outputs", "state_units", "input_units", "output_units")


def save_linear_models(
    model: LinearModel, paths: Sequence[str | os.PathLike], overwrite: bool = False
) -> None:
    """Write a model to files of the kinds that their endings name; none of them if one cannot be written.

    Each holds A, B, C, D; the names and units of states, inputs and outputs; and the operating point: ``theta`` with
    ``theta_names``, ``torque`` [N m] of all joints, ``output_values``, and the arm's description ``robot``.

    Raises
    ------
    ResultError
        An ending other than .npz and .mat, or see :func:`~flexarm.results.whole_files.write_files`.
    """
    files = {Path(path): check_ending(Path(path)) for path in paths}
    write_files({path: _WRITERS[ending](model) for path, ending in files.items()}, overwrite)


def check_ending(path: Path) -> str:
    """Return .npz or .mat, or refuse the path."""
    ending = path.suffix.lower()
    if ending not in _WRITERS:
        raise ResultError(f"cannot write {path}: a linear model goes into a .npz or a .mat file")
    return ending


def _contents(model: LinearModel) -> dict[str, np.ndarray]:
    arrays = {name: getattr(model, name) for name in ("A", "B", "C", "D", "torque", "output_values")}
    names = {"theta_names": model.point.chain.coordinates.theta_labels}
    names |= {name: getattr(model, name) for name in LISTS}
    texts = {"arm": model.point.arm.name, "robot": model.point.arm.text}
    return {
        **arrays,
        "theta": model.point.theta,
        **{name: np.array(values) for name, values in names.items()},
        **{name: np.array(text) for name, text in texts.items()},
    }


def _npz(model: LinearModel) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **_contents(model))
    return stream.getvalue()


def _mat(model: LinearModel) -> bytes:
    from scipy.io import savemat

    # Lists of text become cell arrays.
    contents = {
        name: values.astype(object) if values.dtype.kind == "U" and values.ndim else values
        for name, values in _contents(model).items()
    }
    stream = io.BytesIO()
    savemat(stream, contents, oned_as="column")
    return stream.getvalue()


_WRITERS = {".npz": _npz, ".mat": _mat}
