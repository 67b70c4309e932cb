"""Runs of the shipped arms for the gallery, made anew only where something has changed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from site_links import PROJECT

RUNS = ("simulate", "inverse", "payload")
"""Commands that move an arm."""
PROCESSES = 1
FLEXARM = "from flexarm.cli.entry import run; run()"


@dataclass(frozen=True)
class ArmRun:
    """Run of a shipped arm.

    Attributes
    ----------
    command : str
        As one types it.
    printed : str
        What it wrote.
    seconds : float
        Its whole duration, start of the program and compilation included.
    digest : str
        Of all that the run comes from.
    """

    command: str
    printed: str
    seconds: float
    digest: str


def arm_runs(folder: Path) -> Iterator[tuple[Path, Path, ArmRun]]:
    """Run the arms whose run in a folder is not of today, two at a time.

    Yields
    ------
    arm, folder, run
        Description of the arm, folder with ``result.h5``, and the run.
    """
    arms = sorted((PROJECT / "robots").glob("*.yaml"))
    with ThreadPoolExecutor(PROCESSES) as pool:
        runs = pool.map(lambda arm: _run(arm, folder / arm.stem), arms)
        for arm, run in zip(arms, runs, strict=True):
            yield arm, folder / arm.stem, run


def commands(arm: Path) -> list[str]:
    """Commands in the comment of an arm, without remarks behind them."""
    comment = re.match(r"(?:#.*\n)*", arm.read_text())
    assert comment is not None
    text = re.sub(r"^#", "", comment[0], flags=re.MULTILINE).replace("\\\n", " ")
    found = re.findall(r"^ {3}(flexarm .*)$", text, re.MULTILINE)
    return [" ".join(re.sub(r" {2,}# .*", "", line).split()) for line in found]


def run_command(arm: Path) -> str:
    """The command that moves an arm: the first one of its comment, or a simulation."""
    asked = [line for kind in RUNS for line in commands(arm) if line.startswith(f"flexarm {kind} ")]
    return asked[0] if asked else f"flexarm simulate robots/{arm.name}"


def _run(arm: Path, folder: Path) -> ArmRun:
    command, digest = run_command(arm), f"{_program()}-{_inputs(arm)}"
    record = folder / "run.json"
    if record.is_file() and (folder / "result.h5").is_file():
        known = ArmRun(**json.loads(record.read_text()))
        if known.digest == digest and known.command == command:
            return known
    folder.mkdir(parents=True, exist_ok=True)
    words = re.sub(r" (--plots|-v)\b", "", command).split()[1:]
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", FLEXARM, *words, "-o", str(folder / "result.h5"), "--overwrite"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    seconds = time.perf_counter() - start
    printed = (done.stdout + done.stderr).replace(
        f"{folder}/result.h5", f"outputs/{arm.stem.replace('_', '-')}.h5"
    )
    run = ArmRun(command, printed, seconds, digest)
    record.write_text(json.dumps(asdict(run)))
    return run


@cache
def _program() -> str:
    """Digest of the program."""
    files = [
        path
        for path in sorted((PROJECT / "flexarm").rglob("*"))
        if path.suffix in (".py", ".js", ".css", ".html")
    ]
    return _digest(files)


def _inputs(arm: Path) -> str:
    """Digest of what may be read with an arm: itself, matrices and trajectories."""
    return _digest(
        [arm, *sorted(PROJECT.glob("robots/matrices/*")), *sorted(PROJECT.glob("robots/trajectories/*"))]
    )


def _digest(files: list[Path]) -> str:
    total = sha256()
    for path in files:
        total.update(path.relative_to(PROJECT).as_posix().encode() + path.read_bytes())
    return total.hexdigest()[:16]
