"""The search for events in steps that are given by their dense output, compiled."""

from __future__ import annotations

from flexarm.codegen.kernels.language import array
from flexarm.solvers.events.dense_steps import N_NODES
from flexarm.solvers.events.search import NO_EVENT, first_event, unpacked


def search_steps(
    n, n_steps, times, states, found,
    n_functions, n_sources, n_places, n_linear, n_inputs, n_outputs, event_integers, event_numbers,
):  # fmt: skip
    """Number of the first of some steps in which there is an event; their number if there is none.

    Parameters
    ----------
    n : int
        Number of states.
    times, states : (n_steps, N_NODES) [s], (n_steps, N_NODES, n)
    found : (2,)
        Time [s] of the event and number of its function.
    """
    times, states, found = array(times, n_steps, N_NODES), array(states, n_steps, N_NODES, n), array(found, 2)
    search = unpacked(
        n_functions, n_sources, n_places, n_linear, n_inputs, n_outputs, event_integers, event_numbers, n
    )
    for step in range(n_steps):
        function = first_event(search, times[step], states[step])
        if function != NO_EVENT:
            found[0], found[1] = search.event[0], function
            return step
    return n_steps
