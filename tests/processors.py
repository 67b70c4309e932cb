"""Run tests under processors that this one can play: linear algebra, NumPy and compiled code of older machines.

    python tests/processors.py [arguments of pytest]

Results differ between processors by round-off. A test that is green under all of them rests on what its method owes,
not on what one machine printed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
from llvmlite import binding as llvm


class Setting(NamedTuple):
    """A processor to play.

    Attributes
    ----------
    name : str
    needs : str
        The instruction set, by LLVM's name, that this machine must have for it; empty if any machine will do.
    environment : dict
    """

    name: str
    needs: str
    environment: dict[str, str]


def settings() -> list[Setting]:
    """List what there is to play; between them every library is played old and new."""
    numpy_extensions = " ".join(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))
    return [
        Setting(
            "linear algebra of Prescott, plain NumPy",
            "sse3",
            {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": numpy_extensions},
        ),
        Setting(  # OpenBLAS plays Zen by the same kernels
            "linear algebra of Haswell and Zen, equations and integrators without FMA and in 2 lanes",
            "avx2",
            {"OPENBLAS_CORETYPE": "Haswell", "FLEXARM_PROCESSOR": "generic"},
        ),
        Setting("linear algebra of Skylake-X", "avx512f", {"OPENBLAS_CORETYPE": "SkylakeX"}),
    ]


def main(arguments: list[str]) -> int:
    """Run pytest under each setting; the number of settings under which it fails."""
    features, failed = llvm.get_host_cpu_features(), []
    for setting in settings():
        if setting.needs and not features.get(setting.needs):
            print(f"== {setting.name}: left out, this processor has no {setting.needs}", flush=True)
            continue
        print(f"== {setting.name}: {setting.environment}", flush=True)
        command = [sys.executable, "-m", "pytest", *arguments]
        if subprocess.run(command, env={**os.environ, **setting.environment}, check=False).returncode:
            failed.append(setting.name)
    print("\n".join(f"FAILED under {name}" for name in failed) or "green under all of them")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
