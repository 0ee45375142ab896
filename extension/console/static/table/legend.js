import { byId, element, within } from "../dom.js";
import { toneOf } from "./vocabulary.js";

/**
 * Legend of the statuses, below the table.
 *
 * @param {import("./vocabulary.js").Vocabulary} vocabulary
 */
export function renderLegend(vocabulary) {
  const entries = vocabulary.verdicts.map(({ token, meaning }) => element("div", {},
    element("dt", {},
      element("span", { class: "pill", text: vocabulary.verdict(token), data: { tone: toneOf(token) } })),
    element("dd", { text: meaning })));
  within(byId("legend"), "dl", HTMLElement).replaceChildren(...entries);
}
