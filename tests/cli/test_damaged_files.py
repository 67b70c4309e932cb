"""Commands that read results answer damage in one line and with exit code 4."""

import numpy as np
import pytest

COMMANDS = ("plot", "report", "animate")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A run and a sweep."""
    import flexarm

    folder = tmp_path_factory.mktemp("written")
    arm = flexarm.parse_arm(
        "name: small\nlinks: [{length: 1.0, mu: 1.0}]\nrun: {duration: 0.1, sample: 0.01}\n"
    )
    flexarm.simulate(arm, output=folder / "run.h5")
    flexarm.sweep(arm, {"payload.mass": [0.0, 1.0]}, workers=1, output=folder / "sweep.h5")
    return {name: (folder / f"{name}.h5").read_bytes() for name in ("run", "sweep")}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["run", "sweep"])
def test_damage_is_answered_in_one_line(flexarm, folder, written, name, command):
    rng = np.random.default_rng(3)
    content = written[name]
    changed = []
    for place in (0, 520, *rng.integers(len(content), size=20).tolist()):
        changed.append(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
    changed += [content[:size] for size in (0, 7, 511, 512, len(content) // 2, len(content) - 1)]
    for damaged in changed:
        (folder / "damaged.h5").write_bytes(damaged)
        done = flexarm(command, "damaged.h5")
        assert done.exit_code == 4, done.stderr
        assert done.stderr.startswith("flexarm: error: cannot read damaged.h5: ")
        assert done.stderr.count("\n") == 1
        assert done.stdout == ""
    assert [path.name for path in folder.iterdir() if path.name != "small.yaml"] == ["damaged.h5"]


@pytest.mark.slow
def test_a_damaged_result_can_be_replaced(flexarm, folder, written):
    for place in (3, 515):  # in the text before the HDF5 data, and in their signature
        content = bytearray(written["run"])
        content[place] ^= 1
        (folder / "small.h5").write_bytes(content)
        assert flexarm("simulate", "small.yaml", "-o", "small.h5", "--overwrite").exit_code == 0
        assert flexarm("plot", "small.h5", "--figure", "stroboscope").exit_code == 0
