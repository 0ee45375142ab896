import { byId, element, within } from "../dom.js";
import { toneOf } from "./vocabulary.js";

/**
 * The verdicts and what they mean, below the table.
 *
 * @param {import("./vocabulary.js").Vocabulary} vocabulary
 */
export function renderLegend(vocabulary) {
  within(byId("legend"), "dl", HTMLElement).replaceChildren(...vocabulary.verdicts.map(({ token, label, meaning }) =>
    element("div", {},
      element("dt", {}, element("span", { class: "pill", text: label, data: { tone: toneOf(token) } })),
      element("dd", { text: meaning }))));
}
