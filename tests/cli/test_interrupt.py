"""Signals during a computation: held back until a report where something is kept, acting at once where nothing is."""

import signal

import pytest

from flexarm.cli.terminal.interrupt import interruptible


def run(steps, keeps):
    """What some steps have done in turn; numbers are reports of progress, signals are raised, functions called."""
    done = []
    try:
        with interruptible(None, keeps) as report:
            for step in steps:
                if isinstance(step, signal.Signals):
                    signal.raise_signal(step)
                elif callable(step):
                    step()
                else:
                    report(step, None)
                done.append(step)
    except KeyboardInterrupt:
        done.append("interrupted")
    return done


def swallowing():
    """What a library does that catches everything."""
    try:
        signal.raise_signal(signal.SIGINT)
    except BaseException:
        return


def failing_after_it():
    swallowing()
    raise AttributeError("'NoneType' object has no attribute 'T'")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_where_something_is_kept_it_is_raised_at_the_next_report(number):
    assert run([0.1, number, 0.2], keeps=True) == [0.1, number, "interrupted"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_where_nothing_is_kept_it_is_raised_at_once(number):
    assert run([0.1, number, 0.2], keeps=False) == [0.1, "interrupted"]


def test_the_writing_of_a_result_is_not_cut():
    steps = [0.1, 1.0, signal.SIGINT, print]
    assert run(steps, keeps=False) == steps


def test_an_interruption_that_a_library_swallows_is_one_all_the_same():
    assert run([0.1, failing_after_it, 0.5], keeps=False) == [0.1, "interrupted"]
    assert run([0.1, swallowing, 0.5], keeps=False) == [0.1, swallowing, "interrupted"]


def test_other_failures_stay_what_they_are():
    with pytest.raises(ZeroDivisionError):
        run([lambda: 1 / 0], keeps=False)
