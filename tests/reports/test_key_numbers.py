"""Key numbers of results that lack what others have."""

from results.older_files import unpacked

from flexarm import Result, open_result
from flexarm.reports.key_numbers import key_numbers


def test_a_load_that_only_torques_bound_has_no_allowed_deviation(tmp_path):
    result = open_result(unpacked(tmp_path, "payload"))
    assert dict(key_numbers(result))["allowed deviation of the tip"] == "0.01 m"
    attributes = {name: value for name, value in result.attributes.items() if name != "deviation"}
    found = dict(key_numbers(Result(result, attributes)))
    assert found["load"] == "1.933 kg"
    assert "allowed deviation of the tip" not in found
