"""The files of others are as they were made, with their licence, and say where they come from."""

import re
from hashlib import sha256
from importlib.resources import files

VENDOR = files("flexarm.reports") / "vendor"


def text(name):
    return (VENDOR / name).read_text(encoding="utf-8")


def test_files_are_as_they_were_made():
    lines = text("SHA256SUMS").splitlines()
    assert len(lines) == 2
    for line in lines:
        digest, name = line.split()
        assert sha256((VENDOR / name).read_bytes()).hexdigest() == digest, name


def test_the_licence_goes_with_every_copy():
    head = text("three.min.js")[:2000]
    assert text("LICENSE").strip() in head
    (version,) = re.findall(r"^THREE=(.+)$", text("build.sh"), re.MULTILINE)
    assert head.startswith(f"/*! three.js {version}\n")


def test_all_parts_that_are_used_are_taken_and_no_others():
    scripts = "".join(
        one.read_text(encoding="utf-8")
        for one in (files("flexarm.reports") / "space_view" / "scripts").iterdir()
    )
    used = set(re.findall(r"\bTHREE\.(\w+)", scripts))
    taken = set(re.findall(r"\w+", " ".join(re.findall(r"\{(.*?)\}", text("parts.js"), re.DOTALL))))
    assert used == taken
