"""Wrenches in cuts of an arm from the momentum of the mass points beyond them: no recursion, no modal integral.

What the part inboard of a cut exerts on the part outboard is the rate of the momentum of the latter less its weight and
its loads; its moment about the cut follows from the moment of momentum. Mass points, section positions and frames are
those of :class:`~reference.lagrangian.Oracle`; every rate is taken by CasADi.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from reference.flexible_link import at, deflection
from reference.lagrangian import Oracle


class CutLoads:
    """Wrenches in cuts of an arm.

    Parameters
    ----------
    arm : flexarm.description.Arm
        Parsed description; its loads count, if their forces and moments are numbers.
    stations : int
        Gauss points on each smooth piece of a link.
    """

    def __init__(self, arm, stations: int = 24):
        self.arm = arm
        self._oracle = Oracle(arm, stations=2)
        self._stations = stations
        self._theta_dd = ca.SX.sym("theta_dd", self._oracle.n_dof)

    def function(self, cuts: list[tuple[int, float | None]]) -> ca.Function:
        """(theta, theta_d, theta_dd) -> (6, k) force and moment [N, N m] in k cuts (link from 0, station xi).

        They are about the axis there and in the axes of the deformed section, what the part beyond exerts on the part
        before; where xi is None what the link gets at its joint, in the axes of its frame. At xi = 0 all that sits at
        the joint is beyond.
        """
        o, columns = self._oracle, []
        for link, station in cuts:
            xi = station or 0.0
            momentum, about_base, weight = self._beyond(link, xi)
            force, moment = self._rate(momentum), self._rate(about_base)
            applied, moments = self._loads(link, xi)
            point = o._origin[link] if station is None else o._section_position(link, xi)
            R = o._frame[link] if station is None else o._section_frame(link, xi)
            f = force - weight[:3] - applied
            n = moment - weight[3:] - moments - ca.cross(point, f)
            sign = 1 if station is None else -1
            columns.append(sign * ca.vertcat(R.T @ f, R.T @ n))
        inputs = [o.theta_sym, o.theta_d_sym, self._theta_dd]
        return ca.Function("cuts", inputs, [ca.densify(ca.horzcat(*columns))])

    def _rate(self, expression: ca.SX) -> ca.SX:
        o = self._oracle
        return ca.jtimes(expression, o.theta_sym, o.theta_d_sym) + ca.jtimes(
            expression, o.theta_d_sym, self._theta_dd
        )

    def _beyond(self, link: int, xi: float) -> tuple[ca.SX, ca.SX, ca.SX]:
        """Momentum, moment of momentum about the base's origin, and the wrench of the weight about it."""
        o, arm = self._oracle, self.arm
        points: list[tuple[float, ca.SX]] = []
        spins = ca.SX.zeros(3)
        for i in range(link, len(arm.links)):
            own, R = arm.links[i], o._frame[i]
            w, delta_d = o._angular_velocity(R), o.theta_d_sym[o._delta_rows[i], 0]
            start = xi if i == link else 0.0
            if start == 0.0:
                joint = arm.joints[i]
                points.append((joint.mass, o._origin[i]))
                spins += R @ (ca.DM(joint.inertia) * w)
            if own.body is not None:
                assert start in (0.0, 1.0)
                if start == 0.0:
                    points.append((own.body.mass, o._origin[i] + R @ ca.DM(own.body.center)))
                    spins += R @ _tensor(own.body.inertia) @ w
                continue
            for s, weight in zip(*self._quadrature(own, start), strict=True):
                points.append((weight * at(own.mu, s), o._section_position(i, s)))
                turning = w + deflection(own, s)[1] @ delta_d
                spins += R @ (weight * ca.DM(own.rotary_inertia) * turning)
        load, R = arm.payload, o._end_frame[-1]
        points.append((load.mass, o._origin[-1] + R @ ca.DM(load.offset)))
        spins += R @ _tensor(load.inertia) @ o._angular_velocity(R)
        masses = ca.DM([mass for mass, _ in points])
        places = ca.horzcat(*(point for _, point in points))
        velocities = o._rate(places)
        momentum = velocities @ masses
        about = sum(
            (m * ca.cross(places[:, k], velocities[:, k]) for k, (m, _) in enumerate(points)), ca.SX.zeros(3)
        )
        g, first = ca.DM(arm.gravity), places @ masses
        weight = ca.vertcat(ca.sum1(masses) * g, ca.cross(first, g))
        return momentum, about + spins, weight

    def _quadrature(self, link, start: float) -> tuple[np.ndarray, np.ndarray]:
        profiles = [link.mu, link.EI.y, link.EI.z, link.GJ, link.EA]
        knots = np.concatenate([profile.eta for profile in profiles if profile is not None])
        ends = np.unique(np.concatenate([[start], knots[knots > start]]))
        x, w = np.polynomial.legendre.leggauss(self._stations)
        half = np.diff(ends)[:, None] / 2
        return (ends[:-1, None] + half * (1 + x)).ravel(), (half * w).ravel() * link.length

    def _loads(self, link: int, xi: float) -> tuple[ca.SX, ca.SX]:
        """Force and moment about the base's origin of the loads at and beyond a cut."""
        o, n = self._oracle, len(self.arm.links)
        f, m = ca.SX.zeros(3), ca.SX.zeros(3)
        for load in self.arm.loads:
            i = load.link % n
            if load.stretch is not None:
                along, about = self._spread(load, i, (link, xi))
                f, m = f + along, m + about
                continue
            if (i, load.station) < (link, xi):
                continue
            axes = o._frame[i] if load.frame == "link" else ca.SX.eye(3)
            force, moment = axes @ ca.DM(load.force), axes @ ca.DM(load.moment)
            f += force
            m += moment + ca.cross(o._section_position(i, load.station), force)
        return f, m

    def _spread(self, load, i: int, cut: tuple[int, float]) -> tuple[ca.SX, ca.SX]:
        """Force and moment about the base's origin of what is beyond a cut of a force per length on link i."""
        o, (first, last) = self._oracle, load.stretch
        f, m = ca.SX.zeros(3), ca.SX.zeros(3)
        first = max(first, cut[1]) if i == cut[0] else first
        if i < cut[0] or first >= last:
            return f, m
        axes = o._frame[i] if load.frame == "link" else ca.SX.eye(3)
        density = axes @ ca.DM(load.distributed)
        x, w = np.polynomial.legendre.leggauss(self._stations)
        for xi, weight in zip(first + (last - first) * (1 + x) / 2, (last - first) * w / 2, strict=True):
            force = weight * self.arm.links[i].length * density
            f += force
            m += ca.cross(o._section_position(i, float(xi)), force)
        return f, m


def _tensor(entries) -> ca.DM:
    xx, yy, zz, xy, xz, yz = entries
    return ca.DM([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
