"""The kinds of controllers, each as a block."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import casadi as ca

from flexarm.description.arm.control.controller import Controller
from flexarm.description.arm.control.controller_kinds import Delay, Lead, LowPass, Notch, PIDTerms, RateLimit
from flexarm.simulation.controllers.block import Block, LinearSystem, static
from flexarm.simulation.controllers.modal_form import modal_form


def block_of(controller: Controller) -> Block:
    """Block that a controller is."""
    kind = controller.kind
    return KINDS[kind](getattr(controller, kind))


def _pid(pid: PIDTerms) -> LinearSystem:
    """States int u dt, and the output x of the filter w/(s + w): the filtered rate of u is w (u - x)."""
    A, B, C, direct = [], [], [], pid.kp
    n = (pid.ki is not None) + (pid.kd is not None)
    if pid.ki is not None:
        A.append([0.0] * n)
        B.append([1.0])
        C.append(pid.ki)
    if pid.kd is not None:
        w = 2 * math.pi * pid.derivative_filter  # pyright: ignore[reportOperatorIssue]  (kd has a filter)
        A.append([*[0.0] * (n - 1), -w])
        B.append([w])
        C.append(-pid.kd * w)
        direct = direct + pid.kd * w
    return LinearSystem(A, B, [C], [[direct]])


def _low_pass(low_pass: LowPass) -> LinearSystem:
    """States y, and y_d/w of a filter of order 2."""
    w = 2 * math.pi * low_pass.frequency
    if low_pass.order == 1:
        return LinearSystem([[-w]], [[w]], [[1.0]], [[0.0]])
    A, B = _oscillator(w, low_pass.damping)
    return LinearSystem(A, B, [[1.0, 0.0]], [[0.0]])


def _notch(notch: Notch) -> LinearSystem:
    """1 - 2 (1 - depth) width w s/(s^2 + 2 width w s + w^2), of which x_2 is w s/(..)."""
    A, B = _oscillator(2 * math.pi * notch.frequency, notch.width)
    return LinearSystem(A, B, [[0.0, 2 * (notch.depth - 1) * notch.width]], [[1.0]])


def _oscillator(w: Any, damping: Any) -> tuple[list, list]:
    """x_1 = w^2/(s^2 + 2 damping w s + w^2) u, x_2 = x_1_d/w."""
    return [[0.0, w], [-w, -2 * damping * w]], [[0.0], [w]]


def _lead(lead: Lead) -> LinearSystem:
    pole, ratio = 2 * math.pi * lead.pole, lead.pole / lead.zero
    return LinearSystem([[-pole]], [[pole]], [[1 - ratio]], [[ratio]])


def _delay(delay: Delay) -> LinearSystem:
    """Diagonal Pade approximation of exp(-s T).

    exp(-2 z) = (1 - tanh z)/(1 + tanh z), and cutting off the continued fraction
    tanh z = 1/(1/z + 1/(3/z + 1/(5/z + ..))) after n terms is the approximation of order n [HW96, section IV.3]. The
    fraction is a ladder with the voltage v = u + y and the current i = u - y at its entrance: of its elements
    (2 k - 1)/z those of odd k lie in series, with the currents that the even ones before have left, and those of even k
    across, at the voltages that the odd ones before have left. Each is an integrator, so no coefficient grows beyond
    (2 n - 1) 2/T, while those of the polynomials grow as n! does.
    """
    n, unit = delay.order, 2 / delay.time
    # odd n: the voltages in series add up to v, i = 2 u - v; even n: the currents across add up to i, v = 2 u - i
    odd = [float(k % 2 == 0) for k in range(n)]
    even = [1 - each for each in odd]
    v, v_u = (odd, 0.0) if n % 2 else ([-each for each in even], 2.0)
    i, i_u = ([-each for each in odd], 2.0) if n % 2 else (even, 0.0)
    A, B = [], []
    for k in range(n):
        whole, direct, passed = (i, i_u, even) if k % 2 == 0 else (v, v_u, odd)
        left = [a - (b if j < k else 0.0) for j, (a, b) in enumerate(zip(whole, passed, strict=True))]
        A.append([(2 * k + 1) * unit * each for each in left])
        B.append([(2 * k + 1) * unit * direct])
    return LinearSystem(A, B, [v], [[v_u - 1]])


def _rate_limit(limit: RateLimit) -> Block:
    w, rate = 2 * math.pi * limit.frequency, limit.rate
    return Block(1, lambda x, u: ca.fmin(ca.fmax(w * (u - x), -rate), rate), lambda x, u: x)


def _none(rows: Any) -> LinearSystem:
    return LinearSystem([], [], [], rows)


LINEAR: dict[str, Callable[[Any], LinearSystem]] = {
    "gain": _none,
    "sum": lambda weights: _none([weights]),
    "pid": _pid,
    "state_space": lambda own: LinearSystem(own.A, own.B, own.C, own.direct),
    "low_pass": _low_pass,
    "notch": _notch,
    "lead": _lead,
    "delay": _delay,
}
"""Kind of controller that is linear -> its matrices."""

KINDS: dict[str, Callable[[Any], Block]] = {
    **{kind: lambda own, of=of: of(own).block for kind, of in LINEAR.items()},
    "state_space": lambda own: modal_form(LINEAR["state_space"](own)).block,
    "limit": lambda own: static(lambda u: ca.fmin(ca.fmax(u, own[0]), own[1])),
    "rate_limit": _rate_limit,
}
"""Kind of controller -> its block; a reference is a signal of time and none."""
