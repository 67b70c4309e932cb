"""The processor that machine code is made for: this machine's, or the plainest of its kind."""

from __future__ import annotations

import os
from functools import cache
from typing import NamedTuple

from llvmlite import binding as llvm

from flexarm.errors import InputProblem, SpecError

SETTING = "FLEXARM_PROCESSOR"
"""Environment variable: ``native`` (default), or ``generic`` for code that any processor of this architecture runs."""


class Processor(NamedTuple):
    """A processor as LLVM knows it.

    Attributes
    ----------
    name : str
    features : str
        Instruction sets it has besides those of its name, and those it lacks.
    lanes : int
        Doubles in one of its vector registers: integrations that are carried on side by side.
    """

    name: str
    features: str
    lanes: int

    @property
    def fuses(self) -> bool:
        """Whether it multiplies and adds with one rounding."""
        on_arm = llvm.get_default_triple().startswith(("aarch64", "arm64"))
        return on_arm or "+fma" in self.features.split(",")


@cache
def processor() -> Processor:
    """Return the processor that machine code is made for.

    Raises
    ------
    SpecError
        If the environment asks for one that there is not.

    Notes
    -----
    Results differ between processors by round-off: a fused product and sum is rounded once, and sums over registers
    of another width are taken in another order. The generic one has neither fused operations nor wide registers; with
    it the tests see what an old machine computes.
    """
    wanted = os.environ.get(SETTING, "native")
    if wanted == "generic":
        return Processor("generic", "", 2)
    if wanted != "native":
        raise SpecError([InputProblem(SETTING, None, "", f"expected native or generic, got {wanted!r}")])
    features = llvm.get_host_cpu_features()
    return Processor(llvm.get_host_cpu_name(), features.flatten(), 4 if features.get("avx") else 2)
