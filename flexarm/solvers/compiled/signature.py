"""The signature of a kernel, written once: names and types of its arguments."""

from __future__ import annotations

import ctypes
from typing import Any

_NUMBERS = {"uint64": ctypes.c_uint64, "int64": ctypes.c_int64, "float64": ctypes.c_double}


class Signature:
    """Arguments of a kernel, which returns an int64.

    Parameters
    ----------
    text : str
        Written as in C: ``float64 h`` is a number, ``float64* y`` points to an array of them.

    Attributes
    ----------
    types : dict
        From the name of an argument to its type, in their order.
    places : dict
        From the name of an argument to its place.
    """

    def __init__(self, text: str):
        self.text = text
        arguments = [argument.split() for argument in text.split(",")]
        self.types = {name: kind for kind, name in arguments}
        self.places = {name: place for place, (_, name) in enumerate(arguments)}

    def ctypes(self) -> Any:
        """Type of the function for ctypes; called so, it runs without the interpreter's lock."""
        kinds = (ctypes.c_void_p if kind.endswith("*") else _NUMBERS[kind] for kind in self.types.values())
        return ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)
