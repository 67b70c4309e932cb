"""Every script of benchmarks/ works, and its rows of docs/speed.md have the names that it gives them."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from paths import PROJECT

SCRIPTS = sorted((PROJECT / "benchmarks").glob("*.py"))
SPEED = (PROJECT / "docs" / "speed.md").read_text()
ROW = re.compile(r"^\| [^|]* \| ([^|]*) \|.*(`benchmarks/\w+\.py`) \|$", re.MULTILINE)
"""What a row is about, and its script."""
PATIENCE = 1800  # s, on a machine that does much else


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_works(script, tmp_path):
    """Skipped, once it has ended in good order, where it says that something it compares with is missing."""
    done = subprocess.run(
        [sys.executable, script, "--quick"], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    assert set(ROW.findall(done.stdout)) <= set(ROW.findall(SPEED)), done.stdout
    if missing := re.findall(r"^left out: .*", done.stdout, re.MULTILINE):
        pytest.skip("; ".join(missing))
