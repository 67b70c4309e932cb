"""Interface of the integrators that :data:`flexarm.catalogue.METHODS` lists: problem, integration, failure."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flexarm.catalogue import METHODS, load_source

#: Seconds of work after which `Integration.advance` hands control back: Ctrl-C and progress bars need it.
TIME_SLICE = 0.1


class RightHandSide(Protocol):
    """The right-hand side f(t, y, p) of a differential equation in machine code.

    Attributes
    ----------
    address : int
        Where ``void f(const double *t, const double *y, const double *p, double *out)`` starts.
    lanes : int
        Numbers in every element of t, y, p and out.
    """

    address: int
    lanes: int

    def __call__(self, t: float, y: NDArray[np.float64], p: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate y' (n,) at one state y (n,)."""
        ...


@dataclass(frozen=True)
class InitialValueProblem:
    """An initial value problem y' = f(t, y, p), y(t0) = y0, and the tolerances of its solution.

    Attributes
    ----------
    rhs : RightHandSide
        f, with as many results as states.
    jacobian : callable or None
        (t, y) -> d f/d y as an (n, n) matrix, for the methods that need it.
    t0 : float [s]
    y0 : (n,)
    p : (n_p,)
    rtol, atol : float
        Tolerances of the error of one step: atol + rtol |y| for every state, in the root mean square.
    step : float or None [s]
        For methods of fixed step.
    max_steps : int
        Limit of the number of trial steps.
    max_step : float [s]
        Longest step an adaptive method may take.
    """

    rhs: RightHandSide
    t0: float
    y0: NDArray[np.float64]
    p: NDArray[np.float64]
    jacobian: Callable[[float, NDArray[np.float64]], NDArray[np.float64]] | None = None
    rtol: float = 1e-9
    atol: float = 1e-11
    step: float | None = None
    max_steps: int = 10_000_000
    max_step: float = math.inf


@dataclass(frozen=True)
class Failure:
    """Failure of an integration: time [s], reason, and what to try."""

    time: float
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"stopped at t = {self.time:.9g} s: {self.reason}; {self.remedy}"


class IntegrationStatus:
    """Status of an integration.

    Attributes
    ----------
    t : float [s]
        Time reached by the steps, at or after the last sample.
    steps, rejected, evaluations : int
        Accepted steps, rejected steps, and evaluations of the right-hand side.
    failure : Failure or None
        Why there will be no further samples.
    """

    t: float
    steps: int
    rejected: int
    evaluations: int
    failure: Failure | None = None


class Integration(IntegrationStatus, ABC):
    """One integration under way.

    The states at the sample times come from the dense output of the method, never from steps cut to end at
    them: so the states do not depend on which samples are asked for, nor on how many times a call is given.

    Attributes
    ----------
    y : (n,)
        State that the steps have reached.
    """

    y: NDArray[np.float64]

    def __init__(self, problem: InitialValueProblem):
        self.problem = problem
        self._last_sample = problem.t0

    def advance(self, times: ArrayLike) -> NDArray[np.float64]:
        """Integrate on and return the states at the next sample times.

        Parameters
        ----------
        times : (m,) [s]
            Increasing, from the last sample on.

        Returns
        -------
        (k, n)
            States at times[:k]. k < m, even 0, means that about :data:`TIME_SLICE` has passed: ask again
            for the rest; or that the integration has failed, see `failure`.
        """
        times = np.ascontiguousarray(times, dtype=float)
        if times.size and (times[0] < self._last_sample or np.any(np.diff(times) < 0)):
            raise ValueError(f"times: expected increasing times from {self._last_sample} on")
        if self.failure is not None:
            return np.empty((0, self.problem.y0.size))
        states = self._advance(times)
        if len(states):
            self._last_sample = times[len(states) - 1]
        return states

    def pieces(self, times: ArrayLike) -> Iterator[NDArray[np.float64]]:
        """Integrate on through all of some sample times, piece by piece, unless it fails.

        Parameters
        ----------
        times : (m,) [s]
            Increasing, from the last sample on.

        Yields
        ------
        (k, n)
            States at the next k of the times. k = 0 where a time slice has passed without a sample.
        """
        times, done = np.asarray(times, dtype=float), 0
        while done < times.size and self.failure is None:
            states = self.advance(times[done:])
            done += len(states)
            yield states

    @abstractmethod
    def _advance(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Do the work of `advance`; the times are checked and no failure has happened yet."""


def start(method: str, problem: InitialValueProblem) -> Integration:
    """Start an integration by the method of this name in :data:`~flexarm.catalogue.METHODS`."""
    chosen = METHODS[method]
    if chosen.needs_jacobian and problem.jacobian is None:
        raise ValueError(f"{method}: expected a problem with a Jacobian")
    if not chosen.adaptive and not (problem.step and problem.step > 0):
        raise ValueError(f"{method}: expected a positive step, got {problem.step}")
    return load_source(chosen.source)(problem)
