"""The side bar and what always stands in it."""

from playwright.sync_api import Page, expect

INSIDE = """button => { const bar = button.closest('.shell').getBoundingClientRect();
  const box = button.getBoundingClientRect();
  return button.scrollWidth <= button.clientWidth && box.left >= bar.left && box.right <= bar.right; }"""


def test_both_words_of_the_automation_switch_fit_the_side_bar(operator: Page) -> None:
    pause = operator.get_by_role("button", name="Pause automation")
    expect(pause).to_be_visible()
    assert pause.evaluate(INSIDE)

    pause.click()

    resume = operator.get_by_role("button", name="Resume automation")
    expect(resume).to_be_visible()
    assert resume.evaluate(INSIDE)
