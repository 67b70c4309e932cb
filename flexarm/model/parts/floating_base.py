"""Floating base, as a link of the chain."""

from __future__ import annotations

from dataclasses import dataclass

from flexarm.model.coordinates import BASES


@dataclass(frozen=True)
class FloatingBase:
    """Floating base: a massless link on a locked joint whose end, where the arm begins, moves freely.

    To the chain it is a link like any other: the speeds of the base stand in the place of the rates of modal
    amplitudes, and the recursions carry them as they carry these. Planar: velocities of the arm's start along x
    and y ([FL17]'s X_1, X_2); planar-turning: also its angular velocity about z. Free: its velocity and angular
    velocity, both in inertial axes.

    Attributes
    ----------
    kind : {"planar", "planar-turning", "free"}
    """

    kind: str

    @property
    def n_modes(self) -> int:
        """Number of speeds."""
        return len(BASES[self.kind][0])
