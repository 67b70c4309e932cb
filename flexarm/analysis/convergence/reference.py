"""Reference run: refined in turn until what is left of its error can be told from that of the description."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from flexarm.analysis.convergence.resolution import Resolution
from flexarm.analysis.convergence.study import Study
from flexarm.analysis.convergence.trial import Trial

MOST_ROUNDS = 10
SMALL_REST = 0.35
"""Error of the reference, of that of the description and of the accuracy, with which it is fine enough."""
FAR_BELOW = 0.01
"""Error of the description, of the accuracy, which need not be known well."""
LEFT = 1 / 4
"""Part of a difference that is left in the finer run. Twice the segments leave 1/4 at most, with two modes each 1/8."""
CLEAR = 0.1
"""Part of the largest difference below which a smaller one need not be measured anew."""
MODES_DO = 0.7
"""Part of the difference by segments that one more mode must make to be the better step."""
SLOW, MOST_SLOW = 0.6, 2
"""Ratio of successive differences above which a round is no progress, and how many such rounds there may be."""
TOLERANCES, MODES, SEGMENTS = "tolerances", "modes", "segments"


@dataclass
class Reference:
    """The finest run, and how wrong it may be.

    Attributes
    ----------
    trial : Trial
    rest : float [m]
        Estimate of its own error.
    converged : bool
        Whether differences became small enough.
    reason : str
        If not, why.
    differences : dict
        What each refinement changed first, name -> [m]: modes that carry loads in the description as given, the others
        in what came of that.
    rounds : list of float [m]
        Largest difference of each round.
    """

    trial: Trial
    rest: float = float("inf")
    converged: bool = False
    reason: str = ""
    differences: dict[str, float] = field(default_factory=dict)
    rounds: list[float] = field(default_factory=list)


class ReferenceSearch:
    """Refine modes, segments and tolerances in turn, each time from the finest run so far.

    Parameters
    ----------
    study : Study
    start : Trial
        The arm as described.
    accuracy : float [m]
    """

    def __init__(self, study: Study, start: Trial, accuracy: float):
        self._study, self._start, self._accuracy = study, start, accuracy
        self._current = start
        self._neighbours: dict[str, Trial] = {}
        self._differences: dict[str, float] = {}
        self.reference = Reference(start)

    def run(self) -> Reference:
        """Search until the reference is fine enough or nothing helps; :attr:`reference` is up to date at any time."""
        carrying = self._start.resolution.load_carrying()
        if carrying != self._start.resolution:
            self._current = (
                self._study.refined("modes that carry loads", self._start, carrying) or self._start
            )
        for _ in range(MOST_ROUNDS):
            self._measure()
            found = self._assess()
            if found.converged or not self._neighbours or self._unknown:
                break
            if self._stalls():
                found.reason = "differences do not become smaller"
                break
            if not self._step():
                break
        else:
            self.reference.reason = f"{MOST_ROUNDS} rounds were not enough"
        return self._explained()

    def interrupted(self) -> Reference:
        """What is known in the middle of a search."""
        found = self._assess()
        found.converged, found.reason = False, "interrupted"
        return found

    @property
    def _unknown(self) -> bool:
        """Whether more segments could not be tried: whatever the others change, they may change more."""
        return SEGMENTS not in self._differences and self._current.resolution.more_segments() is not None

    def _measure(self) -> None:
        """Differences of the current run from its refinements; small ones known from coarser runs are kept."""
        largest = 0.0
        for name in (SEGMENTS, MODES, TOLERANCES):
            known = self._differences.get(name)
            if known is not None and name not in self._neighbours and known <= CLEAR * largest:
                continue
            trial = self._study.refined(*self._refinement(name))
            if trial is not None:
                self._neighbours[name] = trial
                self._differences[name] = trial.distance(self._current)
                largest = max(largest, self._differences[name])
                self.reference.differences.setdefault(name, self._differences[name])
            else:
                self._differences.pop(name, None)
        if self._neighbours:
            self.reference.rounds.append(max(self._differences.values()))

    def _refinement(self, name: str) -> tuple[str, Trial, Resolution | None]:
        resolution = self._current.resolution
        if name == SEGMENTS:
            return "segments x 2", self._current, resolution.more_segments()
        if name == MODES:
            return "one more mode", self._current, resolution.more_modes()
        label = "tolerances / 100" if resolution.step is None else "step / 2"
        return label, self._current, resolution.tighter()

    def _assess(self) -> Reference:
        """The neighbour that differs most is the reference; what the others change is still wrong with it.

        Twice the segments are twice the modes too, so what modes change is right with them already.
        """
        found = self.reference
        if not self._neighbours:
            return found
        d = self._differences
        best = max(self._neighbours, key=lambda name: d[name])
        if best == MODES and SEGMENTS in self._neighbours and d[SEGMENTS] >= MODES_DO * d[MODES]:
            best = SEGMENTS
        if self._unknown:
            return found
        found.trial = self._neighbours[best]
        found.rest = LEFT * d[best]
        if best == TOLERANCES:
            found.rest += max(d.get(SEGMENTS, 0.0), d.get(MODES, 0.0))
        else:
            found.rest += d.get(TOLERANCES, 0.0) + (d.get(SEGMENTS, 0.0) if best == MODES else 0.0)
        error = self._start.distance(found.trial)
        small = found.rest <= SMALL_REST * min(error, self._accuracy)
        found.converged = small or error + found.rest <= FAR_BELOW * self._accuracy
        return found

    def _stalls(self) -> bool:
        """Whether the largest difference has hardly become smaller in the last rounds."""
        rounds = self.reference.rounds[-MOST_SLOW - 1 :]
        slow = [b > SLOW * a for a, b in pairwise(rounds)]
        return len(slow) == MOST_SLOW and all(slow)

    def _step(self) -> bool:
        """Go on from the refinement that matters; False if there is none."""
        d = self._differences
        measured = {name: d[name] for name in self._neighbours}
        bends = {name: value for name, value in measured.items() if name != TOLERANCES}
        largest = max(bends.values(), default=0.0)
        chosen = None
        if bends and largest > 0:
            modes_do = MODES in bends and bends[MODES] >= MODES_DO * largest
            chosen = self._neighbours[MODES if modes_do else max(bends, key=lambda name: bends[name])]
        tight = measured.get(TOLERANCES, 0.0)
        if tight > CLEAR * largest:
            tighter = self._neighbours[TOLERANCES]
            if chosen is None or largest <= CLEAR * tight:
                chosen = tighter
            else:
                both = chosen.resolution.tighter()
                chosen = self._study.trial(f"{chosen.label}, {tighter.label}", both) or chosen
        if chosen is None or not np.isfinite(chosen.distance(self._current)):
            return False
        self._current, self._neighbours = chosen, {}
        return True

    def _explained(self) -> Reference:
        found = self.reference
        if not found.converged and not found.reason:
            failed = self._study.failures[::-1]
            told = next((one for one in failed if SEGMENTS in one.label), failed[0] if failed else None)
            found.reason = f"{told.label}: {told.failure}" if told else "no finer run is possible"
        return found
