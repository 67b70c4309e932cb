"""Boundary value problems with quantities at both ends that shall be least: an oscillation that a push excites."""

import numpy as np
import pytest
from scipy.integrate import quad

from flexarm.solvers.boundary import Boundary, Least
from flexarm.solvers.boundary_value_problem import collocate
from flexarm.solvers.collocation import Linearisation, Scheme

DURATION = 8.0


def push(times):
    return np.exp(-4 * (np.asarray(times) - 3.0) ** 2)


class PushedOscillator:
    """x'' = -omega^2 x + push, or a pair of a growing and a decaying motion between two times; the state is [x, x']."""

    n, positions, speeds, implicit = 2, (0,), (1,), (1,)

    def __init__(self, omega, grows=(0.0, 0.0)):
        self.omega, self.grows = omega, grows

    def square(self, times):
        growing = (times > self.grows[0]) & (times < self.grows[1])
        return np.where(growing, 1.0, -1.0) * self.omega**2

    def residual(self, times, states, rates):
        return self.square(times)[:, None] * states[:, :1] + push(times)[:, None] - rates

    def linearised(self, times, states, rates):
        by_state = np.stack([self.square(times), np.zeros(len(times))], axis=1)[:, None]
        return Linearisation(self.residual(times, states, rates), by_state, -np.ones((len(times), 1, 1)))


def least(omega, oscillator, scheme, intervals=160):
    """With the amplitude at rest at the start and the rate at the end as the replaced conditions."""
    both = lambda y: (np.diag([omega, 1.0]) @ y, np.diag([omega, 1.0]))  # noqa: E731
    boundary = Boundary(
        lambda y: (y[:1], np.eye(2)[:1]), lambda y: (y[1:], np.eye(2)[1:]), Least((1, 1), both, both)
    )
    mesh = np.linspace(0, DURATION, intervals + 1)
    return collocate(oscillator, boundary, mesh, np.zeros((mesh.size, 2)), scheme=scheme)


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize("off", [0.4, 1e-4])
def test_half_of_the_least_oscillation_is_before_the_push_and_half_after_it(scheme, off):
    """With a = (x' + i omega x) exp(-i omega t), the push changes a by F: least is |a|^2 + |a + F|^2 for a = -F / 2.

    The replaced conditions alone have no solution where cos(omega T) = 0.
    """
    omega = (np.pi * 7.5 + off) / DURATION
    parts = [
        quad(lambda t, wave=wave: push(t) * wave(omega * t), 0, DURATION, limit=200)[0]
        for wave in (np.cos, np.sin)
    ]
    F = parts[0] - 1j * parts[1]
    found = least(omega, PushedOscillator(omega), scheme)
    x, speed = found.states[0]
    assert abs(speed + 1j * omega * x + F / 2) < 1e-9
    x, speed = found.states[-1]
    assert abs((speed + 1j * omega * x) * np.exp(-1j * omega * DURATION) - F / 2) < 1e-9


@pytest.mark.parametrize("scheme", Scheme)
def test_an_oscillation_that_grows_on_the_way_stays_as_small_as_its_push(scheme):
    """From rest it would grow by exp(30), between t = 2 and 5."""
    found = least(10.0, PushedOscillator(10.0, (2.0, 5.0)), scheme)
    particular = 1 / 10.0**2  # of a slow push, where the motion is a growing and a decaying one
    assert np.abs(found.states[:, 0]).max() < 2 * particular


class SingularMass:
    """(t - 3) x'' + x = f, for which x = push(t) is smooth.

    Before t = 3 a motion grows and one decays, later they oscillate. With s = t - 3, one solution of the homogeneous
    equation is smooth, s - s^2 / 2 + .., the other one is 1 - s log |s| + ..
    """

    n, positions, speeds, implicit = 2, (0,), (1,), (1,)

    def residual(self, times, states, rates):
        s = times - 3.0
        push_dd = (64 * s**2 - 8) * push(times)
        force = s * push_dd + push(times)
        return (s * rates[:, 0] + states[:, 0] - force)[:, None]

    def linearised(self, times, states, rates):
        by_state = np.tile([[[1.0, 0.0]]], (times.size, 1, 1))
        return Linearisation(self.residual(times, states, rates), by_state, (times - 3.0)[:, None, None])


@pytest.mark.parametrize("scheme", Scheme)
def test_of_the_motions_through_a_singular_mass_the_smooth_one_is_found(scheme):
    """The condition at the end is free; the error decreases with the third power of the intervals, as it should.

    The integral of the square of the third rate of s log s, cut off at h, is 1/h^3; with a smooth rate it is bounded.
    """
    none = lambda y: (np.empty(0), np.empty((0, 2)))  # noqa: E731
    boundary = Boundary(
        lambda y: (y[:1] - push(0.0), np.eye(2)[:1]),
        lambda y: (y[:1] - 1.0, np.eye(2)[:1]),
        Least((0, 1), none, none, np.ones(1)),
    )
    errors = []
    for intervals in (101, 405):
        mesh = np.linspace(0, DURATION, intervals + 1)
        found = collocate(SingularMass(), boundary, mesh, np.zeros((mesh.size, 2)), scheme=scheme)
        errors.append(np.abs(found.states[:, 0] - push(mesh)).max())
    assert errors[0] < 1e-3
    assert errors[1] < errors[0] / 40
