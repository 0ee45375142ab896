import { element } from "../dom.js";
import { text } from "../language/catalogue.js";
import { toneOf } from "./vocabulary.js";

/**
 * Strip of the last results of an account, the newest at the right. Height and color tell how bad each was; its name
 * says the same in words.
 *
 * @param {string[]} recent statuses, the oldest first
 * @param {import("./vocabulary.js").Vocabulary} vocabulary
 */
export function strip(recent, vocabulary) {
  if (!recent.length) return element("span", { class: "quiet", text: "–" });
  const good = recent.filter((verdict) => toneOf(verdict) === "good").length;
  const label = text("table.recent", {
    good, n: recent.length, last: vocabulary.verdict(recent[recent.length - 1]),
  });
  return element("span", { class: "strip", attributes: { role: "img", "aria-label": label, title: label } },
    ...recent.map((verdict) => element("i", { data: { tone: toneOf(verdict) } })));
}
