"""What a large report costs a reader: `python benchmarks/report.py [CONFLICTS ...]` (default 10000).

Writes a synthetic report of that many conflicts, three to a fact, opens it from disk in Chromium and prints one line: size of the file,
seconds to write it, milliseconds to the first paint and until the page answers, and what a filter, the first search (which puts the
searched texts together), a later search and each view take until the page is laid out. Medians of several loads; they depend on the
machine. Needs the test extra, and Chromium with its driver.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.support.wait import WebDriverWait

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from auditor.format.files import write_text  # noqa: E402
from auditor.format.html import render_html  # noqa: E402
from scripts.headless import browser  # noqa: E402
from tests.factories import large_result  # noqa: E402

LOADS = 5

# How long an input of the form takes, the layout after it included: name and value of the field.
CHANGE = """
const field = document.querySelector(`.filters [name="${arguments[0]}"]`);
field.value = arguments[1];
const start = performance.now();
field.dispatchEvent(new Event("change", { bubbles: true }));
document.body.offsetHeight;
return performance.now() - start;
"""
VIEW = """
const start = performance.now();
document.querySelector(`.tabs [data-view="${arguments[0]}"]`).click();
document.body.offsetHeight;
return performance.now() - start;
"""
PAINT = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
READY = "return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
COLUMNS = ("conflicts", "MB", "write s", "first paint", "ready", "filter", "first search", "search", "owners", "documents")


def measure(page: webdriver.Chrome, address: str) -> list[float]:
    """Milliseconds of one load, in the order of the columns."""
    page.get("about:blank")
    page.get(address)
    try:
        paint = WebDriverWait(page, 10, poll_frequency=0.05).until(lambda shown: shown.execute_script(PAINT))
    except TimeoutException:
        sys.exit("Chromium reports no paint: is the window hidden?")
    times = [paint, page.execute_script(READY)]
    times.append(page.execute_script(CHANGE, "owner", "team-3@example.org"))
    page.execute_script(CHANGE, "owner", "")
    times.append(page.execute_script(CHANGE, "q", "page-00077 snapshots"))
    times.append(page.execute_script(CHANGE, "q", "page-00123 regions"))
    shown = page.execute_script("return document.querySelector('output').value")
    if not shown.startswith("3 of "):
        sys.exit(f"the search went wrong: {shown}")
    page.execute_script(CHANGE, "q", "")
    times += [page.execute_script(VIEW, "owners"), page.execute_script(VIEW, "documents")]
    return [float(value) for value in times]


def main() -> None:
    parser = argparse.ArgumentParser(description="What a large report costs a reader.")
    parser.add_argument("conflicts", nargs="*", type=int, default=[10_000], help="how many conflicts (default 10000)")
    sizes = parser.parse_args().conflicts
    if min(sizes) < 400:
        parser.error("give at least 400 conflicts: the searches look for facts 77 and 123")
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    with tempfile.TemporaryDirectory() as scratch:
        page = browser(Path(scratch) / "profile")
        try:
            for count in sizes:
                result = large_result(count)
                start = time.perf_counter()
                path = Path(scratch) / f"report-{count}.html"
                write_text(path, render_html(result))
                seconds = time.perf_counter() - start
                loads = [measure(page, path.as_uri()) for _ in range(LOADS)]
                times = [statistics.median(values) for values in zip(*loads, strict=True)]
                cells = [f"{count:,}", f"{path.stat().st_size / 1e6:.1f}", f"{seconds:.1f}", *(f"{ms:.0f} ms" for ms in times)]
                print(f"| {' | '.join(cells)} |", flush=True)
        finally:
            page.quit()


if __name__ == "__main__":
    main()
