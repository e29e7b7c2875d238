"""A real browser for the report."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.chrome.webdriver import WebDriver
from urllib3.exceptions import HTTPError

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


PATIENCE = 60.0
"""Seconds for one command of the driver. A page opens in one or two."""


class Browser(webdriver.Chrome):
    """Chromium without a window, started anew when it hangs while it opens a page.

    On a loaded machine the driver stops answering once in some hundred pages, whatever the page. The page is then opened
    in a new browser, under the same emulation and profile; one that hangs there too fails its test.
    """

    def __init__(self, chromium: str, chromedriver: str, profile: Path) -> None:
        self._programs = chromium, chromedriver, profile
        self._emulated: dict[str, dict[str, Any]] = {}
        self.patience = PATIENCE
        self._start()

    def _start(self) -> None:
        chromium, chromedriver, profile = self._programs
        options = Options()
        options.binary_location = chromium
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.set_capability("unhandledPromptBehavior", "ignore")
        super().__init__(options=options, service=Service(chromedriver))
        self.command_executor.client_config.timeout = self.patience + 20
        self.set_page_load_timeout(self.patience)
        self.set_window_size(1280, 900)

    def restart(self) -> None:
        """End browser and driver, answering or not, and start both again."""
        with suppress(FileNotFoundError):
            subprocess.run(["pkill", "-9", "-f", f"user-data-dir={self._programs[2]}"], check=False)
        with suppress(WebDriverException, HTTPError, OSError):
            self.service.stop()
        for lock in self._programs[2].glob("Singleton*"):
            lock.unlink(missing_ok=True)
        self._start()
        for command, parameters in self._emulated.items():
            self.execute_cdp_cmd(command, parameters)

    def execute_cdp_cmd(self, cmd: str, cmd_args: dict[str, Any]) -> dict[str, Any]:
        if cmd.startswith("Emulation."):
            self._emulated[cmd] = cmd_args
        return super().execute_cdp_cmd(cmd, cmd_args)

    def get(self, url: str) -> None:
        try:
            super().get(url)
        except (TimeoutException, HTTPError):
            self.restart()
            super().get(url)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    """Chromium without a window. Both programs are looked up here, so that nothing is ever downloaded."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    chromedriver = shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip("no browser here: install chromium and chromedriver to test the report in one")
    driver = Browser(chromium, chromedriver, tmp_path_factory.mktemp("profile"))
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
