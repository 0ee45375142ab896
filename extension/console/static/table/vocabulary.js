import { VERDICTS } from "../_generated_constants.js";
import { words } from "../formatting.js";

/** @typedef {"good" | "caution" | "bad" | "neutral"} Tone */

/**
 * What the service calls things: its verdicts and families, with their labels. Tones are the page's own.
 */
export class Vocabulary {
  /**
   * @param {Pick<import("../../_generated_types.js").InfoAnswer, "verdicts" | "families">} info
   */
  constructor({ verdicts, families }) {
    this.verdicts = verdicts;
    this.families = new Map(families.map(({ token, label }) => [token, label]));
    this.addressed = new Set(families.filter(({ publicAddress }) => publicAddress).map(({ token }) => token));
    this.labels = new Map(verdicts.map(({ token, label }) => [token, label]));
  }

  /** Tokens of the verdicts, in the service's order. */
  get tokens() {
    return this.verdicts.map(({ token }) => token);
  }

  /** @param {string} token */
  verdict(token) {
    return token ? this.labels.get(token) ?? words(token) : "not inspected";
  }

  /**
   * Whether keys of a family without a base address can be probed at their vendor's public one.
   *
   * @param {string} token
   */
  hasPublicAddress(token) {
    return this.addressed.has(token);
  }

  /** @param {string} token */
  family(token) {
    return this.families.get(token) ?? (token || "–");
  }
}

/** @type {Map<string, {label: string, tone: Tone}>} */
const KNOWN = new Map(Object.entries(VERDICTS));

/**
 * How a verdict is coloured; the label always says it as well.
 *
 * @param {string} verdict
 * @returns {Tone}
 */
export function toneOf(verdict) {
  return KNOWN.get(verdict)?.tone ?? "neutral";
}
