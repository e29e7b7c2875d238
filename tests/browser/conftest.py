"""A real browser for the report."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.chrome.webdriver import WebDriver

from auditor.format.files import write_text
from auditor.format.html import render_html
from auditor.model import ScanResult

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    """Chromium without a window. Both programs are looked up here, so that nothing is ever downloaded."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    chromedriver = shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip("no browser here: install chromium and chromedriver to test the report in one")
    options = Options()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.set_capability("unhandledPromptBehavior", "ignore")
    driver = webdriver.Chrome(options=options, service=Service(chromedriver))
    driver.set_window_size(1280, 900)
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
