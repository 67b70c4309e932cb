"""The page in a real browser: every picture is shown, nothing is asked of the network, nothing complained of."""

import json
import os
import re
import shutil
import subprocess

import pytest
from pages import falling_link

from flexarm.reports.report import POLICY

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

PROBE = """\
<pre id="probe"></pre><script>
addEventListener("load", () => {
  document.getElementById("probe").textContent = JSON.stringify({
    widths: [...document.images].map((image) => image.naturalWidth),
    requests: performance.getEntriesByType("resource").map((entry) => entry.name.slice(0, 40)),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    title: document.title,
  });
});
</script>"""


@pytest.mark.skipif(BROWSER is None, reason="no chromium to open the page in")
def test_the_page_shows_everything_and_asks_for_nothing(tmp_path):
    text = falling_link()[1]
    # the page itself allows no script at all
    probed = text.replace(POLICY, f"{POLICY}; script-src 'unsafe-inline'").replace(
        "</body>", f"{PROBE}</body>"
    )
    (tmp_path / "page.html").write_text(probed, encoding="utf-8")
    command = [
        str(BROWSER), "--headless=new", "--disable-gpu", "--no-sandbox", f"--user-data-dir={tmp_path / 'profile'}",
        "--no-first-run", "--disable-background-networking", "--enable-logging=stderr", "--log-level=0",
        "--window-size=400,900", "--dump-dom", (tmp_path / "page.html").as_uri(),
    ]  # fmt: skip
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, env={**os.environ, "HOME": str(tmp_path)}
    )
    found = re.search(r'<pre id="probe">(.+?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr[-2000:]
    seen = json.loads(found[1])
    assert len(seen["widths"]) == text.count("<img ")
    assert min(seen["widths"]) > 0
    assert [name for name in seen["requests"] if not name.startswith("data:")] == []
    assert seen["overflow"] <= 0
    assert seen["title"] == "shafei-falling-link: flight"
    assert "CONSOLE" not in done.stderr
