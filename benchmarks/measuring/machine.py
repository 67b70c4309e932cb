"""The head of every table: where and with what it was measured, and which peers are there."""

from __future__ import annotations

import datetime
import os
import platform
from importlib import import_module
from pathlib import Path
from types import ModuleType

from flexarm.cli.tables.installation import version_of

SETTINGS = ("OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_CPU_NAME")
"""Environment variables that change how quick numbers are; those that are set are printed."""


def heading(*packages: str, quick: bool = False) -> str:
    """Date, processor, load, settings, and the versions of Python and of the packages named."""
    versions = [f"Python {platform.python_version()}", *(f"{name} {version_of(name)}" for name in packages)]
    load = f"{os.getloadavg()[0]:.1f} busy" if hasattr(os, "getloadavg") else "load unknown"
    lines = [
        f"{datetime.date.today()}, {_processor()}, {os.cpu_count()} cores ({load} at the start)",
        ", ".join([*versions, *(f"{name}={os.environ[name]}" for name in SETTINGS if name in os.environ)]),
    ]
    return "\n".join(["--quick: these numbers are no measurement", *lines] if quick else lines)


def peer(module: str, package: str) -> ModuleType | None:
    """Import an optional competitor; without it say so, and how to get it."""
    try:
        return import_module(module)
    except ImportError:
        print(f"left out: {module} is not installed (pip install {package})")
        return None


def _processor() -> str:
    """Model of the processor where Linux tells it, else the architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
