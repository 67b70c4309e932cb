"""Environments for reinforcement learning: what gymnasium's own checker asks for, seeds, ends of episodes."""

import sys

import numpy as np
import pytest

import flexarm

ROD = """
name: rod
gravity: [0, 0, 0]
links: [{length: 1, mu: 3}]
sensors: {q: {joint: 1, noise: 0.01, period: 0.01}}
"""


def environment():
    stepper = flexarm.parse_arm(ROD).stepper(0.01)
    return stepper.environment(lambda y, u, t: -abs(u[0]) + t, largest=2.0, duration=0.05)


@pytest.mark.filterwarnings("ignore:.*observation space m.* value is -?infinity:UserWarning")  # of any size
def test_gymnasium_finds_nothing_wrong():
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    checker.check_env(environment(), skip_render_check=True)


def test_episodes():
    pytest.importorskip("gymnasium")
    one = environment()
    first, _ = one.reset(seed=5)
    episode = [one.step([30.0]) for _ in range(5)]
    assert [truncated for *_, truncated, _ in episode] == [False] * 4 + [True]
    assert not any(terminated for _, _, terminated, _, _ in episode)
    np.testing.assert_allclose([reward for _, reward, *_ in episode], np.arange(1, 6) * 0.01 - 2.0)
    another, _ = one.reset()
    again, _ = one.reset(seed=5)
    assert (first == again).all()
    assert (first != another).all()


def test_without_gymnasium_and_wrong_numbers(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "flexarm.simulation.forward.stepping.environment", raising=False)
    with pytest.raises(
        flexarm.ModelError, match=r"need the package gymnasium \(pip install 'flexarm\[gym\]'\)"
    ):
        environment()
    with pytest.raises(flexarm.ModelError, match="largest: got 0, expected a finite number above 0"):
        flexarm.parse_arm(ROD).stepper().environment(lambda y, u, t: 0.0, largest=0, duration=1)
