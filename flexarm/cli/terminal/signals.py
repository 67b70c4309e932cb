"""Ctrl-C and SIGTERM outside of computations: one line, whatever is being loaded or written just then."""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

INTERRUPTED = 3
"""Exit code, as after any computation that did not come to its end; `flexarm.errors` may not be loaded yet."""

INTERRUPTION = "flexarm: error: interrupted; nothing was written\n"

AGAIN = 0.05  # s after which a signal is repeated whose exception got lost


class Signals:
    """Handlers of the two signals in this process.

    Attributes
    ----------
    arrived : bool
        Whether one has been raised: libraries may make another failure of it.
    """

    def __init__(self) -> None:
        self.arrived = False

    def end_process(self) -> None:
        """Let a signal end the process at once: nothing has been begun, and loading may swallow exceptions."""
        self._handle(lambda *_: self._leave())

    def raise_interruption(self) -> None:
        """Let a signal raise KeyboardInterrupt in what is being done, and again where that is lost."""
        sys.unraisablehook = self._lost
        self._handle(self._raise)

    def ignore(self) -> None:
        """Let the process end undisturbed by Ctrl-C."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def _handle(self, handler: signal._HANDLER) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, handler)

    def _raise(self, number: int, frame: FrameType | None) -> None:
        self.arrived = True
        raise KeyboardInterrupt

    def _leave(self) -> None:
        try:
            os.write(2, INTERRUPTION.encode())
        finally:  # also where nothing can be written
            os._exit(INTERRUPTED)

    def _lost(self, unraisable: sys.UnraisableHookArgs) -> None:
        """Repeat an interruption that was raised where no exception can be passed on, such as in a destructor."""
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            main_thread = threading.main_thread().ident
            # to the thread that may be waiting: only there a signal ends the waiting
            repeat = threading.Timer(AGAIN, signal.pthread_kill, (main_thread, signal.SIGINT))
            repeat.daemon = True
            repeat.start()
        else:
            sys.__unraisablehook__(unraisable)


signals = Signals()
