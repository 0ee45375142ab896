import { arrange, byId, element, within } from "../dom.js";
import { formatCount } from "../formatting.js";
import { toneOf } from "./vocabulary.js";

const ALL = "all";
const ON_HOLD = "on-hold";
const LABELS = new Map([[ALL, "All"], [ON_HOLD, "On hold"]]);

/** Counts per status and of accounts on hold, which filter the table when pressed. */
export class VerdictChips {
  /** @type {Map<string, HTMLElement>} */ #chips = new Map();

  /**
   * @param {import("./vocabulary.js").Vocabulary} vocabulary
   * @param {() => void} onChange
   */
  constructor(vocabulary, onChange) {
    this.vocabulary = vocabulary;
    this.onChange = onChange;
    /** @type {Set<string>} */
    this.chosen = new Set();
    this.onHold = false;
    this.group = byId("verdicts");
  }

  /**
   * @param {Map<string, number>} counts
   * @param {number} onHold
   */
  render(counts, onHold) {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const shown = [...this.vocabulary.tokens, ""].filter((token) => counts.has(token) || this.chosen.has(token));
    const others = [...counts.keys()].filter((token) => token && !this.vocabulary.tokens.includes(token));
    const chips = [...shown, ...others].map((token) => this.#chip(token, counts.get(token) ?? 0));
    const held = onHold || this.onHold ? [this.#chip(ON_HOLD, onHold)] : [];
    arrange(this.group, [this.#chip(ALL, total), ...chips, ...held]);
  }

  /**
   * @param {string} token
   * @param {number} count
   */
  #chip(token, count) {
    const chip = this.#chips.get(token) ?? this.#build(token);
    const text = formatCount(count);
    const number = within(chip, "b", HTMLElement);
    if (number.textContent !== text) number.textContent = text;
    chip.setAttribute("aria-pressed", String(this.#isPressed(token)));
    return chip;
  }

  /** @param {string} token */
  #isPressed(token) {
    if (token === ON_HOLD) return this.onHold;
    return token === ALL ? this.chosen.size === 0 && !this.onHold : this.chosen.has(token);
  }

  /** @param {string} token */
  #build(token) {
    const label = LABELS.get(token) ?? this.vocabulary.verdict(token);
    const chip = element("button", {
      class: "chip",
      data: { tone: token === ALL ? "neutral" : token === ON_HOLD ? "caution" : toneOf(token), verdict: token },
      attributes: { type: "button" },
      on: { click: () => this.#toggle(token) },
    }, `${label} `, element("b"));
    this.#chips.set(token, chip);
    return chip;
  }

  /** @param {string} token */
  #toggle(token) {
    const chosen = new Set(this.chosen);
    if (token === ON_HOLD) this.onHold = !this.onHold;
    else if (token === ALL) chosen.clear();
    else if (!chosen.delete(token)) chosen.add(token);
    if (token === ALL) this.onHold = false;
    this.chosen = chosen;
    this.onChange();
  }
}
