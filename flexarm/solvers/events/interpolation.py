"""Dense output of a step by its values at a few nodes, and its interpolation, compiled."""

from __future__ import annotations

import numpy as np

from flexarm.codegen.kernels.language import compiled, registers

N_NODES = 8
"""Nodes that determine a dense output of degree 7."""

FRACTIONS = (1 - np.cos(np.pi * np.arange(N_NODES) / (N_NODES - 1))) / 2
"""Where in a step the nodes are: Chebyshev's extreme points in [0, 1], both ends included."""
BARYCENTRIC = np.array([(-1.0) ** j * (0.5 if j in (0, N_NODES - 1) else 1.0) for j in range(N_NODES)])
"""Barycentric weights of the nodes [BerrutTrefethen2004]."""


@compiled
def interpolate(times, states, time, state):
    """State at a time within a step, by the barycentric formula."""
    start, length = times[0], times[N_NODES - 1] - times[0]
    x = (time - start) / length
    total, node = 0.0, -1
    for j in range(N_NODES):
        if x == FRACTIONS[j]:
            node = j
    if time >= times[N_NODES - 1]:
        node = N_NODES - 1
    if node >= 0:
        for i in registers(state.size):
            state[i] = states[node, i]
        return 0
    for i in registers(state.size):
        state[i] = 0.0
    for j in range(N_NODES):
        weight = BARYCENTRIC[j] / (x - FRACTIONS[j])
        total += weight
        for i in registers(state.size):
            state[i] = state[i] + weight * states[j, i]
    for i in registers(state.size):
        state[i] = state[i] / total
    return 0
