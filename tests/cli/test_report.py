"""`flexarm report`."""


def test_the_page_stands_beside_the_result_and_names_the_command(flexarm, folder, result):
    done = flexarm("report", result, "--no-animation")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "study/small/report.html\n", "")
    text = (folder / "study" / "small" / "report.html").read_text()
    assert "flexarm simulate small.yaml -o study/small.h5" in text
    assert "image/gif" not in text
    assert not list(folder.rglob("*.part"))
    again = flexarm("report", result, "--no-animation")
    assert again.exit_code == 4
    assert "--overwrite" in again.stderr


def test_a_file_that_is_no_result(flexarm, folder):
    done = flexarm("report", "small.yaml", "-o", "page.html")
    assert done.exit_code == 4
    assert done.stderr.count("\n") == 1
    assert not (folder / "page.html").exists()
