"""An exported step, compiled by the C compiler that there is and called from Python."""

import ctypes
import re
import shutil
import subprocess

import numpy as np

GCC = shutil.which("gcc")
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]


class CompiledStep:
    """Step of an arm in C.

    Attributes
    ----------
    p : ndarray
        Parameters in the order of the structure, those of the description unless changed.
    """

    def __init__(self, step, folder, effort="-O1"):
        folder.mkdir(exist_ok=True)
        (folder / "step.c").write_text(step.text)
        command = [GCC, *FLAGS, effort, "-shared", "-fPIC", "step.c", "-o", "step.so", "-lm"]
        subprocess.run(command, cwd=folder, check=True)
        self._library = ctypes.CDLL(str(folder / "step.so"))
        self._name, self._n_outputs = step.name, len(step.outputs)
        self._time = getattr(self._library, f"{step.name}_time")
        self._time.restype = ctypes.c_double
        self.p = np.zeros(64)
        defaults = re.search(r"_DEFAULTS\s*\{([^}]*)\}", step.text)[1].split(",")
        self.p[: len(defaults)] = [float(each.strip(" ()")) for each in defaults]
        self.n_states = int(step.text.partition("_N_STATES = ")[2].partition(",")[0])
        self._state = (ctypes.c_double * (self.n_states + 1))()  # a counter of 8 bytes is the last

    @property
    def y(self):
        return np.array(self._state[: self.n_states])

    @property
    def t(self):
        return self._time(self._state)

    def init(self):
        self._call("init", self._state)

    def outputs(self, u=()):
        out, given = np.empty(self._n_outputs), np.append(np.array(u, dtype=float), 0.0)
        self._call(
            "outputs", self._state, ctypes.c_void_p(given.ctypes.data), ctypes.c_void_p(out.ctypes.data)
        )
        return out

    def step(self, u=()):
        """Outputs at the end of a period."""
        out, given = np.empty(self._n_outputs), np.append(np.array(u, dtype=float), 0.0)
        failed = self._call(
            "step", self._state, ctypes.c_void_p(given.ctypes.data), ctypes.c_void_p(out.ctypes.data)
        )
        assert not failed
        return out

    def _call(self, function, *arguments):
        return getattr(self._library, f"{self._name}_{function}")(
            ctypes.c_void_p(self.p.ctypes.data), *arguments
        )
