"""Frequency responses of an arm: magnitude and phase of its outputs over the frequency of its inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from flexarm.analysis.linear_models.frequency_grid import POINTS, frequency_grid
from flexarm.analysis.linear_models.inputs import needs_drives
from flexarm.analysis.linear_models.linear_model import LinearModel
from flexarm.analysis.linear_models.linearization import linearize
from flexarm.analysis.linear_models.simulated_response import (
    EXCITATIONS,
    SimulatedResponse,
    line_groups,
    simulated_response,
)
from flexarm.analysis.operating_points.posture import Posture
from flexarm.analysis.rotation.spin_rates import Spin
from flexarm.analysis.small_motions.natural_modes import NaturalModes
from flexarm.arguments import check_name, check_number
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.progress import Progress
from flexarm.results.result import Result

BLOCK = 10_000_000
"""Entries of the matrices that are solved at once."""


@dataclass(frozen=True, eq=False, repr=False)
class FrequencyResponse:
    """Response of the outputs of a linear model to its inputs, in the steady state, over their frequency.

    Attributes
    ----------
    model : LinearModel
    joints : str
        What the joints do that are not held: free or pd.
    frequencies : (f,) [Hz]
    response : (f, outputs, inputs) complex
        Outputs for unit inputs ``exp(2 pi j f t)``, each in its unit over that of the input.
    simulation : SimulatedResponse, optional
        That of the nonlinear arm, from :meth:`simulate`.
    measurement : (m, 2) complex, optional
        Frequencies [Hz] and response of the only channel, from :meth:`beside`.
    """

    model: LinearModel
    joints: str
    frequencies: np.ndarray
    response: np.ndarray
    simulation: SimulatedResponse | None = None
    measurement: np.ndarray | None = None

    def __repr__(self) -> str:
        first, last = self.frequencies[[0, -1]]
        channels = f"{', '.join(self.model.inputs)} -> {', '.join(self.model.outputs)}"
        return f"FrequencyResponse of {self.model.point.arm.name!r}: {channels}, {first:.4g} to {last:.4g} Hz"

    def __getitem__(self, channel: tuple[str, str]) -> np.ndarray:
        """Response (f,) of a channel (output, input), e.g. ``response["tip_y", "tau_1"]``."""
        output, given = channel
        for what, name, names in (
            ("output", output, self.model.outputs),
            ("input", given, self.model.inputs),
        ):
            if name not in names:
                raise ModelError(f"no {what} {name!r}; there are {', '.join(names)}")
        return self.response[:, self.model.outputs.index(output), self.model.inputs.index(given)]

    @cached_property
    def zeros(self) -> dict[tuple[str, str], np.ndarray]:
        """Finite zeros (k,) complex [1/s] of each channel (output, input) of which they are known."""
        found = {}
        for given in self.model.inputs:
            for output in self.model.outputs:
                with suppress(ModelError):  # of integral parts elsewhere they are not computed
                    zeros = self.model.zeros([given], [output])
                    if zeros is not None:
                        found[output, given] = zeros
        return found

    def simulate(
        self,
        excitation: str = "multisine",
        *,
        amplitude: float,
        lines: int = 31,
        progress: Progress | None = None,
    ) -> FrequencyResponse:
        """Return this with the response of the nonlinear arm over the same range of frequencies.

        Parameters
        ----------
        excitation : {"multisine", "sweep"}
            All lines at once, or one after the other.
        amplitude : float
            Of each line, in the unit of the input.
        lines : int
            At most so many.

        Raises
        ------
        ModelError, SolverError
            See :func:`~flexarm.analysis.linear_models.simulated_response.simulated_response`.
        """
        model = self.model
        if (
            model.controllers
            or model.period is not None
            or any(name.startswith("base_") for name in model.inputs)
        ):
            what = "with controllers, samples or a base that moves"
            raise ModelError(
                f"{model.point.arm.name}: responses {what} are not simulated",
                hint="open the controllers (all)",
            )
        check_name("excitation", excitation, EXCITATIONS)
        check_number("amplitude", amplitude, above=0)
        check_number("lines", lines, above=1, whole=True)
        first, last = self.frequencies[[0, -1]].tolist()
        groups = line_groups(first, last, lines, excitation)
        found = simulated_response(self.model, self.joints, amplitude, groups, progress)
        return replace(self, simulation=found)

    def beside(self, frequencies: ArrayLike, response: ArrayLike) -> FrequencyResponse:
        """Return this with a measured response (m,) complex at frequencies (m,) [Hz] of its only channel.

        Raises
        ------
        ModelError
            There are several channels, or not as many values as frequencies.
        """
        moved = [
            name
            for name, row in zip(self.model.outputs, self.response.transpose(1, 0, 2), strict=True)
            if row.any()
        ]
        if len(moved) != 1 or len(self.model.inputs) != 1:
            channels = f"{', '.join(self.model.inputs)} -> {', '.join(moved)}"
            raise ModelError(f"a measured response is that of one channel, here there are {channels}")
        f, values = np.asarray(frequencies, dtype=float).ravel(), np.asarray(response, dtype=complex).ravel()
        if f.size != values.size or not f.size or not (np.isfinite(f) & (f > 0) & np.isfinite(values)).all():
            raise ModelError("a measured response needs as many finite values as positive frequencies [Hz]")
        return replace(self, measurement=np.stack([f, values], axis=1))

    def result(self, command: str = "") -> Result:
        """Return everything as a result of kind ``modes``, with the modes of the model."""
        modes = NaturalModes(
            self.model.point, self.model.motion, self.joints, self.model.roles, self.model.modes
        )
        own = modes.result(command)
        n_outputs, n_inputs = self.response.shape[1:]
        most = max((zeros.size for zeros in self.zeros.values()), default=0)
        zeros = np.full((n_outputs, n_inputs, most, 2), np.nan)
        for (output, given), found in self.zeros.items():
            place = self.model.outputs.index(output), self.model.inputs.index(given)
            zeros[place][: found.size] = np.stack([np.real(found), np.imag(found)], axis=-1)
        facts = {
            "inputs": ", ".join(_with_units(self.model.inputs, self.model.input_units)),
            "outputs": ", ".join(_with_units(self.model.outputs, self.model.output_units)),
        }
        found = {
            "response_frequency": self.frequencies,
            "frequency_response": np.stack([np.real(self.response), np.imag(self.response)], axis=-1),
            "channel_zero": zeros,
        }
        if self.model.controllers or self.model.period is not None:
            poles = self.model.poles[np.isfinite(self.model.poles)]
            found["model_pole"] = np.stack([np.real(poles), np.imag(poles)], axis=-1)
        if self.simulation is not None:
            simulated = self.simulation.response
            found |= {
                "simulated_frequency": self.simulation.frequencies,
                "simulated_response": np.stack([np.real(simulated), np.imag(simulated)], axis=-1),
                "simulated_spread": self.simulation.spread,
            }
        if self.measurement is not None:
            values = self.measurement[:, 1]
            found |= {
                "measured_frequency": np.real(self.measurement[:, 0]),
                "measured_response": np.stack([np.real(values), np.imag(values)], axis=-1),
            }
        return Result({**own, **found}, own.attributes | facts)


def frequency_response(
    arm: Arm,
    *,
    inputs: str | Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    opened: str | Sequence[str] = (),
    period: float | None = None,
    frequencies: ArrayLike | None = None,
    first: float | None = None,
    last: float | None = None,
    points: int = POINTS,
    at: Posture = "initial",
    joints: str = "free",
    hold: Sequence[int] = (),
    spin: Spin | None = None,
    joint: int | None = None,
    progress: Progress | None = None,
) -> FrequencyResponse:
    """Frequency response of an arm about a posture or a steady rotation, from its linear model.

    Parameters
    ----------
    arm : Arm
    inputs, outputs, opened, period, at, joints, hold, spin, joint, progress
        As of :func:`~flexarm.analysis.linear_models.linearization.linearize`.
    frequencies : (f,) [Hz], optional
        Positive and ascending. Without them `points` from `first` to `last`, evenly over their logarithms, and more
        beside each resonance.
    first, last : float [Hz], optional
        By default three times beyond the slowest and the fastest vibration, up to a ratio of 1000.
    points : int

    Raises
    ------
    ModelError
        See :func:`~flexarm.analysis.linear_models.linearization.linearize`; or frequencies that are none.

    Notes
    -----
    G(f) = C (2 pi j f I - A)^-1 B + D; of a model of samples exp(2 pi j f T) in the place of 2 pi j f, up to half
    their rate.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/lqr_arm.yaml")
    >>> flexarm.frequency_response(arm, outputs=["hub"], first=0.5, last=50)
    FrequencyResponse of 'lqr-arm': tau_1 -> hub, 0.5 to 50 Hz
    """
    model = linearize(
        arm,
        at=at,
        joints=joints,
        hold=hold,
        outputs=outputs,
        inputs=inputs,
        opened=opened,
        period=period,
        spin=spin,
        joint=joint,
        progress=progress,
    )
    kinds = [inputs] if isinstance(inputs, str) else inputs
    fed = "pd" if needs_drives(kinds or ()) else joints
    return response_of(model, frequency_grid(model, frequencies, first, last, points), fed)


def response_of(model: LinearModel, frequencies: np.ndarray, joints: str = "free") -> FrequencyResponse:
    """Frequency response of a linear model at frequencies (f,) [Hz]."""
    n = len(model.A)
    response = np.empty((frequencies.size, len(model.outputs), len(model.inputs)), dtype=complex)
    step = max(1, BLOCK // n**2)
    for k in range(0, frequencies.size, step):
        s = 2j * np.pi * frequencies[k : k + step, None, None]
        s = s if model.period is None else np.exp(s * model.period)
        response[k : k + step] = model.C @ np.linalg.solve(s * np.eye(n) - model.A, model.B[None]) + model.D
    return FrequencyResponse(model, joints, frequencies, response)


def _with_units(names: Sequence[str], units: Sequence[str]) -> Iterator[str]:
    return (f"{name} [{unit}]" for name, unit in zip(names, units, strict=True))
