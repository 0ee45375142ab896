import { words } from "../formatting.js";

/**
 * What the service calls things: its verdicts and families, with their labels. Tones are the page's own.
 */
export class Vocabulary {
  /**
   * @param {{verdicts: {token: string, label: string, meaning: string}[],
   *     families: {token: string, label: string, publicAddress: boolean}[]}} info
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

const TONES = {
  healthy: "good",
  inconclusive: "caution", out_of_quota: "caution", rate_limited: "caution", provider_error: "caution", no_base_url: "caution",
  invalid_key: "bad", relogin_needed: "bad", revoked: "bad", forbidden: "bad", rejected: "bad", unreachable: "bad",
};

/**
 * How a verdict is coloured; the label always says it as well.
 *
 * @param {string} verdict
 */
export function toneOf(verdict) {
  return TONES[verdict] ?? "neutral";
}
