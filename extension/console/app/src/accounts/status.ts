/** Statuses of accounts: who has to act, and their names. The empty status is that of an account without a result. */

import { VERDICTS, type Verdict } from "../connection/api.js";
import { tokenText } from "../language/catalogue.js";
import type { Tone } from "../parts/tone.js";

const TONE_OF: Record<Verdict, Tone> = {
  healthy: "good",
  invalid_key: "dead",
  forbidden: "dead",
  rejected: "dead",
  relogin_needed: "you",
  revoked: "you",
  no_base_url: "you",
  out_of_quota: "wait",
  rate_limited: "wait",
  blocked: "provider",
  provider_error: "provider",
  unreachable: "provider",
  inconclusive: "unknown",
  skipped: "unknown",
  unknown: "unknown",
};

/** Tones in the order of a list that begins with what needs somebody. */
export const WORST_FIRST: readonly Tone[] = ["dead", "you", "provider", "wait", "unknown", "good"];
export const STATUSES = Object.keys(VERDICTS) as Verdict[];
/** Statuses that count as failing, as the service counts them. */
export const FAILING = STATUSES.filter((status) => VERDICTS[status] === "bad");

export function toneOf(status: string): Tone {
  return Object.hasOwn(TONE_OF, status) ? TONE_OF[status as Verdict] : "unknown";
}

export function statusText(status: string): string {
  return tokenText("status", status || "none");
}

/** Return what a status means; empty for that of an account without a result. */
export function statusMeaning(status: string): string {
  return tokenText("status_meaning", status, "");
}

/** Return a rank that sorts statuses by who has to act, the most urgent first. */
export function rankOf(status: string): number {
  const at = STATUSES.indexOf(status as Verdict);
  return WORST_FIRST.indexOf(toneOf(status)) * STATUSES.length + (at < 0 ? STATUSES.length - 1 : at);
}
