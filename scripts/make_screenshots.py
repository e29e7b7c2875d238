"""Make the pictures of the report that the README shows, from a scan of the sample corpus.

    python scripts/make_screenshots.py

Needs the test extra, and Chromium with its driver. Writes report.png, report-dark.png, finding.png, report-phone.png, and a picture of
each other view at both widths into docs/images. The view of earlier runs is of a copy in which two documents were edited and one
was taken away since the baseline. Look at them before you commit them.
"""

from __future__ import annotations

import base64
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from selenium import webdriver

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.headless import browser  # noqa: E402

IMAGES = ROOT / "docs" / "images"
AS_OF = "2026-12-01"  # fixed, so that a picture changes only when the findings or the report do

# The top of the page, as far as the first pair of passages that ends below a height: [x, y, width, height].
TOP = """
const ends = [...document.querySelectorAll(".pair")].map((pair) => pair.getBoundingClientRect().bottom + scrollY);
const bottom = ends.find((end) => end >= arguments[0]) ?? document.documentElement.scrollHeight;
return [0, 0, document.documentElement.clientWidth, Math.ceil(bottom) + 16];
"""
# The first fact of which the rules suggest a value and whose passages are short enough for a picture.
FINDING = """
const good = (fact) => fact.querySelector(".side.suggested") && fact.querySelectorAll(".pair").length === 1;
const facts = [...document.querySelectorAll(".cluster")];
const fact = facts.find(good) ?? facts[0];
const box = fact.getBoundingClientRect();
const top = fact.querySelector("h2").getBoundingClientRect().top;
const left = Math.max(box.left - 24, 0);
return [left, top + scrollY - 16, Math.min(box.width + 48, innerWidth - left), box.bottom - top + 32];
"""
# A view with the tabs above it, the first owner unfolded.
VIEW = """
document.querySelector(".view:not([hidden]) .unfold")?.click();
const top = document.querySelector(".bar-top").getBoundingClientRect().top + scrollY;
const view = document.querySelector(".view:not([hidden])").getBoundingClientRect();
return [0, top, document.documentElement.clientWidth, Math.min(arguments[0], view.bottom + scrollY - top + 24)];
"""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture of the page, shown `width` pixels wide; `area` is a script that says which part of it."""

    name: str
    area: str
    width: int = 1120
    scheme: str = "light"
    scale: float = 1.5
    view: str = "facts"


SHOTS = (
    Shot("report.png", TOP),
    Shot("report-dark.png", TOP, scheme="dark"),
    Shot("finding.png", FINDING),
    Shot("report-phone.png", FINDING, width=390, scale=2),
    *(Shot(f"{view}.png", VIEW, scale=1.25, view=view) for view in ("owners", "documents", "unread")),
    *(Shot(f"{view}-phone.png", VIEW, width=390, scale=1.5, view=view) for view in ("owners", "documents", "unread")),
)
RUNS = tuple(Shot(name, VIEW, width, scale=1.25, view="runs") for name, width in (("runs.png", 1120), ("runs-phone.png", 390)))
HEIGHT = 900
EDITS = (("faq/shop-faq.md", "$75", "$50"), ("product/poise-scale-datasheet.rst", "180 kg", "150 kg"))
TAKEN_AWAY = "product/compare-devices.md"


def audit(*arguments: str | Path) -> None:
    """Run a command of the auditor."""
    subprocess.run([sys.executable, "-m", "auditor.cli", *map(str, arguments)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def scan(corpus: Path, folder: Path, *options: str | Path) -> Path:
    """Scan a corpus into `folder`; gives the report."""
    audit("scan", corpus, "--out", folder, "--as-of", AS_OF, "--quiet", *options)
    return folder / "report.html"


def scan_again(scratch: Path) -> Path:
    """Scan an edited copy against a baseline of the run in `scratch`/out; gives the report."""
    copy, baseline = scratch / "sample_corpus", scratch / "baseline.json"
    shutil.copytree(ROOT / "sample_corpus", copy)
    audit("baseline", "write", scratch / "out", "--file", baseline)
    for name, old, new in EDITS:
        path = copy / name
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    (copy / TAKEN_AWAY).unlink()
    return scan(copy, scratch / "again", "--baseline", baseline)


def take(page: webdriver.Chrome, address: str, shot: Shot) -> bytes:
    """The picture, as PNG."""
    command = page.execute_cdp_cmd
    command("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": shot.scheme}]})
    metrics = {"width": shot.width, "height": HEIGHT, "deviceScaleFactor": shot.scale, "mobile": shot.width < 500}
    command("Emulation.setDeviceMetricsOverride", metrics)
    page.get("about:blank")
    page.get(f"{address}#view={shot.view}")
    bottom = page.execute_script("return document.documentElement.scrollHeight")
    command("Emulation.setDeviceMetricsOverride", {**metrics, "height": bottom})  # or the filters would stick half-way down
    x, y, width, height = page.execute_script(shot.area, HEIGHT)
    clip = {"x": x, "y": y, "width": width, "height": height, "scale": 1}
    return base64.b64decode(command("Page.captureScreenshot", {"format": "png", "clip": clip})["data"])


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        report = scan(ROOT / "sample_corpus", Path(scratch) / "out")
        again = scan_again(Path(scratch))
        driver = browser(Path(scratch) / "profile")
        try:
            for shot in (*SHOTS, *RUNS):
                path = IMAGES / shot.name
                path.write_bytes(take(driver, (again if shot in RUNS else report).as_uri(), shot))
                print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} kB")
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
