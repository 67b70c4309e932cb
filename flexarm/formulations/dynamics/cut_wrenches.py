"""Wrenches in cuts: what the part inboard of a cut exerts on all that is outboard of it, or this on that.

By equilibrium it is the inertia of what is outboard, gravity included, less the loads there. Of the link that is cut,
that is the link's own equations with integrals over the part beyond the cut; springs and dampers of the material do not
enter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.formulations.assembly import split
from flexarm.formulations.dynamics.link_inertia import derive_link_inertia, link_inertia
from flexarm.formulations.dynamics.link_loads import LinkLoad
from flexarm.formulations.dynamics.newton_euler import (
    Wrench,
    frame_accelerations,
    inertial_force,
    internal_wrenches,
)
from flexarm.formulations.equal_links import derived_once
from flexarm.formulations.kinematics.chain_motion import Accelerations, BodyMotion, chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.link_motion import axis_positions, in_section_axes
from flexarm.formulations.linear_algebra import constant
from flexarm.links import FlexibleLink, ModalIntegrals
from flexarm.model.chain import Chain, LinkStation
from flexarm.model.parts.floating_base import FloatingBase

DIGITS = 13
"""Decimals to which multiples of each other agree: integrals are summed in other orders."""


@dataclass(frozen=True)
class ArmWrenches:
    """Wrenches that a chain in motion transmits.

    Attributes
    ----------
    motions : list of BodyMotion
    roots : list of Wrench
        What each body with all outboard ones gets at its start, about its origin and in its frame.
    cuts : list of Wrench
        What the part outboard of each cut through a link exerts on the part inboard, about the deflected axis and in
        the axes of the deflected section: as for stress, a positive axial force pulls.
    """

    motions: list[BodyMotion]
    roots: list[Wrench]
    cuts: list[Wrench]


def arm_wrenches(
    chain: Chain,
    theta: ca.SX,
    theta_d: ca.SX,
    theta_dd: ca.SX,
    loads: Sequence[LinkLoad],
    cuts: Sequence[LinkStation],
) -> ArmWrenches:
    """Wrenches of a chain in motion, theta (n_theta,), theta_d and theta_dd (n_dof,), under loads.

    What acts at the station of a cut itself counts as outboard. Where nobody says how much of a link's mass is beyond a
    cut the wrench there is NaN.
    """
    state = ChainState.of(chain, theta, theta_d)
    q_dd, delta_dd = split(chain, theta_dd)
    motions = chain_motion(chain, state)
    frames = frame_accelerations(chain, motions, q_dd, delta_dd)
    parts: list[dict[LinkStation, ModalIntegrals]] = [{} for _ in chain.bodies]
    for cut in cuts:
        beyond = None if cut.segment.beyond is None else cut.segment.beyond(cut.xi)
        if beyond is not None:
            parts[cut.body][cut] = beyond
    inertial, outboard = [], []
    for i, body in enumerate(chain.bodies):
        moving = LinkMotion(state.delta[i], state.delta_d[i], delta_dd[i], motions[i].w, frames[i])
        inertial.append(_of_parts(body.link, list(parts[i].values()), moving))
        own = inertial[i][:, 0] - _sum_of(loads, i, [0.0])
        outboard.append(Wrench(own[:3], own[3:]))
    roots, ends = zip(*internal_wrenches(motions, outboard), strict=True)
    found = dict.fromkeys(cuts, Wrench(ca.SX.nan(3), ca.SX.nan(3)))
    for i, here in enumerate(map(list, parts)):
        if here:
            end, d = ends[i], motions[i].end.d
            beyond = inertial[i][:, 1:] - _sum_of(loads, i, [cut.xi for cut in here])
            beyond += ca.repmat(ca.vertcat(end.f, end.n + ca.cross(d, end.f)), 1, len(here))
            found |= zip(here, _in_sections(here, state.delta[i], beyond), strict=True)
    return ArmWrenches(motions, list(roots), [found[cut] for cut in cuts])


class LinkMotion(NamedTuple):
    """Motion of a link: amplitudes with their rates (m,), angular velocity w (3,) and accelerations of its frame."""

    delta: ca.SX
    delta_d: ca.SX
    delta_dd: ca.SX
    w: ca.SX
    frame: Accelerations


def _of_parts(
    link: FlexibleLink | FloatingBase, parts: Sequence[ModalIntegrals], moving: LinkMotion
) -> ca.SX:
    """Wrenches, (6, 1 + k), that accelerate a link and k parts of it, about its origin and in its frame.

    The equations of a link are linear in its integrals. So their derivatives by these, times the integrals of a part,
    are the equations of the part.
    """
    if not parts or isinstance(link, FloatingBase):
        force = inertial_force(
            link_inertia(link, moving.delta, moving.delta_d, moving.w), moving.frame, moving.delta_dd
        )
        return ca.vertcat(force.f, force.n)
    columns = np.stack([_entries(part) for part in (link.integrals, *parts)], axis=-1)
    used = tuple(k for k, row in enumerate(columns) if not all(isinstance(x, float) and x == 0 for x in row))
    if not used:
        return ca.SX(6, columns.shape[1])
    per_integral = _coefficients(
        OpenLink(link, used), *moving[:4], moving.frame.a, moving.frame.al
    ).per_integral
    multiples, independent = _proportional(columns[list(used)])
    return (per_integral @ constant(multiples)) @ constant(independent)


def _proportional(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Factors (n, p) and rows (p, k) whose product are n rows (n, k), of which many are multiples of each other."""
    found: dict[object, int] = {}
    places, factors, independent = [], [], []
    for row in rows:
        if row.dtype == object:
            factor, key, scaled = 1.0, len(found), row
        else:
            factor = row[np.abs(row).argmax()]
            scaled = row / factor
            key = np.round(scaled, DIGITS).tobytes()
        if key not in found:
            found[key] = len(found)
            independent.append(scaled)
        places.append(found[key])
        factors.append(factor)
    multiples = np.zeros((len(rows), len(independent)))
    multiples[np.arange(len(rows)), places] = factors
    return multiples, np.stack(independent)


@dataclass(frozen=True)
class OpenLink:
    """Link of which those integrals are left open that are used."""

    link: FlexibleLink
    used: tuple[int, ...]


@dataclass(frozen=True)
class Coefficients:
    """Wrench, (6, n), that a unit of each of n integrals takes."""

    per_integral: ca.SX


@derived_once
def _coefficients(
    of: OpenLink, delta: ca.SX, delta_d: ca.SX, delta_dd: ca.SX, w: ca.SX, a: ca.SX, al: ca.SX
) -> Coefficients:
    """Derivatives of a link's equations by its integrals, in which they are linear."""
    symbols = ca.SX.sym("integral", len(of.used))
    entries: list = [0.0] * _entries(of.link.integrals).size
    for k, symbol in zip(of.used, ca.vertsplit(symbols), strict=True):
        entries[k] = symbol
    link = replace(of.link, integrals=_with_entries(of.link.integrals, entries))
    force = inertial_force(derive_link_inertia(link, delta, delta_d, w), Accelerations(a, al), delta_dd)
    return Coefficients(ca.jacobian(ca.vertcat(force.f, force.n), symbols))


def _sum_of(loads: Sequence[LinkLoad], body: int, stations: Sequence[float]) -> ca.SX:
    """Sums, (6, k), of the loads on a body at and beyond k stations."""
    found = ca.SX(6, len(stations))
    for load in loads:
        if load.body == body:
            found += load.beyond(stations)
    return found


def _in_sections(cuts: Sequence[LinkStation], delta: ca.SX, wrenches: ca.SX) -> list[Wrench]:
    """Wrenches in cuts of one link from those on what is outboard, (6, k), about its origin and in its frame."""
    link, stations = cuts[0].segment, [cut.xi for cut in cuts]
    f = wrenches[:3, :]
    n = wrenches[3:, :] - ca.cross(axis_positions(link, delta, stations), f, 1)
    f, n = (in_section_axes(link, delta, stations, -each) for each in (f, n))
    return [Wrench(*each) for each in zip(ca.horzsplit(f), ca.horzsplit(n), strict=True)]


def _entries(part: ModalIntegrals) -> np.ndarray:
    """All integrals of a part, numbers or symbols, one after the other."""
    values = [getattr(part, each.name) for each in fields(part)]
    entries = [
        entry for value in values for entry in (value.flat if isinstance(value, np.ndarray) else (value,))
    ]
    if all(isinstance(entry, float) for entry in entries):
        return np.array(entries)
    found = np.empty(len(entries), dtype=object)
    found[:] = entries
    return found


def _with_entries(like: ModalIntegrals, entries: list) -> ModalIntegrals:
    """Integrals of the same shapes with other entries."""
    values, left = {}, iter(entries)
    for each in fields(like):
        value = getattr(like, each.name)
        if isinstance(value, np.ndarray):
            own = np.empty(value.size, dtype=object)
            own[:] = [next(left) for _ in range(value.size)]
            values[each.name] = own.reshape(value.shape)
        else:
            values[each.name] = next(left)
    return ModalIntegrals(**values)
