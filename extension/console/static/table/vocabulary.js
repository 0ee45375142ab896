import { VERDICTS } from "../_generated_constants.js";
import { words } from "../formatting.js";
import { isLanguageOfService, text, tokenText } from "../language/catalogue.js";

/** @typedef {"good" | "caution" | "bad" | "neutral"} Tone */

/** @type {Map<string, Tone>} */
const KNOWN = new Map(Object.entries(VERDICTS));

/** @type {Tone[]} */
const SEVERITY = ["bad", "caution", "neutral", "good"];

/**
 * Labels of statuses and families. A token that the page does not know has the service's own label.
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
    this.meanings = new Map(verdicts.map(({ token, meaning }) => [token, meaning]));
  }

  /** Tokens of the statuses, in the service's order. */
  get tokens() {
    return this.verdicts.map(({ token }) => token);
  }

  /** Tokens of the statuses, the worst first. */
  get worstFirst() {
    return this.tokens.map((token, at) => ({ token, rank: SEVERITY.indexOf(toneOf(token)), at }))
      .sort((one, other) => one.rank - other.rank || one.at - other.at).map(({ token }) => token);
  }

  /** @param {string} token */
  verdict(token) {
    return token ? tokenText("status", token, this.labels.get(token) ?? words(token)) : text("status.none");
  }

  /**
   * Return the meaning of a status: in English as the service explains it; empty for one without an explanation.
   *
   * @param {string} token
   */
  meaning(token) {
    const written = this.meanings.get(token) ?? "";
    return isLanguageOfService() ? written : tokenText("status_meaning", token, written);
  }

  /**
   * Return whether keys of a family without a base URL can be checked at their vendor's public one.
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

/**
 * Tone of a status. Its label always carries the same information.
 *
 * @param {string} verdict
 * @returns {Tone}
 */
export function toneOf(verdict) {
  return KNOWN.get(verdict) ?? "neutral";
}

/**
 * What the column of recommendations says of a row, with its tone and meaning; a change on hold is marked as that.
 *
 * @param {Pick<import("./rows.js").Row, "action" | "onHold">} row
 * @param {boolean} isHeld whether it is on hold now, and not only in the run that is shown
 * @returns {[string, Tone | "accent" | "none", string]}
 */
export function adviceOf({ action, onHold }, isHeld) {
  if (!action) return ["–", "none", ""];
  const said = tokenText("action", action);
  if (!onHold) return [said, action === "keep" ? "none" : "accent", ""];
  const meaning = text("evidence.hold_waits", { action: said, reason: "" }).trim();
  return [text(isHeld ? "state.on_hold" : "state.was_on_hold"), "caution", isHeld ? meaning : said];
}
