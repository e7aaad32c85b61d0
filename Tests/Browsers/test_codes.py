"""One-time codes under the field: suggested by account and site, and filled into one field or into boxes."""

from pathlib import Path

import pytest
from page import Page
from support import FakeHost, until

CODE = "document.getElementById('code')"
FORM = """<form><label>Code from your authenticator app
    <input id=code autocomplete=one-time-code inputmode=numeric></label><button>Go on</button></form>"""
BOXES = """<form><h1>Enter the code</h1>{}<button>Go on</button></form>""".format(
    "".join(
        f"<input id={'code' if n == 0 else f'code-{n}'} autocomplete=one-time-code maxlength=1 size=3>"
        for n in range(6)
    )
)
# Which fields the page's own script heard of, in order, as a page with boxes listens.
LISTEN = "void (window.heard = [], document.oninput = (event) => heard.push(event.target.id + event.target.value))"
PASTE = """void (document.onpaste = (event) => {
    event.preventDefault();
    const text = event.clipboardData.getData('text/plain');
    [...document.querySelectorAll('input')].forEach((box, n) => { box.value = text[n] ?? ''; });
})"""


def account(page: Page, user: str, code: str | None) -> dict:
    return {"origin": page.url, "username": user, "user": user, "password": "x"} | (
        {"oneTimeCode": code} if code else {}
    )


@pytest.fixture
def coded(page: Page, host: FakeHost) -> Page:
    host.accounts([account(page, "ada", "123456"), account(page, "bob", "654321"), account(page, "eve", None)])
    host.lists("oneTimeCode", picked={"code": "999999"})
    page.open("/empty")
    return page


def show(page: Page, form: str) -> None:
    page.browser.evaluate(f"void (document.body.innerHTML = `{form}`)")
    page.browser.evaluate(LISTEN)
    page.click(CODE)


def boxes(page: Page) -> list[str]:
    return [page.value(CODE)] + [page.value(f"document.getElementById('code-{n}')") for n in range(1, 6)]


def test_a_code_is_chosen_under_the_field_by_keyboard(coded: Page, host: FakeHost, pictures: Path) -> None:
    show(coded, FORM)
    assert coded.wait_for_menu() == ["ada", "bob"]
    assert coded.lists() == ["All one-time codes in Example…"]
    coded.browser.screenshot(pictures / f"{coded.browser.name}-codes.png")
    coded.press("ArrowDown", "ArrowDown", "Enter", after_ms=600)
    assert until(lambda: coded.value(CODE)) == "654321"
    assert [request["params"]["codes"] for request in host.requests("suggest")] == [True]
    (request,) = host.requests("fill")
    assert (request["params"]["handle"], request["params"]["fields"]) == ("code 1", ["oneTimeCode"])


def seconds(text: str) -> int:
    assert text.endswith("s"), text
    return int(text[:-1])


def test_the_menu_counts_down_and_begins_again_without_the_code(coded: Page, host: FakeHost) -> None:
    host.accounts([account(coded, "ada", "123456") | {"period": 4}, account(coded, "bob", "654321")])
    show(coded, FORM)
    assert coded.wait_for_menu() == ["ada", "bob"]
    # A code by counter, or one of which nobody knows how long it is good for, has no time.
    assert len(coded.times()) == 1
    shown: set[int] = set()
    until(lambda: shown.add(seconds(coded.times()[0])) or shown >= {1, 2, 3, 4})
    assert shown == {1, 2, 3, 4}
    assert "123456" not in str(coded.browser.tree("document.querySelector(':root')"))
    # What is read out says it once, when it is selected, and not with the seconds.
    coded.press("ArrowDown")
    said = until(lambda: "left" in coded.spoken() and coded.spoken())
    before = coded.times()
    until(lambda: coded.times() != before)
    assert coded.spoken() == said
    coded.click_first_entry(CODE)
    assert until(lambda: coded.value(CODE)) == "123456"


def test_each_box_gets_a_character(coded: Page) -> None:
    show(coded, BOXES)
    assert coded.wait_for_menu() == ["ada", "bob"]
    coded.click_first_entry(CODE)
    until(lambda: coded.value("document.getElementById('code-5')"))
    assert boxes(coded) == list("123456")
    heard = coded.browser.evaluate("heard.join(' ')")
    assert heard == "code1 code-12 code-23 code-34 code-45 code-56"


def test_a_code_of_another_length_is_pasted(coded: Page, host: FakeHost) -> None:
    host.accounts([account(coded, "ada", "12345678")])
    show(coded, BOXES)
    coded.browser.evaluate(PASTE)
    coded.wait_for_menu()
    coded.click_first_entry(CODE)
    until(lambda: coded.value("document.getElementById('code-5')"))
    assert boxes(coded) == list("123456")


def test_a_field_for_a_code_on_the_page_of_the_password_gets_codes_alone(coded: Page, host: FakeHost) -> None:
    form = FORM.replace(
        "<form>", "<form><p><input name=user autocomplete=username></p><p><input type=password name=password></p>"
    )
    show(coded, form)
    assert coded.wait_for_menu() == ["ada", "bob"]
    coded.click_first_entry(CODE)
    assert until(lambda: coded.value(CODE)) == "123456"
    assert coded.value("document.querySelector('[type=password]')") == ""


def test_a_code_of_another_site_is_not_offered(coded: Page, host: FakeHost) -> None:
    host.accounts([account(coded, "ada", "123456") | {"origin": "https://bank.test"}])
    show(coded, FORM)
    assert until(coded.lists) == ["All one-time codes in Example…"]
    assert coded.entries() == []
