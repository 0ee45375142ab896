"""Words that are broken over two lines, where a column is too narrow for them."""

from typing import Final

from playwright.sync_api import Locator

_BROKEN: Final = """(nodes) => nodes.flatMap((node) => {
  const found = [];
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (const { 0: word, index } of walker.currentNode.textContent.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
    }
  }
  return found;
})"""


def broken_words(nodes: Locator) -> list[str]:
    """Return the words within nodes that stand on more than one line."""
    found: list[str] = nodes.evaluate_all(_BROKEN)
    return found
