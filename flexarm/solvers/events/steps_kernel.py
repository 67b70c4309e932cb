"""Steps that are given by their dense output, searched for events and interpolated, compiled."""

from __future__ import annotations

from flexarm.codegen.kernels.language import array
from flexarm.solvers.events.interpolation import N_NODES, interpolate
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


def states_at(n, n_steps, m, times, states, at, found):
    """Fill in the states at some times within the steps; return how many there are.

    Parameters
    ----------
    n, m : int
        Numbers of states and of times.
    times, states : (n_steps, N_NODES) [s], (n_steps, N_NODES, n)
    at : (m,) [s]
        Increasing.
    found : (m, n)
    """
    times, states = array(times, n_steps, N_NODES), array(states, n_steps, N_NODES, n)
    at, found = array(at, m), array(found, m, n)
    step = 0
    for k in range(m):
        while step < n_steps - 1 and at[k] > times[step, N_NODES - 1]:
            step += 1
        interpolate(times[step], states[step], at[k], found[k])
    return m
