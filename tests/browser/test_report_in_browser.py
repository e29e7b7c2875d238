"""The report in a real browser: it opens from disk, asks for nothing, and can be used."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from auditor.model import ScanResult
from tests.factories import empty_result, hostile_result, large_result, realistic_result

pytestmark = pytest.mark.enable_socket  # the browser is driven over a local socket

Show = Callable[..., str]


def run(browser: WebDriver, script: str, *arguments: Any) -> Any:
    return browser.execute_script(script, *arguments)


def shown(browser: WebDriver) -> str:
    return str(run(browser, "return document.querySelector('output').value"))


def wait_for(browser: WebDriver, text: str) -> None:
    WebDriverWait(browser, 20).until(lambda driver: shown(driver) == text, f"{text!r}, but it says {shown(browser)!r}")


def search(browser: WebDriver, text: str) -> None:
    field = browser.find_element(By.NAME, "q")
    field.clear()
    field.send_keys(text)


def toggle(browser: WebDriver, name: str, value: str) -> None:
    browser.find_element(By.CSS_SELECTOR, f"input[name={name}][value={value}]").click()


def pick(browser: WebDriver, name: str, value: str) -> None:
    Select(browser.find_element(By.NAME, name)).select_by_value(value)


def press(browser: WebDriver, *keys: str) -> None:
    ActionChains(browser).send_keys(*keys).perform()


def settle(browser: WebDriver) -> None:
    """Wait until the page is laid out and painted, and has nothing left to do."""
    browser.execute_async_script(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => done())))"
    )


def visible_pairs(browser: WebDriver) -> int:
    return int(run(browser, "return [...document.querySelectorAll('.pair')].filter((p) => p.getClientRects().length).length"))


@pytest.mark.parametrize("make", [realistic_result, empty_result, hostile_result])
def test_it_opens_quietly_and_asks_for_nothing(make: Callable[[], ScanResult], browser: WebDriver, show: Show) -> None:
    address = show(make())
    run(browser, "for (const d of document.querySelectorAll('details')) d.open = true")
    for element in browser.find_elements(By.CSS_SELECTOR, ".side")[:4]:
        ActionChains(browser).move_to_element(element).perform()
    settle(browser)
    with pytest.raises(NoAlertPresentException):
        browser.switch_to.alert.dismiss()
    assert browser.current_url == address
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]  # type: ignore[no-untyped-call]
    urls = {message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"}
    assert urls == {address}


def test_the_policy_would_stop_what_escaping_missed(browser: WebDriver, show: Show) -> None:
    """The second line of defence, tried by putting markup into the open page."""
    show(realistic_result())
    run(
        browser,
        "window.hit = 0; window.stopped = [];"
        "addEventListener('securitypolicyviolation', (e) => window.stopped.push(e.effectiveDirective));"
        "const d = document.createElement('div');"
        "d.innerHTML = '<img src=https://evil.example/x onerror=\"window.hit = 1\"><style>body{display:none}</style>';"
        "document.body.append(d);"
        "const s = document.createElement('script'); s.textContent = 'window.hit = 2'; document.body.append(s);",
    )
    stopped = {"img-src", "style-src-elem", "script-src-attr", "script-src-elem"}
    WebDriverWait(browser, 20).until(lambda driver: stopped <= set(run(driver, "return window.stopped")))
    settle(browser)
    assert run(browser, "return [window.hit, getComputedStyle(document.body).display]") == [0, "block"]
    assert "Content Security Policy" in str(browser.get_log("browser"))  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("make", [realistic_result, hostile_result, empty_result])
def test_it_never_scrolls_sideways(make: Callable[[], ScanResult], width: int, browser: WebDriver, show: Show) -> None:
    show(make(), width=width)
    run(browser, "for (const d of document.querySelectorAll('details')) d.open = true")
    assert run(browser, "return document.documentElement.scrollWidth") <= width


def test_passages_stand_side_by_side_and_below_each_other_on_a_phone(browser: WebDriver, show: Show) -> None:
    script = "return [...document.querySelectorAll('.side')].slice(0, 2).map((e) => e.getBoundingClientRect().top)"
    show(realistic_result())
    a, b = run(browser, script)
    assert a == b
    show(realistic_result(), width=390)
    a, b = run(browser, script)
    assert b > a + 100


def test_filter_by_tier_and_kind(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    assert shown(browser) == "14 of 14 shown"
    toggle(browser, "tier", "high")
    wait_for(browser, "6 of 14 shown")
    toggle(browser, "tier", "advisory")
    wait_for(browser, "5 of 14 shown")
    assert not browser.find_element(By.CSS_SELECTOR, ".advisory").is_displayed()
    pick(browser, "kind", "numeric")
    wait_for(browser, "4 of 14 shown")
    facts = [element for element in browser.find_elements(By.CSS_SELECTOR, ".cluster") if element.is_displayed()]
    assert len(facts) == 3


@pytest.mark.parametrize(
    ("name", "value", "count"),
    [
        ("category", "opinion", 1),
        ("owner", "legal@example.org", 1),
        ("owner", "nobody named", 9),
        ("folder", "faq", 2),
        ("status", "decided", 1),
        ("status", "todo", 13),
        ("status", "recorded", 0),
    ],
)
def test_filter_by_what_can_be_picked(name: str, value: str, count: int, browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    pick(browser, name, value)
    wait_for(browser, f"{count} of 14 shown")


def test_filters_are_kept_in_the_address(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    toggle(browser, "tier", "high")
    pick(browser, "kind", "numeric")
    pick(browser, "sort", "owner")
    search(browser, "plan 42.00")
    wait_for(browser, "1 of 14 shown")
    WebDriverWait(browser, 20).until(
        lambda driver: driver.current_url.endswith("#q=plan+42.00&tier=medium%2Cadvisory&kind=numeric&sort=owner")
    )
    address = browser.current_url
    browser.get("about:blank")
    browser.get(address)
    wait_for(browser, "1 of 14 shown")
    assert browser.find_element(By.NAME, "sort").get_attribute("value") == "owner"
    browser.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
    wait_for(browser, "14 of 14 shown")
    WebDriverWait(browser, 20).until(lambda driver: driver.current_url.endswith("#"))
    assert not browser.find_element(By.CSS_SELECTOR, "button[type=reset]").is_displayed()


def test_search_opens_what_is_folded_and_closes_it_again(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    before = visible_pairs(browser)
    search(browser, "docs/install.md, line 77")
    wait_for(browser, "1 of 14 shown")
    assert visible_pairs(browser) == 1
    search(browser, "watches EACH deployment")
    WebDriverWait(browser, 20).until(
        lambda driver: driver.find_element(By.CSS_SELECTOR, ".advisory").get_attribute("open") is not None
    )
    wait_for(browser, "1 of 14 shown")
    browser.find_element(By.NAME, "q").send_keys(Keys.ESCAPE)
    wait_for(browser, "14 of 14 shown")
    assert visible_pairs(browser) == before


def test_a_search_without_hits_says_so(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    search(browser, "no such words anywhere")
    wait_for(browser, "0 of 14 shown")
    assert browser.find_element(By.CSS_SELECTOR, ".nothing").is_displayed()


def test_hostile_text_can_be_searched(browser: WebDriver, show: Show) -> None:
    result = hostile_result()
    show(result)
    search(browser, "alert('img')")
    wait_for(browser, f"1 of {len(result.conflicts)} shown")


def test_a_link_to_a_folded_pair_shows_it(browser: WebDriver, show: Show) -> None:
    result = realistic_result()
    hint = next(conflict for conflict in result.conflicts if conflict.tier == "advisory")
    show(result, fragment=f"#c-{hint.conflict_id}")
    pair = browser.find_element(By.ID, f"c-{hint.conflict_id}")
    assert pair.is_displayed()
    assert 0 <= run(browser, "return arguments[0].getBoundingClientRect().top", pair) < 900


def test_a_link_to_a_pair_wins_over_the_filters(browser: WebDriver, show: Show) -> None:
    result = realistic_result()
    show(result, fragment="#tier=medium")
    assert shown(browser) == "5 of 14 shown"
    high = next(conflict for conflict in result.conflicts if conflict.tier == "high")
    run(browser, "location.hash = arguments[0]", f"c-{high.conflict_id}")
    wait_for(browser, "14 of 14 shown")
    assert browser.find_element(By.ID, f"c-{high.conflict_id}").is_displayed()


def test_keys(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    press(browser, "/")
    assert run(browser, "return document.activeElement.name") == "q"
    press(browser, "jkj")
    assert run(browser, "return document.activeElement.value") == "jkj"
    press(browser, Keys.ESCAPE)
    wait_for(browser, "14 of 14 shown")
    order = run(browser, "return [...document.querySelectorAll('.pair')].map((pair) => pair.id)")
    for key, expected in (("j", 0), ("j", 1), ("j", 2), ("k", 1)):
        press(browser, key)
        assert run(browser, "return document.activeElement.id") == order[expected]
    top = run(browser, "return document.activeElement.getBoundingClientRect().top")
    bar = run(browser, "return document.querySelector('.filters').getBoundingClientRect().bottom")
    assert bar <= top < 450
    for key, expected in ((Keys.ARROW_RIGHT, 2), (Keys.ARROW_DOWN, 3), (Keys.ARROW_UP, 2), (Keys.ARROW_LEFT, 1)):
        press(browser, key)
        assert run(browser, "return document.activeElement.id") == order[expected]


def test_the_question_mark_lists_the_keys(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    press(browser, "?")
    dialog = browser.find_element(By.CSS_SELECTOR, "dialog.keys")
    assert dialog.is_displayed()
    press(browser, "j")  # behind the dialog nothing moves
    assert run(browser, "return document.activeElement.closest('dialog') !== null")
    press(browser, Keys.ESCAPE)
    assert not dialog.is_displayed()


def test_the_next_key_builds_what_is_not_there_yet(browser: WebDriver, show: Show) -> None:
    show(large_result(600))
    built = int(run(browser, "return document.querySelectorAll('.pair').length"))
    assert built < 300
    run(browser, "[...document.querySelectorAll('.pair')].at(-1).focus()")
    last = run(browser, "return document.activeElement.id")
    press(browser, "j")
    after = run(browser, "return document.activeElement.id")
    assert after.startswith("c-")
    assert after != last


def test_everything_can_be_reached_with_the_tab_key(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    reached = []
    for _ in range(60):
        press(browser, Keys.TAB)
        reached.append(run(browser, "const e = document.activeElement; return e.className || e.name || e.tagName.toLowerCase()"))
    assert reached[0] == "skip"
    assert {"q", "tier", "kind", "sort", "fine id", "summary"} <= set(reached)
    assert any(name.startswith("r-") for name in reached) or "" in reached


def test_paper_shows_everything(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    run(
        browser,
        "addEventListener('beforeprint', () => {"
        " window.closed = document.querySelectorAll('details:not([open])').length;"
        " window.printed = new Set([...document.querySelectorAll('.pair')].map((pair) => pair.id)).size; });"
        "window.before = document.querySelectorAll('details:not([open])').length",
    )
    browser.execute_cdp_cmd("Page.printToPDF", {})
    assert run(browser, "return window.before") > 5
    assert run(browser, "return [window.closed, window.printed]") == [0, 14]
    WebDriverWait(browser, 20).until(
        lambda driver: run(driver, "return document.querySelectorAll('details:not([open])').length >= window.before")
    )
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        for name in ("q", "reviewer"):
            assert not browser.find_element(By.NAME, name).is_displayed()
        assert visible_pairs(browser) == 14
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


CONTRAST = """
const channel = (c) => { c /= 255; return c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4 };
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
const colour = (e) => parse(getComputedStyle(e).backgroundColor);
const ground = (e) => { while (colour(e)[3] === 0) e = e.parentElement; return colour(e) };
const poor = new Set();
for (const details of document.querySelectorAll("details")) details.open = true;
for (const e of document.querySelectorAll("body *")) {
  if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.getClientRects().length) continue;
  const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
  const ratio = (a + .05) / (b + .05);
  if (ratio < 4.5) poor.add(`${e.tagName}.${e.className} ${ratio.toFixed(2)}`);
}
return [...poor];
"""


@pytest.mark.parametrize("view", ["facts", "owners", "documents", "unread"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(scheme: str, view: str, browser: WebDriver, show: Show) -> None:
    show(realistic_result(), scheme=scheme, fragment=f"#view={view}")
    run(browser, "document.querySelector('.unfold')?.click(); document.querySelector('.pair input[type=radio]')?.click()")
    assert run(browser, "return matchMedia('(prefers-color-scheme: dark)').matches") == (scheme == "dark")
    assert run(browser, CONTRAST) == []


def test_some_thousand_conflicts_stay_quick(browser: WebDriver, show: Show) -> None:
    """Bounds are generous: this is to notice an accident, not to measure."""
    show(large_result(3000))
    paint = run(browser, "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    assert paint < 5000
    script = (
        "const q = document.querySelector('[name=q]'); q.value = arguments[0]; const t = performance.now();"
        "q.dispatchEvent(new Event('change', { bubbles: true })); document.body.offsetHeight; return performance.now() - t"
    )
    assert run(browser, script, "page-00077 snapshots") < 3000
    assert shown(browser) == "3 of 3,000 shown"
    assert run(browser, script, "") < 3000
