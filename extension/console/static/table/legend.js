import { byId, element, within } from "../dom.js";
import { toneOf } from "./vocabulary.js";

/**
 * Legend of the statuses, below the table.
 *
 * @param {import("./vocabulary.js").Vocabulary} vocabulary
 */
export function renderLegend(vocabulary) {
  const entries = vocabulary.tokens.map((token) => element("div", {},
    element("dt", {},
      element("span", { class: "pill", text: vocabulary.verdict(token), data: { tone: toneOf(token) } })),
    element("dd", { text: vocabulary.meaning(token) })));
  within(byId("legend"), "dl", HTMLElement).replaceChildren(...entries);
}
