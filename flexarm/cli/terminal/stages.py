"""Stages of a command that may be one long call of native code: they are named while they last, and Ctrl-C ends them.

Python acts upon a signal when the main thread is back in Python, which after compiling a million operations may be a
minute later. A thread sees the signal at once, through the file that Python writes its number to, and ends the process
if the main thread has not left its stage soon: nothing that is worth keeping has come out of it.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time

from flexarm import progress
from flexarm.cli.terminal.signals import INTERRUPTED, INTERRUPTION
from flexarm.cli.terminal.status_line import clock, status_line

PATIENCE = 2.0  # s from the first stage on: what is done sooner is not named
REFRESH = 0.25  # s
GRACE = 0.5  # s in which the main thread may act upon a signal by itself


class StageWatcher(progress.StageObserver):
    """Watcher over the stages of this process.

    Attributes
    ----------
    shown : bool
        Whether stages are named on stderr.
    result_begun : bool
        Whether something has been computed already that an interrupted command keeps: then the first signal does not
        end the process, and the second does.
    under_way : list of Stage
        The innermost last.
    """

    def __init__(self) -> None:
        self.shown = self.result_begun = False
        self.under_way: list[progress.Stage] = []
        self._began: float | None = None
        self._watches = self._drawn = False
        self._lock = threading.Lock()

    def watch(self) -> None:
        """Observe the stages of this process from now on."""
        progress.observer = self

    def begun(self, stage: progress.Stage) -> None:
        """Take note of a stage; the first one starts the thread."""
        self.under_way.append(stage)
        if self._began is None:
            self._began = time.monotonic()
        if not self._watches and threading.current_thread() is threading.main_thread():
            self._watches = True
            reading, writing = os.pipe()
            os.set_blocking(writing, False)
            signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
            threading.Thread(target=self._run, args=(reading,), daemon=True).start()

    def ended(self, stage: progress.Stage) -> None:
        """Take note of the end of a stage, and its name from the terminal."""
        self.under_way.remove(stage)
        with self._lock:
            if self._drawn:
                status_line.clear()
                self._drawn = False

    def _run(self, signals: int) -> None:
        arrived = 0
        while True:
            if select.select([signals], [], [], REFRESH)[0]:
                ends = {signal.SIGINT, signal.SIGTERM}
                new = sum(number in ends for number in os.read(signals, 4096))
                arrived += new
                if new and (arrived > 1 or not self.result_begun):
                    self._end_what_is_stuck()
            self._show()

    def _end_what_is_stuck(self) -> None:
        stuck = tuple(self.under_way)
        time.sleep(GRACE)
        if stuck and stuck[0] in self.under_way:
            with self._lock:
                status_line.clear()
                sys.stderr.write(INTERRUPTION)
                for stream in (sys.stdout, sys.stderr):
                    stream.flush()
                os._exit(INTERRUPTED)

    def _show(self) -> None:
        with self._lock:
            if not self.shown or not self.under_way or self._began is None:
                return
            taken = time.monotonic() - self._began
            if taken >= PATIENCE:
                status_line.draw(f"{self.under_way[-1].text} .. {clock(taken)}")
                self._drawn = True


stages = StageWatcher()
