"""Chain of bodies and joints: the arm as numbers and structure, which every formulation reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.link import Link
from flexarm.description.arm.required_capabilities import required_capabilities
from flexarm.links import FlexibleLink, ModalIntegrals, flexible_link
from flexarm.links.section_motion import Sections
from flexarm.links.shape_functions import Array
from flexarm.model.assembled_damping import assembled_damping
from flexarm.model.assembled_link import AssembledLink, segment_damping
from flexarm.model.coordinates import Coordinates
from flexarm.model.floating_base import FloatingBase
from flexarm.model.joint import JointModel
from flexarm.model.joint_spring import JointSpring, joint_springs, without_motor
from flexarm.model.rigid_body import RigidBody
from flexarm.model.segments import cut_at_segments, segment_station
from flexarm.model.tip_loads import floating_body, link_body, payload_body, with_tip_loads

NO_DAMPING = np.zeros((0, 0))


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

    def station(self, link: int, xi: float) -> LinkStation:
        """Find the station xi = eta / l [1] of a link of the description."""
        bodies = self.links[link]
        k, own = segment_station(len(bodies), xi)
        return LinkStation(bodies[k], self.segments(link)[k], own)


def build_chain(arm: Arm) -> Chain:
    """Build the chain of an arm: modal integrals of every segment, with hubs and a payload that is a point mass."""
    cut, parts = cut_at_segments(arm)
    joints = [JointModel.of(without_motor(joint)) for joint in cut.joints]  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    payload = payload_body(arm.payload)  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    point_payload = not payload.moment.any() and not payload.inertia.any()
    last = len(cut.links) - 1
    floats = arm.base != "fixed"
    bodies = [Body(JointModel(moves=False), FloatingBase(arm.base_kind))] if floats else []
    if arm.base_body is not None:
        bodies.append(Body(JointModel(moves=False), _rigid_link(floating_body(arm.base_body))))  # pyright: ignore[reportArgumentType]
    before = len(bodies)
    for i, joint in enumerate(cut.joints):
        tip_mass = payload.mass if point_payload and i == last else 0.0
        if cut.links[i].is_body:
            bodies.append(Body(joints[i], _body_link(cut.links[i], joint, tip_mass)))
            continue
        flexible = flexible_link(
            with_tip_loads(cut, joints, i),  # pyright: ignore[reportArgumentType]  (frozen: hashable)
            tip_mass=tip_mass,
            hub_mass=joint.mass,
            hub_inertia=joint.inertia,
            stiffening=arm.geometric_stiffening,
        )
        bodies.append(Body(joints[i], flexible))
    if not point_payload:
        bodies.append(Body(JointModel(moves=False), _rigid_link(payload)))
    links = tuple(range(part.start + before, part.stop + before) for part in parts)
    chain = Chain(
        gravity=arm.gravity,
        link_rotation=arm.link_rotation,
        products_of_deflections=arm.products_of_deflections,
        bodies=tuple(bodies),
        links=links,
        coordinates=arm_coordinates(arm),
        segment_damping=tuple(
            _damping_across(tuple(bodies[i].link for i in own), link)
            for own, link in zip(links, arm.links, strict=True)
        ),
        assembled_damping=NO_DAMPING,
        required_capabilities=required_capabilities(
            arm.base, arm.link_rotation, arm.geometric_stiffening, arm.links
        ),
        springs=joint_springs(arm.joints),
    )
    coupled = assembled_damping(arm, chain, cut.initial.joints)
    return replace(chain, assembled_damping=coupled) if coupled.size else chain


def _damping_across(segments: tuple, link: Link) -> Array:
    """Damping of a link of several segments; that of one segment is its own."""
    if len(segments) == 1:
        return NO_DAMPING
    return segment_damping(segments, link.own_ratios, link.damping_law.proportions)


def arm_coordinates(arm: Arm) -> Coordinates:
    """Lay out the coordinates of an arm."""
    moving = tuple(joint.moves for joint in arm.joints)
    elastic = tuple(joint.is_elastic for joint in arm.joints)
    return Coordinates.of(moving, tuple(link.n_modes for link in arm.links), arm.base_kind, elastic)


def _body_link(link: Link, joint: Joint, tip_mass: float) -> FlexibleLink:
    """Link that is a rigid body, with the hub of its joint and a point mass at its end."""
    at_tip = RigidBody.about_mass_centre(tip_mass, np.zeros((3, 3)), np.array([link.length, 0.0, 0.0]))
    return _rigid_link(link_body(link, joint) + at_tip, link.length)  # pyright: ignore[reportArgumentType]


def _rigid_link(body: RigidBody, length: float = 0.0) -> FlexibleLink:
    """Link without modes, from a rigid body."""
    none = np.zeros((0, 0))
    integrals = ModalIntegrals.rigid(body.mass, body.moment, body.inertia)
    return FlexibleLink(length, Sections(length, ()), integrals, locked_inertia=none, damping=none)
