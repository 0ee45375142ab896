import { arrange, byId, element, within } from "../dom.js";
import { formatCount } from "../formatting.js";
import { text } from "../language/catalogue.js";
import { toneOf } from "./vocabulary.js";

/** Counts per status, which filter the table when pressed. */
export class VerdictChips {
  /** @type {Map<string, HTMLElement>} */ #chips = new Map();

  /**
   * @param {import("./vocabulary.js").Vocabulary} vocabulary
   * @param {(verdicts: Set<string>) => void} onChange
   */
  constructor(vocabulary, onChange) {
    this.vocabulary = vocabulary;
    this.onChange = onChange;
    /** @type {Set<string>} */
    this.chosen = new Set();
    this.group = byId("verdicts");
  }

  /**
   * @param {Map<string, number>} counts
   * @param {Set<string>} chosen
   */
  render(counts, chosen) {
    this.chosen = chosen;
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const shown = [...this.vocabulary.tokens, ""].filter((token) => counts.has(token) || this.chosen.has(token));
    const others = [...counts.keys()].filter((token) => token && !this.vocabulary.tokens.includes(token));
    const chips = [...shown, ...others].map((token) => this.#chip(token, counts.get(token) ?? 0));
    arrange(this.group, [this.#chip("all", total), ...chips]);
  }

  /**
   * @param {string} token
   * @param {number} count
   */
  #chip(token, count) {
    const chip = this.#chips.get(token) ?? this.#build(token);
    const shown = formatCount(count);
    const number = within(chip, "b", HTMLElement);
    if (number.textContent !== shown) number.textContent = shown;
    const pressed = token === "all" ? this.chosen.size === 0 : this.chosen.has(token);
    chip.setAttribute("aria-pressed", String(pressed));
    return chip;
  }

  /** @param {string} token */
  #build(token) {
    const label = token === "all" ? text("results.all") : this.vocabulary.verdict(token);
    const chip = element("button", {
      class: "chip",
      data: { tone: token === "all" ? "neutral" : toneOf(token), verdict: token },
      attributes: { type: "button" },
      on: { click: () => this.#toggle(token) },
    }, `${label} `, element("b"));
    this.#chips.set(token, chip);
    return chip;
  }

  /** @param {string} token */
  #toggle(token) {
    const chosen = new Set(this.chosen);
    if (token === "all") chosen.clear();
    else if (!chosen.delete(token)) chosen.add(token);
    this.onChange(chosen);
  }
}
