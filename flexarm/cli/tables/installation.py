"""What an installation consists of, for reports of bugs: Python, libraries, extras, programs, processor."""

from __future__ import annotations

import os
import platform
import re
import shutil
from importlib.metadata import PackageNotFoundError, requires, version

from flexarm.codegen.processor import processor
from flexarm.memory import free_memory

PROGRAMS = ("ffmpeg", "cc")
"""Programs beside Python that are used where there are some: for films as MP4, to try what was exported to C."""


def installation() -> str:
    """Versions and machine, one to a line."""
    target = processor()
    rows = {
        "Python": f"{platform.python_version()}, {platform.platform()}",
        "processor": f"{target.name}, {target.lanes} lanes, {os.cpu_count()} cores",
        "free memory": f"{free_memory() / 2**30:.1f} GiB",
        **{name: version_of(name) for name in _libraries()},
        **{name: shutil.which(name) or "not found" for name in PROGRAMS},
    }
    width = max(map(len, rows))
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows.items())


def _libraries() -> list[str]:
    """Libraries that the package asks for, those of its extras after those it cannot do without."""
    wanted = sorted(
        (line for line in requires("flexarm") or () if "'dev'" not in line and "'docs'" not in line),
        key=lambda line: "extra ==" in line,
    )
    return list(dict.fromkeys(re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in wanted))


def version_of(library: str) -> str:
    """Version of a library, or that there is none."""
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"
