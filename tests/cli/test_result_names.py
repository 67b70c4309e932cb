"""Every command that writes a result refuses names that do not say what they hold."""

import pytest

COMMANDS = {
    "simulate": (),
    "sweep": ("--vary", "payload.mass=0,1"),
    "modes": (),
    "equilibrium": (),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["made/a.txt", "made/a", "made/a.npz"])
def test_other_endings_are_refused_before_anything_is_computed(flexarm, folder, command, name):
    done = flexarm(command, "small.yaml", *COMMANDS[command], "-o", name)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (4, "", 1)
    assert f"cannot write {name}: a result ends in .h5, .hdf5 or .nc" in done.stderr
    assert not (folder / "made").exists()


@pytest.mark.parametrize("name", ["a.nc", "a.hdf5", "a.H5"])
def test_known_endings(flexarm, folder, name):
    assert flexarm("modes", "small.yaml", "-o", name).exit_code == 0
    assert (folder / name).exists()
