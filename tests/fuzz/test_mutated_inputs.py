"""Mutated inputs: whatever is typed, a command ends in time, in bounded memory, and in words."""

from __future__ import annotations

import re
import resource
import signal
import warnings
from contextlib import contextmanager

import numpy as np
import pytest
from click.testing import CliRunner
from fuzz.mutations import ARMS, SWEEPS, TRAJECTORIES, mutated
from fuzz.result_mutations import mutated_linear_model, mutated_result
from paths import ROBOTS

from flexarm.cli.main import main
from flexarm.plots.registry import PICTURES

KINDS = ("arm", "result", "trajectory", "arm", "sweep", "result", "arm", "arm", "result", "linear model")
USUAL, ALL, PER_TEST = 10, 2000, 10
LONGEST, HANGS = 60, 600  # s of processor time; s of waiting, on a machine however busy
MOST_MEMORY = 3e9  # bytes, of all inputs together
FIGURES = tuple(PICTURES)
USES_OF_AN_ARM = (
    ("check",), ("check",), ("equations",), ("compare",), ("export", "--to", "c", "-o", "code", "--overwrite"),
    *(("modes", "--joints", joints, "-o", "m.h5", "--overwrite") for joints in ("free", "locked", "pd")),
    ("linearize", "-o", "linear.npz", "--overwrite"), ("equilibrium", "-o", "e.h5", "--overwrite"),
)  # fmt: skip
"""What is done with an arm before it is simulated."""
BAD = re.compile(r"internal error|Traceback|Warning: |[A-Z]\w+Error\b")


@contextmanager
def time_limit():
    def late(*_):
        raise AssertionError(f"not done after {LONGEST} s of processor time, or {HANGS} s")

    limits = {signal.SIGPROF: (signal.ITIMER_PROF, LONGEST), signal.SIGALRM: (signal.ITIMER_REAL, HANGS)}
    previous = {number: signal.signal(number, late) for number in limits}
    for timer, seconds in limits.values():
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for number, (timer, _) in limits.items():
            signal.setitimer(timer, 0)
            signal.signal(number, previous[number])


def run(*arguments):
    """Run a command and hold its output against what no user may see."""
    with time_limit(), warnings.catch_warnings(record=True) as raw:
        warnings.simplefilter("always")
        done = CliRunner().invoke(main, list(map(str, arguments)))
    assert done.exit_code in (0, 2, 3, 4), done.output
    assert not BAD.search(done.output), done.output
    assert not [one for one in raw if not issubclass(one.category, DeprecationWarning)]  # hidden by default
    assert len(done.stderr.splitlines()) <= 20, done.output
    assert done.output.replace("\n", "").replace("\r", "").isprintable(), done.output
    return done.exit_code


def write_arms(folder):
    """Write the arms that the sweeps vary."""
    for text in ARMS:
        (folder / f"{text.split()[1]}.yaml").write_text(text)


def uses_of_a_result(file, rng):
    """Command lines that read a result: one picture, numbers, a page, an animation."""
    figure = FIGURES[int(rng.integers(len(FIGURES)))]
    uses = (
        ("plot", file, "--figure", figure, "-o", "pictures"),
        ("plot", file, file, "-o", "pictures", "--figure", figure),
        ("report", file, "--no-animation", "-o", "page.html", "--overwrite"),
        ("animate", file, "--fps", 1, "-o", "film.gif", "--overwrite"),
    )
    return [uses[int(rng.choice(len(uses), p=(0.6, 0.2, 0.1, 0.1)))]]


@pytest.mark.parametrize(
    "block",
    [pytest.param(k, marks=[pytest.mark.slow] * (k >= USUAL // PER_TEST)) for k in range(ALL // PER_TEST)],
)
def test_mutated_inputs_end_in_words(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    codes = []
    for seed in range(PER_TEST * block, PER_TEST * (block + 1)):
        rng = np.random.default_rng(seed)
        kind = KINDS[seed % len(KINDS)]
        if kind in ("result", "linear model"):
            make = mutated_result if kind == "result" else mutated_linear_model
            file = make(tmp_path, rng)
            try:
                codes += [run(*arguments) for arguments in uses_of_a_result(file, rng)]
            except AssertionError as found:
                raise AssertionError(f"seed {seed}: {file.name}\n{found}") from None
            continue
        texts = {"arm": ARMS, "trajectory": TRAJECTORIES, "sweep": SWEEPS}[kind]
        text = mutated(texts[int(rng.integers(len(texts)))], rng)
        file = tmp_path / f"{kind}.yaml"
        if kind == "sweep":
            write_arms(tmp_path)
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            if kind == "arm":
                use, *options = USES_OF_AN_ARM[int(rng.integers(len(USES_OF_AN_ARM)))]
                codes.append(run(use, file, *options))
                codes.append(run("simulate", file, "-o", "out.h5", "--overwrite"))
            elif kind == "trajectory":
                robot = ROBOTS / ("rigid_two_link.yaml", "slewing_satellite.yaml")[int(rng.integers(2))]
                codes.append(run("inverse", robot, "--trajectory", file, "-o", "out.h5", "--overwrite"))
            else:
                codes.append(run("sweep", file, "-o", "out.h5", "--overwrite", "--workers", 1))
        except AssertionError as found:
            raise AssertionError(f"seed {seed}:\n{text}\n{found}") from None
    assert 0 in codes or 2 in codes
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < MOST_MEMORY


@pytest.mark.slow
def test_the_inputs_that_are_mutated_are_right(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_arms(tmp_path)
    for k, text in enumerate((*ARMS, *TRAJECTORIES, *SWEEPS)):
        file = tmp_path / f"{k}.yaml"
        file.write_text(text)
        rest = ("-o", "out.h5", "--overwrite")
        if text in ARMS:
            assert run("simulate", file, *rest) == 0
        elif text in SWEEPS:
            assert run("sweep", file, *rest, "--workers", 1) == 0
        else:
            assert run("inverse", ROBOTS / "rigid_two_link.yaml", "--trajectory", file, *rest) == 0
