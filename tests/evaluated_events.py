"""Event functions evaluated by NumPy, one after the other: what the kernels evaluate."""

import numpy as np

from flexarm.solvers.events.event_functions import NOWHERE


def evaluated(functions, times, states):
    """Values and rates (k, 2 n) at times (k,) and states (k, n_y); NaN where a function has no rate."""
    found = np.full((len(times), 2 * functions.n), np.nan)
    for source in functions.natives:
        values = source.function.map(times, states, source.p)
        known = source.places != NOWHERE
        found[:, source.places[known]] = values[:, known]
    linear = functions.linear
    found[:, linear.places] = linear.factors * states[:, linear.columns] + linear.offsets
    return found
