import { arrange, byId, element, within } from "../dom.js";
import { formatCount } from "../formatting.js";
import { text } from "../language/catalogue.js";
import { UNKNOWN_COUNT } from "./extent.js";
import { toneOf } from "./vocabulary.js";

const ALL = "all";
const ON_HOLD = "on-hold";

/** Counts per status and of accounts on hold, which filter the table when pressed. */
export class VerdictChips {
  /** @type {Map<string, HTMLElement>} */ #chips = new Map();

  /**
   * @param {import("./vocabulary.js").Vocabulary} vocabulary
   * @param {(verdicts: Set<string>, onHold: boolean) => void} onChange
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
   * @param {number} held accounts on hold
   * @param {{verdicts: Set<string>, onHold: boolean}} filters
   * @param {import("./extent.js").Extent} extent
   */
  render(counts, held, { verdicts, onHold }, { total, isWhole }) {
    this.chosen = verdicts;
    this.onHold = onHold;
    const shown = [...this.vocabulary.tokens, ""].filter((token) => counts.has(token) || this.chosen.has(token));
    const others = [...counts.keys()].filter((token) => token && !this.vocabulary.tokens.includes(token));
    const chips = [...shown, ...others].map((token) => this.#chip(token, isWhole ? counts.get(token) ?? 0 : null));
    const holds = held || onHold ? [this.#chip(ON_HOLD, isWhole ? held : null)] : [];
    arrange(this.group, [this.#chip(ALL, total), ...chips, ...holds]);
  }

  /**
   * @param {string} token
   * @param {number | null} count null: not known
   */
  #chip(token, count) {
    const chip = this.#chips.get(token) ?? this.#build(token);
    const shown = count === null ? UNKNOWN_COUNT : formatCount(count);
    const number = within(chip, "b", HTMLElement);
    if (number.textContent !== shown) number.textContent = shown;
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
    const chip = element("button", {
      class: "chip",
      data: { tone: token === ON_HOLD ? "caution" : toneOf(token), verdict: token },
      attributes: { type: "button", title: this.vocabulary.meaning(token) || undefined },
      on: { click: () => this.#toggle(token) },
    }, `${this.#label(token)} `, element("b"));
    this.#chips.set(token, chip);
    return chip;
  }

  /** @param {string} token */
  #label(token) {
    if (token === ON_HOLD) return text("results.on_hold");
    return token === ALL ? text("results.all") : this.vocabulary.verdict(token);
  }

  /** @param {string} token */
  #toggle(token) {
    if (token === ON_HOLD) {
      this.onChange(this.chosen, !this.onHold);
      return;
    }
    const chosen = new Set(token === ALL ? [] : this.chosen);
    if (token !== ALL && !chosen.delete(token)) chosen.add(token);
    this.onChange(chosen, token !== ALL && this.onHold);
  }
}
