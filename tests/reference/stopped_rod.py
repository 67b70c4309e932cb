"""A rigid rod that turns about one end and strikes a stop: times and rates of its bounces, in closed form."""

from __future__ import annotations

import numpy as np
from scipy.special import ellipk, ellipkinc


def pushed(acceleration, way, e, count):
    """Bounces of a rod from rest, `way` [rad] before the stop, that a constant torque accelerates [rad/s^2] towards it.

    Returns
    -------
    times, rates before each of them : (count,)
    """
    rate = np.sqrt(2 * acceleration * way)
    times, rates = [rate / acceleration], [rate]
    while len(times) < count:
        rate *= e
        times.append(times[-1] + 2 * rate / acceleration)
        rates.append(rate)
    return np.array(times), np.array(rates)


def fallen(start, stop, length, g, e, count):
    """Bounces of a rod that hangs from its end and falls from rest.

    Parameters
    ----------
    start, stop : float [rad]
        Angles to the hanging posture, start > stop > 0.
    length : float [m]

    Returns
    -------
    times, rates before each of them : (count,)

    Notes
    -----
    phi_dd = -W^2 sin phi with W^2 = 3 g / 2 l; from rest at phi_0 the rod is at phi after (K(k) - F(x, k)) / W with
    k = sin(phi_0 / 2), sin x = sin(phi / 2) / k.
    """
    W = np.sqrt(1.5 * g / length)

    def fall(top):
        k = np.sin(top / 2)
        return (ellipk(k**2) - ellipkinc(np.arcsin(np.sin(stop / 2) / k), k**2)) / W

    times, rates = [fall(start)], [W * np.sqrt(2 * (np.cos(stop) - np.cos(start)))]
    while len(times) < count:
        rate = e * rates[-1]
        top = np.arccos(np.cos(stop) - rate**2 / (2 * W**2))
        times.append(times[-1] + 2 * fall(top))
        rates.append(rate)
    return np.array(times), np.array(rates)
