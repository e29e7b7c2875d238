"""Deciding in the report: every choice, what the browser keeps, export and import."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import presence_of_element_located
from selenium.webdriver.support.ui import WebDriverWait
from typer.testing import CliRunner, Result

from auditor.cli import app
from auditor.model import ScanResult
from auditor.review.decisions import read_decisions
from auditor.review.exported import read_exported
from auditor.run_reader import read_result
from tests.factories import hostile_result, realistic_result

pytestmark = pytest.mark.enable_socket  # the browser is driven over a local socket

Show = Callable[..., str]
CHOICES = ("accept_a", "accept_b", "both_with_condition", "neither", "request_fresher", "not_a_contradiction")

TEXTS = {
    "policies/returns.md": "# Returns policy\n\nGoods may be returned within 30 days of delivery.\n",
    "faq/returns.md": "# Returns FAQ\n\nReturn goods within 14 days of delivery.\n",
    "api/limits.md": "# API limits\n\nEach API key may send 100 requests per minute.\n",
    "api/guide.md": "# API guide\n\nEach API key may send 500 requests per minute.\n",
    "ops/backup.md": "# Backup plan\n\nBackups of the database are kept for 90 days.\n",
    "ops/runbook.md": "# Backup runbook\n\nBackups of the database are kept for 30 days.\n",
    "hr/leave.md": "# Leave policy\n\nEvery employee is entitled to 28 days of annual leave.\n",
    "hr/welcome.md": "# Welcome to the company\n\nEvery employee is entitled to 25 days of annual leave.\n",
    "finance/annual.md": "# Annual report\n\nRevenue in fiscal 2024 was $6.8 million.\n",
    "finance/memo.md": "# Board memo\n\nRevenue in fiscal 2024 was $4.2 million.\n",
    "it/gateway.md": "# Device gateway\n\nThe device gateway listens on port 9443.\n",
    "it/setup.md": "# Gateway setup\n\nThe device gateway listens on port 8443.\n",
}
"""Six facts with two values each."""


@pytest.fixture
def review(browser: WebDriver, show: Show) -> Callable[..., str]:
    """Open a report in a browser that remembers nothing."""

    def opened(result: ScanResult, **options: Any) -> str:
        show(result, **options)
        browser.execute_script("localStorage.clear()")
        return show(result, **options)

    return opened


def pairs(browser: WebDriver) -> list[WebElement]:
    return browser.find_elements(By.CSS_SELECTOR, "#facts > .list .pair")


def choose(browser: WebDriver, pair: WebElement, choice: str, said: str = "") -> None:
    browser.execute_script("arguments[0].click()", pair.find_element(By.CSS_SELECTOR, f"input[value={choice}]"))
    if said:
        pair.find_element(By.CSS_SELECTOR, ".said input").send_keys(said)


def name(browser: WebDriver, reviewer: str) -> None:
    field = browser.find_element(By.NAME, "reviewer")
    field.clear()
    field.send_keys(reviewer)
    browser.execute_script("arguments[0].blur()", field)


def notice(browser: WebDriver) -> str:
    return browser.find_element(By.CSS_SELECTOR, ".notice").text


def progress(browser: WebDriver) -> str:
    return browser.find_element(By.CSS_SELECTOR, ".progress").text


def exported(browser: WebDriver, folder: Path) -> Path:
    """Press the button and wait for the file."""
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    browser.find_element(By.CSS_SELECTOR, ".desk button[type=submit]").click()
    path = folder / "decisions.json"
    WebDriverWait(browser, 20).until(lambda _: path.exists() and path.stat().st_size)
    return path


def test_each_choice_is_recorded_and_exported(browser: WebDriver, review: Show, tmp_path: Path) -> None:
    result = realistic_result()
    review(result)
    name(browser, "j.doe@example.org")
    for pair, choice in zip(pairs(browser), CHOICES, strict=False):
        choose(browser, pair, choice, f"because of {choice}")
    assert progress(browser).startswith("6 recorded")
    ids = [pair.get_attribute("id") for pair in pairs(browser)]
    path = exported(browser, tmp_path / "down")
    assert notice(browser) == "6 decisions exported. Next: audit review apply decisions.json."
    content = json.loads(path.read_text(encoding="utf-8"))
    assert (content["schema"], content["corpus"]) == (1, "handbook")
    hashes = {c.conflict_id: c.content_hash for c in result.conflicts}
    found = {entry["conflict_id"]: entry for entry in content["decisions"]}
    assert list(found) == sorted(found)
    for pair_id, choice in zip(ids, CHOICES, strict=False):
        entry = found[str(pair_id)[2:]]
        assert (entry["choice"], entry["reviewer"]) == (choice, "j.doe@example.org")
        assert entry["content_hash"] == hashes[entry["conflict_id"]]
        said = f"because of {choice}"
        assert (entry["condition"], entry["reason"]) == ((said, None) if choice == "both_with_condition" else (None, said))
    assert len(read_exported(path).decisions) == 6  # `audit review apply` takes it


def test_a_choice_that_needs_words_waits_for_them(browser: WebDriver, review: Show, tmp_path: Path) -> None:
    review(realistic_result())
    name(browser, "j.doe")
    first, second = pairs(browser)[:2]
    choose(browser, first, "both_with_condition")
    assert "needs its text" in first.text
    choose(browser, second, "accept_a")
    content = json.loads(exported(browser, tmp_path / "down").read_text())
    assert [entry["choice"] for entry in content["decisions"]] == ["accept_a"]
    assert "1 choice lacks its text and was left out" in notice(browser)


def test_nobody_and_nothing_are_not_exported(browser: WebDriver, review: Show) -> None:
    review(realistic_result())
    browser.find_element(By.CSS_SELECTOR, ".desk button[type=submit]").click()
    assert "nothing to export" in notice(browser)
    choose(browser, pairs(browser)[0], "neither")
    browser.find_element(By.CSS_SELECTOR, ".desk button[type=submit]").click()
    assert "enter a name" in notice(browser)
    assert browser.switch_to.active_element.get_attribute("name") == "reviewer"


def test_choices_outlive_the_page_but_not_a_changed_finding(browser: WebDriver, review: Show, show: Show) -> None:
    result = realistic_result()
    review(result)
    name(browser, "j.doe")
    choose(browser, pairs(browser)[0], "accept_b")
    choose(browser, pairs(browser)[1], "neither")
    changed = str(pairs(browser)[1].get_attribute("id"))[2:]
    show(result)
    assert progress(browser).startswith("2 recorded")
    assert pairs(browser)[0].find_element(By.CSS_SELECTOR, "input[value=accept_b]").is_selected()
    assert browser.find_element(By.NAME, "reviewer").get_attribute("value") == "j.doe"

    conflicts = tuple(replace(c, content_hash="other") if c.conflict_id == changed else c for c in result.conflicts)
    show(replace(result, conflicts=conflicts))
    assert progress(browser).startswith("1 recorded")
    show(result)
    assert progress(browser).startswith("2 recorded")  # set aside, not thrown away


def test_keys_choose_and_take_back(browser: WebDriver, review: Show) -> None:
    review(realistic_result())
    ActionChains(browser).send_keys("j", "2").perform()
    first = pairs(browser)[0]
    assert first.find_element(By.CSS_SELECTOR, "input[value=accept_b]").is_selected()
    ActionChains(browser).send_keys("0").perform()
    assert not first.find_elements(By.CSS_SELECTOR, "input[type=radio]:checked")
    ActionChains(browser).send_keys("6", "0 of 3").perform()  # the text field has the focus: digits are text
    assert first.find_element(By.CSS_SELECTOR, ".said input").get_attribute("value") == "0 of 3"
    first.find_element(By.CSS_SELECTOR, ".back").click()
    assert progress(browser).startswith("0 recorded")


def test_recorded_findings_can_be_filtered(browser: WebDriver, review: Show, show: Show) -> None:
    review(realistic_result())
    choose(browser, pairs(browser)[0], "accept_a")
    show(realistic_result(), fragment="#status=recorded")
    assert browser.find_element(By.TAG_NAME, "output").text == "1 of 14 shown"


def test_a_file_is_imported_as_far_as_it_fits(browser: WebDriver, review: Show, tmp_path: Path) -> None:
    result = realistic_result()
    review(result)
    first, second = (str(pair.get_attribute("id"))[2:] for pair in pairs(browser)[:2])
    hashes = {c.conflict_id: c.content_hash for c in result.conflicts}
    entry = {"choice": "accept_a", "condition": None, "reason": None, "reviewer": "a", "decided_at": "2025-06-01T10:00:00Z"}
    decisions = [
        {**entry, "conflict_id": first, "content_hash": hashes[first]},
        {**entry, "conflict_id": second, "content_hash": "older"},
        {**entry, "conflict_id": "nowhere", "content_hash": "x"},
        {**entry, "conflict_id": first, "content_hash": "x", "choice": "<img>"},
        None,
    ]
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps({"schema": 1, "corpus": "other", "decisions": decisions}))
    browser.find_element(By.NAME, "import").send_keys(str(path))
    WebDriverWait(browser, 20).until(lambda driver: "imported" in notice(driver))
    assert notice(browser) == (
        "1 choice imported. 1 fits no finding of this report. 1 was made when the documents said something else. "
        "2 are no valid decision. The file was made for “other”."
    )
    assert pairs(browser)[0].find_element(By.CSS_SELECTOR, "input[value=accept_a]").is_selected()


@pytest.mark.parametrize("content", ["not json", "[]", '{"schema": 2, "decisions": []}', "null", '{"schema": 1, "decisions": {}}'])
def test_a_file_that_is_no_export_is_refused(content: str, browser: WebDriver, review: Show, tmp_path: Path) -> None:
    review(realistic_result())
    path = tmp_path / "wrong.json"
    path.write_text(content)
    browser.find_element(By.NAME, "import").send_keys(str(path))
    WebDriverWait(browser, 20).until(lambda driver: "Choose a decisions.json" in notice(driver))
    assert progress(browser).startswith("0 recorded")


def test_a_browser_that_keeps_nothing_says_so_and_still_works(browser: WebDriver, show: Show, tmp_path: Path) -> None:
    refuse = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })"
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": refuse})
    try:
        show(realistic_result())
        assert "does not keep choices" in notice(browser)
        name(browser, "j.doe")
        choose(browser, pairs(browser)[0], "accept_a")
        assert len(json.loads(exported(browser, tmp_path / "down").read_text())["decisions"]) == 1
        assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def test_what_storage_holds_cannot_harm(browser: WebDriver, review: Show, show: Show) -> None:
    result = realistic_result()
    review(result)
    for stored in ("{", "[]", "null", '{"choices": {"x": null, "y": {"choice": 3}}, "reviewer": {}}'):
        browser.execute_script("localStorage.setItem('corpus-auditor/1/handbook', arguments[0])", stored)
        show(result)
        assert progress(browser).startswith("0 recorded")
        assert notice(browser) == ""
        assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_hostile_findings_can_be_decided(browser: WebDriver, review: Show, tmp_path: Path) -> None:
    result = hostile_result()
    review(result)
    name(browser, "<script>alert(1)</script>")
    for pair in pairs(browser)[:5]:
        choose(browser, pair, "not_a_contradiction", "</script><img src=x onerror=alert(1)>")
    content = read_exported(exported(browser, tmp_path / "down"))
    assert len(content.decisions) == 5
    assert {entry.reviewer for entry in content.decisions} == {"<script>alert(1)</script>"}
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


# -- the whole way round -----------------------------------------------------------------------------------------------------------


def audit(*arguments: str | Path) -> Result:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done


def visit(browser: WebDriver, report: Path, fragment: str = "") -> None:
    """Open a report in a browser that remembers nothing, as a colleague's would."""
    for _ in range(2):
        browser.get("about:blank")
        browser.get(report.as_uri() + fragment)
        browser.execute_script("localStorage.clear()")


def test_what_is_decided_in_the_browser_is_carried_by_the_next_scan(browser: WebDriver, show: Show, tmp_path: Path) -> None:
    corpus, out = tmp_path / "handbook", tmp_path / "audit-out"
    for path, content in TEXTS.items():
        (corpus / path).parent.mkdir(parents=True, exist_ok=True)
        (corpus / path).write_text(content, encoding="utf-8")
    scan = ("scan", corpus, "--out", out, "--as-of", "2026-01-31")
    audit(*scan)
    before = {c.conflict_id: c for c in read_result(out).conflicts}
    assert len(before) == len(CHOICES)

    show(realistic_result())  # a window of the usual size
    visit(browser, out / "report.html")
    browser.execute_script("for (const hints of document.querySelectorAll('details.advisory')) hints.open = true")
    name(browser, "j.doe@example.org")
    made: dict[str, str] = {}
    for pair, choice in zip(browser.find_elements(By.CSS_SELECTOR, "#facts .pair"), CHOICES, strict=True):
        choose(browser, pair, choice, f"because of {choice}")
        made[str(pair.get_attribute("id"))[2:]] = choice
    assert made.keys() == before.keys()
    export = exported(browser, tmp_path / "down")

    assert "6 new" in audit("review", "apply", export, "--run", out, "--corpus", corpus).stdout
    assert {d.conflict_id: d.choice.value for d in read_decisions(corpus / "audit-decisions.toml")} == made

    audit(*scan, "--fail-on", "medium")  # nothing is left to do
    for conflict in read_result(out).conflicts:
        choice = made[conflict.conflict_id]
        assert conflict.status == ("dismissed" if choice == "not_a_contradiction" else "decided")
        assert (conflict.reviewer, conflict.reviewer_decision) == ("j.doe@example.org", choice)
        assert conflict.condition == (f"because of {choice}" if choice == "both_with_condition" else None)
        assert conflict.decided_at is not None
        assert conflict.content_hash == before[conflict.conflict_id].content_hash

    visit(browser, out / "report.html")
    assert progress(browser).startswith("0 recorded")
    for conflict_id in made:
        browser.execute_script("location.hash = arguments[0]", f"c-{conflict_id}")
        pair = WebDriverWait(browser, 20).until(presence_of_element_located((By.ID, f"c-{conflict_id}")))
        assert "by j.doe@example.org on " in pair.text
    visit(browser, out / "report.html", "#status=decided")
    assert browser.find_element(By.TAG_NAME, "output").text == "5 of 6 shown"
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
