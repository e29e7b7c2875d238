"""Make the pictures of the report that the README shows, from a scan of the sample corpus.

    python scripts/make_screenshots.py

Needs the test extra, and Chromium with its driver. Writes docs/images/report.png, report-dark.png and report-phone.png.
"""

from __future__ import annotations

import base64
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
AS_OF = "2026-12-01"  # fixed, so that a picture changes only when the findings or the report do
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars")

# The lower edge of what is shown: from the top of the page to the end of a pair of passages, or of the first one below a height.
BOTTOM = """
const wanted = arguments[0];
const ends = [...document.querySelectorAll(".pair")].map((pair) => pair.getBoundingClientRect().bottom + scrollY);
return Math.ceil(ends.find((end) => end >= wanted) ?? document.documentElement.scrollHeight) + 16;
"""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: the page `width` pixels wide, in a colour scheme, cut after the first pair that ends below `height`."""

    name: str
    width: int
    height: int
    scheme: str = "light"
    scale: float = 1.5


SHOTS = (
    Shot("report.png", width=1120, height=900),
    Shot("report-dark.png", width=1120, height=900, scheme="dark"),
    Shot("report-phone.png", width=390, height=900, scale=2),
)


def scan(folder: Path) -> Path:
    """Scan the sample corpus into `folder`; gives the report."""
    command = [sys.executable, "-m", "auditor.cli", "scan", "sample_corpus", "--out", str(folder), "--as-of", AS_OF, "--quiet"]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder / "report.html"


def browser(profile: Path) -> webdriver.Chrome:
    """Chromium without a window."""
    binary = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        sys.exit("no browser here: install chromium and chromedriver")
    options = Options()
    options.binary_location = binary
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=Service(driver))


def take(command: Callable[[str, dict[str, Any]], Any], script: Callable[..., Any], shot: Shot) -> bytes:
    """The picture of the page that is open."""
    command("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": shot.scheme}]})
    metrics = {"width": shot.width, "height": shot.height, "deviceScaleFactor": shot.scale, "mobile": shot.width < 500}
    command("Emulation.setDeviceMetricsOverride", metrics)
    height = script(BOTTOM, shot.height)
    command("Emulation.setDeviceMetricsOverride", {**metrics, "height": height})  # or the filters would stick half-way down
    clip = {"x": 0, "y": 0, "width": shot.width, "height": height, "scale": 1}
    return base64.b64decode(command("Page.captureScreenshot", {"format": "png", "clip": clip})["data"])


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        report = scan(Path(scratch) / "out")
        driver = browser(Path(scratch) / "profile")
        try:
            driver.get(report.as_uri())
            for shot in SHOTS:
                path = IMAGES / shot.name
                path.write_bytes(take(driver.execute_cdp_cmd, driver.execute_script, shot))
                print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} kB")
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
