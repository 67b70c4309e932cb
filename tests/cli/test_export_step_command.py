"""`flexarm export --step`."""

import pytest


def test_export_writes_a_step_into_one_file(flexarm, folder):
    done = flexarm(
        "export", "small.yaml", "--to", "c", "--step", "--period", "0.01", "--inputs", "torque[1]", "--outputs",
        "joints,tip", "--parameter", "payload.mass", "-o", "step.c",
    )  # fmt: skip
    assert (done.exit_code, done.stderr) == (0, "")
    assert "rk4" in done.stdout
    assert "inputs torque[1]; outputs q_1" in done.stdout
    text = (folder / "step.c").read_text()
    assert "double payload_mass; /* payload.mass */" in text
    assert "outputs[1]: " in text
    assert not (folder / "outputs").exists()
    assert flexarm("export", "small.yaml", "--to", "c", "--step", "-o", "step.c").exit_code == 4


def test_a_step_has_a_name_by_default(flexarm, folder):
    assert flexarm("export", "small.yaml", "--to", "c", "--step").exit_code == 0
    assert (folder / "outputs" / "small-step.c").exists()


def test_what_is_left_out_is_a_warning(flexarm, folder):
    text = (folder / "small.yaml").read_text()
    (folder / "noisy.yaml").write_text(f"{text}sensors: {{q: {{joint: 1, noise: 0.1, period: 0.01}}}}\n")
    done = flexarm("export", "noisy.yaml", "--to", "c", "--step")
    assert done.exit_code == 0
    assert "warning: the noise of q is left out" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--to", "c", "--period", "0.01"], "--period belongs to --step"),
        (["--to", "c", "--parameter", "payload.mass"], "--parameter belongs to --step"),
        (["--to", "casadi", "--step"], "--step writes C"),
        (["--to", "c", "--step", "--formulation", "lagrangian"], "run.formulation"),
        (["--to", "c", "--step", "--method", "rk5"], "rk4"),
        (["--to", "c", "--step", "--period", "0"], "period"),
        (["--to", "c", "--step", "--substeps", "0"], "substeps"),
        (["--to", "c", "--step", "--outputs", "hub"], "unknown output 'hub'"),
        (["--to", "c", "--step", "--outputs", ""], "outputs: got none"),
        (["--to", "c", "--step", "--parameter", "payload.mas"], "did you mean 'payload.mass'?"),
    ],
)
def test_wrong_usage_gets_a_line(flexarm, folder, arguments, complaint):
    done = flexarm("export", "small.yaml", *arguments)
    assert done.exit_code in (2, 3)
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(folder.glob("outputs/*"))
