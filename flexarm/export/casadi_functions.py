"""Serialised CasADi functions of an arm, for CasADi in Python, MATLAB and C++."""

from __future__ import annotations

import tempfile
from pathlib import Path

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.export.functions import documentation, exported_functions, identifier


def casadi_files(arm: Arm, formulation: str) -> dict[str, bytes]:
    """Serialise an arm's functions.

    Parameters
    ----------
    arm : Arm
    formulation : str
        What the equations are derived by.

    Returns
    -------
    dict
        File name -> content: NAME_FUNCTION.casadi for `Function.load`, and NAME.txt, which says what they take.
    """
    functions = exported_functions(arm, formulation)
    files = {f"{f.name()}.casadi": _saved(f) for f in functions.values()}
    return files | {f"{identifier(arm)}.txt": ("\n".join(documentation(arm, functions)) + "\n").encode()}


def _saved(f: ca.Function) -> bytes:
    """Content of the file that CasADi saves; `load` does not read a string from `serialize`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "function.casadi"
        f.save(str(path))
        return path.read_bytes()
