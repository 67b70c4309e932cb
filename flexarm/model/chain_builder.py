"""Chain of an arm: its parts built, put one after the other, and damped as a whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.link import Link
from flexarm.description.arm.required_capabilities import required_capabilities
from flexarm.errors import ModelError
from flexarm.links import FlexibleLink, ModalIntegrals, flexible_link
from flexarm.links.part_integrals import EndParts
from flexarm.links.section_motion import Sections
from flexarm.links.shapes.shape_functions import Array
from flexarm.model.assembled_damping import assembled_damping
from flexarm.model.assembled_link import segment_damping
from flexarm.model.chain import Body, Chain
from flexarm.model.coordinates import arm_coordinates
from flexarm.model.parts.floating_base import FloatingBase
from flexarm.model.parts.joint import JointModel
from flexarm.model.parts.joint_spring import joint_springs, without_motor
from flexarm.model.parts.rigid_body import RigidBody
from flexarm.model.parts.tip_loads import floating_body, link_body, payload_body, with_tip_loads
from flexarm.model.segments import cut_at_segments

NO_DAMPING = np.zeros((0, 0))


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


def build_moving_chain(arm: Arm) -> Chain:
    """Build the chain of an arm that has equations of motion.

    Raises
    ------
    ModelError
        Nothing can move.
    """
    chain = build_chain(arm)
    if not chain.coordinates.n_dof:
        raise ModelError(f"{arm.name}: nothing can move: every joint is fixed and every link rigid")
    return chain


def _damping_across(segments: tuple, link: Link) -> Array:
    """Damping of a link of several segments; that of one segment is its own."""
    if len(segments) == 1:
        return NO_DAMPING
    return segment_damping(segments, link.own_ratios, link.damping_law.proportions)


def _body_link(link: Link, joint: Joint, tip_mass: float) -> FlexibleLink:
    """Link that is a rigid body, with the hub of its joint and a point mass at its end."""
    at_tip = RigidBody.about_mass_centre(tip_mass, np.zeros((3, 3)), np.array([link.length, 0.0, 0.0]))
    whole = _rigid_link(link_body(link, joint) + at_tip, link.length)  # pyright: ignore[reportArgumentType]
    return replace(whole, beyond=EndParts(whole.integrals, _rigid_integrals(at_tip)))


def _rigid_link(body: RigidBody, length: float = 0.0) -> FlexibleLink:
    """Link without modes, from a rigid body."""
    none = np.zeros((0, 0))
    return FlexibleLink(
        length, Sections(length, ()), _rigid_integrals(body), locked_inertia=none, damping=none
    )


def _rigid_integrals(body: RigidBody) -> ModalIntegrals:
    return ModalIntegrals.rigid(body.mass, body.moment, body.inertia)
