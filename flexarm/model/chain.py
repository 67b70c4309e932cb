"""Chain of bodies and joints: the arm as numbers and structure, which every formulation reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexarm.links import FlexibleLink
from flexarm.links.shapes.shape_functions import Array
from flexarm.model.assembled_link import AssembledLink
from flexarm.model.coordinates import Coordinates
from flexarm.model.parts.floating_base import FloatingBase
from flexarm.model.parts.joint import JointModel
from flexarm.model.parts.joint_spring import JointSpring
from flexarm.model.segments import segment_station, segment_stretches


@dataclass(frozen=True)
class Body:
    """Body: a link or a segment of one, and the joint between it and the body before."""

    joint: JointModel
    link: FlexibleLink | FloatingBase


class BodyRows(NamedTuple):
    """Rows of a body's joint (None if locked) and modes in theta_d, and of its modes in theta."""

    joint: int | None
    modes: tuple[int, ...]
    modes_theta: tuple[int, ...]


class LinkStation(NamedTuple):
    """Station of a link of the description: its body, that body's segment, and the fraction of the segment's length."""

    body: int
    segment: FlexibleLink
    xi: float


class LinkStretch(NamedTuple):
    """Stretch of a link of the description: its body, that body's segment, and its ends on the segment's length."""

    body: int
    segment: FlexibleLink
    first: float
    last: float


@dataclass(frozen=True)
class Chain:
    """Chain of bodies from base to tip.

    Attributes
    ----------
    gravity : (3,) [m/s^2]
        In base axes.
    link_rotation : {"finite", "small"}
    products_of_deflections : bool
        Whether the equations of motion keep products of modal amplitudes.
    bodies : tuple of Body
        A floating base, if there is one, and its body on a locked joint; the segments of the links; and, where the
        payload is more than a point mass, the payload as a rigid body without length on a locked joint: it turns with
        the end of the last link.
    links : tuple of range
        Which of the bodies each link of the description is: one, or its segments from start to end.
    coordinates : Coordinates
        Layout of theta.
    segment_damping : tuple of (m, m) arrays [N s/m, N m s for torsion]
        Damping of each link of several segments, which couples these; (0, 0) for other links.
    assembled_damping : (m, m) [N s/m, N m s for torsion]
        Damping of the modes of the assembled arm, on the amplitudes of all links; (0, 0) if there is none.
    required_capabilities : tuple of str
        What a formulation must have equations for, names of :class:`~flexarm.catalogue.Capabilities`.
    springs : tuple of JointSpring
        Springs of the joints; those of elastic joints carry the motors.
    """

    gravity: tuple[float, float, float]
    link_rotation: str
    products_of_deflections: bool
    bodies: tuple[Body, ...]
    links: tuple[range, ...]
    coordinates: Coordinates
    segment_damping: tuple[Array, ...]
    assembled_damping: Array
    required_capabilities: tuple[str, ...]
    springs: tuple[JointSpring, ...] = ()

    @cached_property
    def link_side(self) -> Chain:
        """The chain of links without the motors of elastic joints, whose joints are driven directly."""
        if not self.coordinates.moving_motors:
            return self
        springs = tuple(spring for spring in self.springs if not spring.has_motor)
        return replace(self, coordinates=self.coordinates.link_side, springs=springs)

    @cached_property
    def motor_springs(self) -> tuple[JointSpring, ...]:
        """Springs of the elastic joints, which have motors behind them, in order."""
        return tuple(spring for spring in self.springs if spring.has_motor)

    @cached_property
    def rows(self) -> tuple[BodyRows, ...]:
        """Rows of each body's coordinates."""
        layout = self.coordinates
        floats = [BodyRows(None, layout.base, layout.base_theta)] if layout.base else []
        rows = [*floats, *[BodyRows(None, (), ())] * (self.arm_bodies.start - len(floats))]
        for bodies, joint, modes in zip(self.links, layout.joints, layout.modes, strict=True):
            start = 0
            for i in bodies:
                stop = start + self.bodies[i].link.n_modes
                rows.append(
                    BodyRows(joint if i == bodies.start else None, modes[start:stop], modes[start:stop])
                )
                start = stop
        return (*rows, *[BodyRows(None, (), ())] * (len(self.bodies) - self.arm_bodies.stop))

    @property
    def arm_bodies(self) -> range:
        """Bodies of all links."""
        return range(self.links[0].start, self.links[-1].stop)

    @property
    def joint_bodies(self) -> tuple[int, ...]:
        """The body that each joint of the description moves: the first of its link."""
        return tuple(bodies.start for bodies in self.links)

    @cached_property
    def assembled_links(self) -> tuple[AssembledLink, ...]:
        """Links of the description."""
        return tuple(AssembledLink(self.segments(link)) for link in range(len(self.links)))

    @cached_property
    def strain_stiffness(self) -> Array:
        """Stiffness (n_dof, n_dof) [N/m, N m for torsion] of the links' bending, twisting and stretching."""
        K = np.zeros((self.coordinates.n_dof,) * 2)
        for rows, link in zip(self.coordinates.modes, self.assembled_links, strict=True):
            K[np.ix_(rows, rows)] = link.K
        return K

    @cached_property
    def strain_damping(self) -> Array:
        """Damping (n_dof, n_dof) [N s/m, N m s for torsion] of the links' bending, twisting and stretching."""
        D = np.zeros((self.coordinates.n_dof,) * 2)
        for body, rows in zip(self.bodies, self.rows, strict=True):
            if isinstance(body.link, FlexibleLink):
                D[np.ix_(rows.modes, rows.modes)] += body.link.damping
        for rows, across in zip(self.coordinates.modes, self.segment_damping, strict=True):
            if across.size:
                D[np.ix_(rows, rows)] += across
        if self.assembled_damping.size:
            D[np.ix_(self.coordinates.all_modes, self.coordinates.all_modes)] += self.assembled_damping
        return D

    @cached_property
    def elastic_stiffness(self) -> Array:
        """Stiffness (n_dof, n_dof) [N/m, N m] of the links and of the joints' springs."""
        return self.strain_stiffness + self._over_springs([spring.stiffness for spring in self.springs])

    @cached_property
    def elastic_damping(self) -> Array:
        """Damping (n_dof, n_dof) [N s/m, N m s] of the links and of the dampers beside the joints' springs."""
        return self.strain_damping + self._over_springs([spring.damping for spring in self.springs])

    def _over_springs(self, coefficients: Sequence[float]) -> Array:
        """Matrix (n_dof, n_dof) of a coefficient times the twist, or its rate, of each spring."""
        matrix = np.zeros((self.coordinates.n_dof,) * 2)
        for spring, coefficient in zip(self.springs, coefficients, strict=True):
            joint, motor = self.coordinates.joints[spring.joint], self.coordinates.motors[spring.joint]
            twist = np.zeros(len(matrix))
            twist[joint] = -1.0
            if motor is not None:
                twist[motor] = 1.0
            matrix += coefficient * np.outer(twist, twist)
        return matrix

    def segments(self, link: int) -> tuple[FlexibleLink, ...]:
        """Segments of a link of the description, from start to end."""
        found = (self.bodies[i].link for i in self.links[link])
        return tuple(segment for segment in found if isinstance(segment, FlexibleLink))

    def stretches(self, link: int, first: float, last: float) -> list[LinkStretch]:
        """Find the parts of a stretch of a link of the description, between two of its stations xi [1]."""
        bodies, segments = self.links[link], self.segments(link)
        return [
            LinkStretch(bodies[k], segments[k], *ends)
            for k, *ends in segment_stretches(len(bodies), first, last)
        ]

    def station(self, link: int, xi: float) -> LinkStation:
        """Find the station xi = eta / l [1] of a link of the description."""
        bodies = self.links[link]
        k, own = segment_station(len(bodies), xi)
        return LinkStation(bodies[k], self.segments(link)[k], own)
