"""The dense output of Radau IIA, compiled: the collocation polynomial, a cubic through the ends and the stages.

Its Newton form, in units of the step and of the time from its end, has the nodes 0, c_2 - 1, c_1 - 1 and -1.
"""

from __future__ import annotations

from flexarm.codegen.kernels.language import compiled, registers
from flexarm.solvers.radau.coefficients import C
from flexarm.solvers.radau.layout import D1, D2, D3, FILLED, Z1, Z2, Z3, H, T, Y


@compiled
def divided_differences(vectors):
    """Divided differences of the collocation polynomial of a step from the increments of its stages."""
    for i in registers(vectors.shape[1]):
        first = (vectors[Z2, i] - vectors[Z3, i]) / (C[1] - 1.0)
        middle = (vectors[Z1, i] - vectors[Z2, i]) / (C[0] - C[1])
        last = vectors[Z1, i] / C[0]
        second = (middle - first) / (C[0] - 1.0)
        vectors[D1, i], vectors[D2, i] = first, second
        vectors[D3, i] = second - (middle - last) / C[1]


@compiled
def collocation(x, vectors, i):
    """A number of the state, less that at the end of the last step, x of its lengths beyond this."""
    inner = vectors[D2, i] + (x - (C[0] - 1.0)) * vectors[D3, i]
    return x * (vectors[D1, i] + (x - (C[1] - 1.0)) * inner)


@compiled
def interpolate(x, vectors, state):
    """State at x of the last step's lengths beyond its end."""
    for i in registers(vectors.shape[1]):
        state[i] = vectors[Y, i] + collocation(x, vectors, i)


@compiled
def fill_samples(step_times, counters, vectors, times, states):
    """Fill in the samples that lie in the last step."""
    sample = counters[FILLED]
    while sample < times.size and times[sample] <= step_times[T]:
        interpolate((times[sample] - step_times[T]) / step_times[H], vectors, states[sample])
        sample += 1
    counters[FILLED] = sample
