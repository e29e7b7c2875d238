"""A real browser for the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver

from auditor.format.files import write_text
from auditor.format.html import render_html
from auditor.model import ScanResult
from scripts.headless import Browser, NoBrowser

REPORTED = {"goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}, "unhandledPromptBehavior": "ignore"}


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    """Chromium without a window, or the test is skipped."""
    try:
        driver = Browser(tmp_path_factory.mktemp("profile"), capabilities=REPORTED)
    except NoBrowser as missing:
        pytest.skip(f"{missing}, to test the report in one")
    yield driver
    driver.quit()


@pytest.fixture
def show(browser: WebDriver, tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Open the report of a result from disk, at a width and in a colour scheme; gives its address."""

    def open_report(result: ScanResult, *, width: int = 1280, scheme: str = "light", fragment: str = "") -> str:
        path = tmp_path / "report.html"
        write_text(path, render_html(result))
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        browser.get("about:blank")
        browser.get_log("browser")  # type: ignore[no-untyped-call]
        browser.get_log("performance")  # type: ignore[no-untyped-call]
        browser.get(path.as_uri() + fragment)
        return path.as_uri()

    yield open_report
    browser.get("about:blank")
