"""What tests of sweeps share: a worker for those to whom it does not matter who computes, and a look at failures."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from flexarm.sweeps.assembly import SweepAssembly


@pytest.fixture(scope="session")
def worker():
    """One thread: it starts at once."""
    with ThreadPoolExecutor(1) as executor:
        yield executor


@pytest.fixture(scope="session", autouse=True)
def no_internal_errors():
    """Fail where a point failed by a fault of flexarm: a sweep goes on after it, and a test might not look."""
    add = SweepAssembly.add

    def checked_add(assembly, chunk):
        faults = [each.reason for each in chunk.results if each.reason.startswith("internal error")]
        assert not faults, faults
        add(assembly, chunk)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SweepAssembly, "add", checked_add)
        yield
