"""The browser in which the report is tested, measured and pictured."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from urllib3.exceptions import HTTPError

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


class NoBrowser(Exception):
    """Chromium or its driver is missing."""


class Browser(webdriver.Chrome):
    """Chromium without a window, started anew when it hangs while it opens a page.

    On a loaded machine the driver stops answering once in some hundred pages, whatever the page. The page is then opened
    in a new browser, under the same emulation and profile; one that hangs there too fails. Both programs are looked up
    on the path, so that nothing is ever downloaded.
    """

    def __init__(self, profile: Path, flags: Sequence[str] = (), capabilities: Mapping[str, Any] | None = None) -> None:
        """Start it; `flags` and `capabilities` come on top of the usual ones. Raises `NoBrowser`."""
        binary = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        chromedriver = shutil.which("chromedriver")
        if binary is None or chromedriver is None:
            raise NoBrowser("no browser here: install chromium and chromedriver")
        self._binary, self._chromedriver, self._profile = binary, chromedriver, profile
        self._flags, self._capabilities = (*FLAGS, *flags, f"--user-data-dir={profile}"), dict(capabilities or {})
        self._emulated: dict[str, dict[str, Any]] = {}
        self.patience = PATIENCE
        self._start()

    def _start(self) -> None:
        options = Options()
        options.binary_location = self._binary
        for flag in self._flags:
            options.add_argument(flag)
        for name, value in self._capabilities.items():
            options.set_capability(name, value)
        super().__init__(options=options, service=Service(self._chromedriver))
        self.command_executor.client_config.timeout = self.patience + 20
        self.set_page_load_timeout(self.patience)
        self.set_window_size(1280, 900)

    def restart(self) -> None:
        """End browser and driver, answering or not, and start both again."""
        with suppress(FileNotFoundError):
            subprocess.run(["pkill", "-9", "-f", f"user-data-dir={self._profile}"], check=False)
        with suppress(WebDriverException, HTTPError, OSError):
            self.service.stop()
        for lock in self._profile.glob("Singleton*"):
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


def browser(profile: Path) -> Browser:
    """The browser for pictures and measurements. Exits with a line that says what is missing."""
    try:
        return Browser(profile, ["--hide-scrollbars"])
    except NoBrowser as error:
        raise SystemExit(str(error)) from None
