"""Stages that are one long call of native code: they are named while they last, and a signal ends them."""

import signal
import subprocess
import sys
import time

import pytest
from breadth import thinned

from flexarm.cli.terminal import stages as stages_module
from flexarm.cli.terminal.stages import StageWatcher
from flexarm.progress import Stage

STUCK = """
import hashlib, signal
from flexarm.cli.terminal.stages import stages
from flexarm.progress import stage
stages.watch()
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda *_: None)  # the main thread would get to it only after the call
stages.result_begun = RESULT_BEGUN
with stage("compiling 45 000 operations"):
    print("ready", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 2**31 - 1)  # minutes, without the interpreter's lock
"""


@pytest.mark.parametrize(
    ("number", "signals"),
    thinned([(number, signals) for number in (signal.SIGINT, signal.SIGTERM) for signals in (1, 2)]),
)
def test_a_signal_ends_native_code(number, signals):
    code = STUCK.replace("RESULT_BEGUN", str(signals == 2))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            if signals == 2:  # the first one waits for the result
                process.send_signal(number)
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(4 * stages_module.GRACE)
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 3
    assert errors == "flexarm: error: interrupted; nothing was written\n"


@pytest.fixture
def shown_at_once(monkeypatch):
    monkeypatch.setattr(stages_module, "PATIENCE", 0.0)
    watcher = StageWatcher()
    watcher._watches = True  # no thread: the test looks by itself
    watcher.shown = True
    return watcher


def test_the_innermost_stage_is_named_and_taken_away(shown_at_once, capsys):
    outer, inner = Stage("deriving"), Stage("compiling")
    shown_at_once.begun(outer)
    shown_at_once._show()
    shown_at_once.begun(inner)
    shown_at_once._show()
    shown_at_once.ended(inner)
    shown_at_once.ended(outer)
    shown_at_once._show()
    shown = capsys.readouterr().err.split("\r")
    assert shown[1].startswith("deriving .. 0:00")
    assert shown[2].startswith("compiling .. 0:00")
    assert not "".join(shown[3:]).strip()


@pytest.mark.parametrize("reason", ["quiet", "soon done"])
def test_nothing_is_shown(shown_at_once, capsys, monkeypatch, reason):
    if reason == "quiet":
        shown_at_once.shown = False
    else:
        monkeypatch.setattr(stages_module, "PATIENCE", 1e9)
    stage = Stage("deriving")
    shown_at_once.begun(stage)
    shown_at_once._show()
    shown_at_once.ended(stage)
    assert not capsys.readouterr().err
    assert time.monotonic() >= shown_at_once._began
