"""The browser of these tests is started anew when it hangs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.webdriver import WebDriver

pytestmark = pytest.mark.enable_socket  # the browser is driven over a local socket


def test_a_page_that_hangs_twice_fails_and_the_next_one_opens_as_before(browser: WebDriver, tmp_path: Path) -> None:
    hangs, plain = tmp_path / "hangs.html", tmp_path / "plain.html"
    hangs.write_text("<title>hangs</title><script>for (;;);</script>")
    plain.write_text("<title>plain</title>")
    narrow = {"width": 431, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", narrow)
    restartable: Any = browser
    usual, restartable.patience = restartable.patience, 2.0
    try:
        browser.set_page_load_timeout(2)
        first = browser.session_id
        with pytest.raises(TimeoutException):
            browser.get(hangs.as_uri())
        assert browser.session_id != first
    finally:
        restartable.patience = usual
        restartable.restart()
    browser.get(plain.as_uri())
    assert browser.title == "plain"
    assert browser.execute_script("return innerWidth") == 431
