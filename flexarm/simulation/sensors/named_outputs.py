"""Outputs of linear models: what can be measured of an arm, by name."""

from __future__ import annotations

import re
from dataclasses import dataclass

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.stations import chain_points, curvature, deflection
from flexarm.hints import did_you_mean
from flexarm.model.chain import Chain
from flexarm.results.dimensions import AXES

KINDS = {"joints": None, "tip": None, "deflection": 1.0, "curvature": 0.0, "strain": 0.0}
"""Kind of output -> default station of those that belong to a link: its end or its start."""
_STATION = re.compile(r"(\w+)@(\d+)(?::([0-9.eE+-]+))?")


@dataclass(frozen=True)
class Output:
    """One measured quantity.

    Attributes
    ----------
    name : str
        E.g. ``q_1``, ``tip_y``, ``deflection_y@1:0.5``.
    unit : str
    group : str
        As it was asked for.
    value : SX
        As a function of theta.
    """

    name: str
    unit: str
    group: str
    value: ca.SX


def outputs(arm: Arm, chain: Chain, theta: ca.SX, asked: tuple[str, ...]) -> list[Output]:
    """Outputs as expressions; components that nothing moves, such as z of a planar arm, are left out.

    Parameters
    ----------
    theta : SX (n_theta,)
    asked : tuple of str
        ``joints``: angles [rad] or positions [m] of the joints that move; ``tip``: its position [m];
        ``deflection@LINK:AT``: of the link's axis at a fraction of its length, in the link's axes [m];
        ``curvature@LINK:AT`` [1/m] in the plane of deflection along y and z; ``strain@LINK:AT``: of the surface
        farthest along y and z, for links with a section [1]. Without AT: the end of the link for a deflection, else
        its start.

    Raises
    ------
    ModelError
        Unknown outputs, or such as nothing moves.
    """
    state = ChainState.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof))
    found = []
    for text in asked:
        components = [
            part
            for part in _components(arm, chain, state, text)
            if ca.jacobian(ca.SX(part.value), theta).nnz()
        ]
        if not components:
            raise ModelError(f"{arm.name}: output {text}: nothing that moves is measured (a rigid link?)")
        found += components
    return found


def _components(arm: Arm, chain: Chain, state: ChainState, text: str) -> list[Output]:
    if text == "joints":
        return [
            Output(f"q_{i + 1}", arm.joints[i].kind.unit, text, state.q[body])
            for i, body in enumerate(chain.joint_bodies)
        ]
    if text == "tip":
        tip = chain_points(chain, state, chain_motion(chain, state))[:, -1]
        return [Output(f"tip_{axis}", "m", text, tip[k]) for k, axis in enumerate(AXES)]
    kind, link, xi = _station(arm, text)
    place = f"@{link + 1}:{xi:g}"
    if kind == "deflection":
        bent = deflection(chain, state, link, xi)
        return [Output(f"deflection_{axis}{place}", "m", text, bent[k]) for k, axis in enumerate(AXES)]
    turn = curvature(chain, state, link, xi)
    curvatures = {"y": turn[2], "z": -turn[1]}
    if kind == "curvature":
        return [Output(f"curvature_{axis}{place}", "1/m", text, value) for axis, value in curvatures.items()]
    section = arm.links[link].section
    if section is None:
        raise ModelError(
            f"{arm.name}: output {text}: link {link + 1} has no section that gives its height (ask for "
            f"curvature@{link + 1}:{xi:g} instead, or give the link material and section)"
        )
    half = dict(zip(("y", "z"), section.at(xi).half_sizes, strict=True))
    return [Output(f"strain_{axis}{place}", "1", text, -half[axis] * curvatures[axis]) for axis in half]


def _station(arm: Arm, text: str) -> tuple[str, int, float]:
    """Kind, index of the link and fraction of its length."""
    found = _STATION.fullmatch(text)
    kind = found[1] if found else text.partition("@")[0]
    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS, "e.g. deflection@1:0.5")
        raise ModelError(f"{arm.name}: unknown output {text!r}, expected one of {', '.join(KINDS)} ({hint})")
    if found is None or KINDS[kind] is None:
        right = f"{kind}@LINK:AT, e.g. {kind}@1:0.5" if KINDS[kind] is not None else kind
        raise ModelError(f"{arm.name}: output {text!r}: expected {right}")
    try:
        link, xi = int(found[2]), float(found[3]) if found[3] else KINDS[kind]
    except ValueError:
        raise ModelError(f"{arm.name}: output {text!r}: {found[3]!r} is not a number") from None
    if not 1 <= link <= len(arm.links):
        raise ModelError(f"{arm.name}: output {text!r}: got link {link}, expected 1 to {len(arm.links)}")
    if not 0 <= xi <= 1:
        raise ModelError(
            f"{arm.name}: output {text!r}: got {xi:g}, expected 0 (start of the link) to 1 (its end)"
        )
    return kind, link - 1, xi
