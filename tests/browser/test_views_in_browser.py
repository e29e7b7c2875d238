"""Views beside the facts: owners, pairs of documents, what was not read; and the page without its script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from auditor.format.files import write_text
from auditor.format.html import FIRST_FACTS, render_html
from tests.factories import copies_result, hostile_result, large_result, realistic_result

pytestmark = pytest.mark.enable_socket  # the browser is driven over a local socket

Show = Callable[..., str]


def texts(browser: WebDriver, selector: str) -> list[str]:
    return [" ".join(element.text.split()) for element in browser.find_elements(By.CSS_SELECTOR, selector)]


def click(browser: WebDriver, element: WebElement) -> None:
    """Click in the middle of the window: at its edges stand the bars."""
    browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", element)
    element.click()


def tab(browser: WebDriver, name: str) -> None:
    browser.find_element(By.CSS_SELECTOR, f".tabs [data-view={name}]").click()
    assert browser.find_element(By.CSS_SELECTOR, ".tabs [aria-current]").get_attribute("data-view") == name
    assert [e.get_attribute("id") for e in browser.find_elements(By.CSS_SELECTOR, ".view") if e.is_displayed()] == [name]


def test_facts_sorted_by_owner_stand_under_their_names(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    Select(browser.find_element(By.NAME, "sort")).select_by_value("owner")
    groups = [text.rsplit(" ", 2)[0] for text in texts(browser, ".group")]
    assert groups == [*sorted(groups[:-1]), "nobody named"]
    assert len(groups) == len(set(groups)) > 3


def test_oldest_documents_first_and_undated_last(browser: WebDriver, show: Show) -> None:
    show(realistic_result(), fragment="#sort=oldest")
    first = browser.find_elements(By.CSS_SELECTOR, "#facts > .list > .cluster")
    assert "2023-02-14" in first[0].text
    assert "undated" in first[-1].text


def test_an_owner_unfolds_to_a_worklist_that_leads_to_the_findings(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    tab(browser, "owners")
    rows = {text.split()[0]: text for text in texts(browser, "tr.owner")}
    assert rows["sales@example.org"] == "sales@example.org 2 1 0 1 0"
    assert rows["legal@example.org"] == "legal@example.org 1 0 0 0 1"
    button = next(b for b in browser.find_elements(By.CSS_SELECTOR, ".unfold") if b.text == "sales@example.org")
    click(browser, button)
    assert button.get_attribute("aria-expanded") == "true"
    assert any(
        "Change $4.2 million to $6.8 million in sales/board-update-q4.md, line 33" in text
        for text in texts(browser, ".worklist li")
    )
    click(browser, browser.find_element(By.CSS_SELECTOR, ".worklist a"))
    WebDriverWait(browser, 20).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "#facts:not([hidden])"))
    assert browser.execute_script("return document.activeElement.id") == browser.current_url.split("#")[1]


def test_owners_can_be_sorted(browser: WebDriver, show: Show) -> None:
    show(realistic_result(), fragment="#view=owners")
    names = texts(browser, ".unfold")
    assert names[0] == "nobody named"  # most to do
    for expected in (sorted(names), sorted(names, reverse=True)):
        click(browser, browser.find_element(By.CSS_SELECTOR, "#owners thead button"))
        assert texts(browser, ".unfold") == expected
    assert browser.find_element(By.CSS_SELECTOR, "#owners th").get_attribute("aria-sort") == "descending"


def test_a_pair_of_documents_leads_to_its_findings(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    tab(browser, "documents")
    row = next(e for e in browser.find_elements(By.CSS_SELECTOR, ".worst li") if "policies/returns.md" in e.text)
    assert "1 high" in row.text
    click(browser, row.find_element(By.TAG_NAME, "a"))
    WebDriverWait(browser, 20).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "#facts:not([hidden])"))
    assert texts(browser, "output, .between") == ["between faq/orders.md and policies/returns.md", "1 of 14 shown"]


def test_filters_hold_in_every_view(browser: WebDriver, show: Show) -> None:
    show(realistic_result(), fragment="#folder=faq")
    tab(browser, "documents")
    assert all("faq/" in text for text in texts(browser, ".worst li"))
    assert browser.current_url.endswith("#view=documents&folder=faq")


def test_a_bar_of_a_chart_filters(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    browser.find_element(By.LINK_TEXT, "faq").click()
    WebDriverWait(browser, 20).until(lambda driver: texts(driver, "output") == ["2 of 14 shown"])


def test_what_was_not_read_is_told_with_the_reasons(browser: WebDriver, show: Show) -> None:
    show(realistic_result())
    tab(browser, "unread")
    assert "What could not be read (3)" in texts(browser, "#unread h2")
    assert "no text: the pages are pictures 1 file" in texts(browser, "#unread h3")
    assert not browser.find_element(By.NAME, "q").is_displayed()


def test_a_copy_leads_to_its_differences_and_a_difference_to_its_passages(browser: WebDriver, show: Show) -> None:
    show(copies_result())
    tab(browser, "copies")
    assert not browser.find_element(By.NAME, "q").is_displayed()
    assert "90 % the same, numbers aside; 3 differences" in texts(browser, "#copies li p")
    click(browser, browser.find_element(By.LINK_TEXT, "3 differences"))
    WebDriverWait(browser, 20).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "#facts:not([hidden])"))
    assert texts(browser, "#fact-1 > h2") == ["Leave policy and its copies — 3 differences in 3 documents"]
    assert texts(browser, "#fact-1 .differences th[scope=row]") == ["Carry over", "Parental leave", "Notice"]
    assert "10 days suggested newest" in texts(browser, "#fact-1 .differences b")
    click(browser, browser.find_element(By.LINK_TEXT, "Notice"))
    wanted = copies_result().conflicts[2].conflict_id
    WebDriverWait(browser, 20).until(lambda driver: driver.switch_to.active_element.get_attribute("id") == f"c-{wanted}")
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_the_script_builds_the_cluster_of_copies_as_the_page_does(browser: WebDriver, show: Show) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show(copies_result())
        WebDriverWait(browser, 20).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "footer.glossary"))
        written = texts(browser, "#fact-1 > h2, #fact-1 > .intro, #fact-1 > table td, #fact-1 > table th, #fact-1 summary")
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    show(copies_result())
    assert browser.find_element(By.NAME, "q").is_displayed()
    built = texts(browser, "#fact-1 > h2, #fact-1 > .intro, #fact-1 > table td, #fact-1 > table th, #fact-1 summary")
    assert len(written) > 8
    assert built == written


def test_differences_and_notes_of_copies_can_be_searched(browser: WebDriver, show: Show) -> None:
    show(copies_result(), fragment="#q=10+days")
    assert texts(browser, "output") == ["3 of 4 shown"]
    assert len(texts(browser, "#fact-1 .differences tr")) == 4  # with its head


def test_what_was_read_in_part_stands_beside_what_was_not(browser: WebDriver, show: Show) -> None:
    show(copies_result())
    tab(browser, "unread")
    assert "Read in part (2)" in texts(browser, "#unread h2")
    assert "prices.xlsx 1 hidden sheet left out 2 formulas have no stored result" in texts(browser, "#unread .partial li")


@pytest.mark.parametrize("view", ["facts", "owners", "documents", "copies", "unread"])
@pytest.mark.parametrize("width", [360, 1280])
def test_no_view_scrolls_sideways(width: int, view: str, browser: WebDriver, show: Show) -> None:
    show(hostile_result(), width=width, fragment=f"#view={view}")
    browser.execute_script("for (const b of document.querySelectorAll('.unfold')) b.click()")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_only_what_is_near_is_built(browser: WebDriver, show: Show) -> None:
    show(large_result(900))
    count = "return document.querySelectorAll('.pair').length"
    assert browser.execute_script(count) < 300
    browser.execute_script("document.querySelector('#facts > .list > .next').click()")
    more = browser.execute_script(count)
    browser.execute_script("document.querySelector('.glossary').scrollIntoView()")
    WebDriverWait(browser, 20).until(lambda driver: driver.execute_script(count) > more)


def test_without_a_script_the_page_reads(browser: WebDriver, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_text(path, render_html(large_result(300)))
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(path.as_uri())
        facts = (By.CSS_SELECTOR, "#facts > .list > .cluster")  # the driver cannot see when a page without scripts is complete
        WebDriverWait(browser, 20).until(lambda driver: sum(e.is_displayed() for e in driver.find_elements(*facts)) == FIRST_FACTS)
        assert len(browser.find_elements(By.CSS_SELECTOR, "noscript .others li")) == 50
        assert not browser.find_element(By.NAME, "q").is_displayed()
        assert not browser.find_element(By.NAME, "reviewer").is_displayed()
        assert browser.find_element(By.CSS_SELECTOR, "#owners .figures").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
