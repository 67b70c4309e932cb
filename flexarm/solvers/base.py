"""Interface of the integrators that :data:`flexarm.catalogue.METHODS` lists: problem, integration, failure."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flexarm.catalogue import METHODS, load_source
from flexarm.solvers.intervals import Intervals

#: Seconds of work after which `Integration.advance` hands control back: Ctrl-C and progress bars need it.
TIME_SLICE = 0.1

Jump = Callable[[int, NDArray[np.float64]], NDArray[np.float64]]
"""From the number of an interval and the state (n,) at its end to the state at the start of the next."""


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

    def map(
        self, times: NDArray[np.float64], states: NDArray[np.float64], p: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Evaluate y' (k, n) at many times (k,) [s] and states (k, n)."""
        ...


class Jacobian(Protocol):
    """The Jacobian d f/d y of a right-hand side in machine code.

    Attributes
    ----------
    f : RightHandSide
        (t, y, h) -> the Jacobian, its columns one after the other.
    h : (n_h,)
        What it reads as its parameters.
    """

    @property
    def f(self) -> RightHandSide:
        """Machine code."""
        ...

    @property
    def h(self) -> NDArray[np.float64]:
        """Parameters."""
        ...

    def __call__(self, t: float, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate it at one state y (n,): (n, n)."""
        ...


class DeferredJacobian:
    """A Jacobian that is derived and compiled when it is first needed.

    Parameters
    ----------
    make : callable
        Derives and compiles it.
    """

    def __init__(self, make: Callable[[], Jacobian]):
        self._make = make

    @cached_property
    def _made(self) -> Jacobian:
        return self._make()

    @property
    def f(self) -> RightHandSide:
        """Machine code."""
        return self._made.f

    @property
    def h(self) -> NDArray[np.float64]:
        """Parameters."""
        return self._made.h

    def __call__(self, t: float, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate it at one state y (n,): (n, n)."""
        return self._made(t, y)


@dataclass(frozen=True, eq=False)
class CompiledJump:
    """A jump of the state at every break point, in machine code that kernels may call by themselves.

    Attributes
    ----------
    f : RightHandSide
        (t, [y, row], p) -> the state after a break point, at the time where the next interval starts.
    p : (n_p,)
    rows : (breaks, n_row)
        What it reads at each break point besides the state.
    starts : (breaks + 1,) [s]
        Where the intervals start.
    """

    f: RightHandSide
    p: NDArray[np.float64]
    rows: NDArray[np.float64]
    starts: NDArray[np.float64]

    def __call__(self, k: int, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """State (n,) at the start of interval k + 1 from that at the end of interval k."""
        return self.f(float(self.starts[k + 1]), np.append(y, self.rows[k]), self.p)


@dataclass(frozen=True)
class InitialValueProblem:
    """An initial value problem y' = f(t, y, p), y(t0) = y0, and the tolerances of its solution.

    Attributes
    ----------
    rhs : RightHandSide
        f, with as many results as states.
    jacobian : Jacobian or None
        d f/d y, for the methods that need it.
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
    first_step : float or None [s]
        Length of the first step to try, where it is known; methods that take over the steps of another one ask for it.
    end : float [s]
        Where the steps end, exactly; infinite if they may go beyond any sample.
    intervals : Intervals or None
        Where f is smooth, if not everywhere; t0, `end` and `max_step` are then those of the first interval.
    jump : callable or None
        (k, y) -> the state at the start of interval k + 1 from that at the end of interval k, where it changes.
    """

    rhs: RightHandSide
    t0: float
    y0: NDArray[np.float64]
    p: NDArray[np.float64]
    jacobian: Jacobian | None = None
    rtol: float = 1e-9
    atol: float = 1e-11
    step: float | None = None
    max_steps: int = 10_000_000
    max_step: float = math.inf
    first_step: float | None = None
    end: float = math.inf
    intervals: Intervals | None = None
    jump: Jump | None = None

    @property
    def crossed_intervals(self) -> Intervals | None:
        """Intervals between which the state does not jump: a kernel may go on from one to the next by itself."""
        return self.intervals if self.jump is None else None

    @property
    def jumped_intervals(self) -> Intervals | None:
        """Those, and intervals between which it jumps in machine code."""
        return self.intervals if self.jump is None or isinstance(self.jump, CompiledJump) else None

    def from_interval(self, k: int, y: NDArray[np.float64]) -> InitialValueProblem:
        """The same problem from the start of interval k on, after what happens to the state y (n,) there."""
        assert self.intervals is not None
        if k > 0 and self.jump is not None:
            y = self.jump(k - 1, y)
        starts, ends, longest = self.intervals.starts, self.intervals.ends, self.intervals.longest_steps
        return replace(self, t0=float(starts[k]), y0=y, end=float(ends[k]), max_step=float(longest[k]))

    def within(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Times (k,) [s] at which f is to be evaluated for states at these times: their limits at break points."""
        return times if self.intervals is None else self.intervals.within(times)


@dataclass(frozen=True)
class Failure:
    """Failure of an integration: time [s], reason, and what to try."""

    time: float
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"stopped at t = {self.time:.9g} s: {self.reason}; {self.remedy}"


class ChangeOver(NamedTuple):
    """Change of the method of an integration under way: to which, when [s], and after how many steps."""

    method: str
    time: float
    steps: int


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
    change_over : ChangeOver or None
        Where another method has taken over, if the method is one that changes.
    """

    t: float
    steps: int
    rejected: int
    evaluations: int
    failure: Failure | None = None
    change_over: ChangeOver | None = None


class Integration(IntegrationStatus, ABC):
    """One integration under way.

    The states at the sample times come from the dense output of the method, never from steps cut to end at
    them: so the states do not depend on which samples are asked for, nor on how many times a call is given.
    Steps end at the break points of the right-hand side, and start anew there or go on with the size that they have.

    Attributes
    ----------
    y : (n,)
        State that the steps have reached.
    """

    y: NDArray[np.float64]
    crosses_break_points: ClassVar[bool] = False
    """Whether `_advance` goes on over break points at which the state does not jump."""
    makes_jumps: ClassVar[bool] = False
    """Whether it also makes jumps in machine code."""

    def __init__(self, problem: InitialValueProblem):
        self.problem = problem
        self._last_sample = problem.t0
        self._interval = 0
        crossed = problem.jumped_intervals if self.makes_jumps else problem.crossed_intervals
        self._stops_at_breaks = problem.intervals is not None and not (
            self.crosses_break_points and crossed is not None
        )

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
        times = self.problem.within(np.ascontiguousarray(times, dtype=float))
        if times.size and (times[0] < self._last_sample or np.any(np.diff(times) < 0)):
            raise ValueError(f"times: expected increasing times from {self._last_sample} on")
        if self.failure is not None:
            return np.empty((0, self.problem.y0.size))
        states = self._advance_over_breaks(times) if self._stops_at_breaks else self._advance(times)
        if len(states):
            self._last_sample = times[len(states) - 1]
        return states

    def _advance_over_breaks(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Do the work of `advance` interval by interval; the times are within these."""
        intervals = self.problem.intervals
        assert intervals is not None
        pieces, done, began = [np.empty((0, self.problem.y0.size))], 0, perf_counter()
        while done < times.size and self.failure is None and perf_counter() - began < TIME_SLICE:
            end = intervals.ends[self._interval]
            here = int(np.searchsorted(times, end, side="right"))
            if here == times.size:
                pieces.append(self._advance(times[done:]))
                done += len(pieces[-1])
            else:
                states = self._advance(np.append(times[done:here], end))
                pieces.append(states[: here - done])
                done += len(pieces[-1])
                if len(states) > len(pieces[-1]):
                    self._interval += 1
                    self._restart(self.problem.from_interval(self._interval, states[-1]))
        return np.concatenate(pieces)

    def restart(self, problem: InitialValueProblem) -> None:
        """Start anew from t0 and y0 of a problem of the same equations and tolerances; the statistics go on."""
        self.problem, self._last_sample, self._interval = problem, problem.t0, 0
        self._restart(problem)

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
        """Do the work of `advance`; the times are checked and no failure has happened yet.

        None of them is beyond the end of the present interval.
        """

    @abstractmethod
    def _restart(self, problem: InitialValueProblem) -> None:
        """Start anew from t0 and y0 of a problem, up to its end; the statistics go on."""


def start(method: str, problem: InitialValueProblem) -> Integration:
    """Start an integration by the method of this name in :data:`~flexarm.catalogue.METHODS`."""
    check_problem(method, problem)
    return load_source(METHODS[method].source)(problem)


def check_problem(method: str, problem: InitialValueProblem) -> None:
    """Check that a problem has what a method needs; ValueError if not."""
    chosen = METHODS[method]
    if chosen.needs_jacobian and problem.jacobian is None:
        raise ValueError(f"{method}: expected a problem with a Jacobian")
    if not chosen.adaptive and not (problem.step and problem.step > 0):
        raise ValueError(f"{method}: expected a positive step, got {problem.step}")
