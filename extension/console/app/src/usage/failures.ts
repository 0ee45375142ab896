import type { Tone } from "../parts/tone.js";

/** Return who has to act on a failure such as "429 rate_limit_exceeded". */
export function toneOfFailure(failure: string): Tone {
  const status = Number.parseInt(failure, 10);
  if (status === 401 || status === 403) return "dead";
  if (status === 402 || status === 429) return "wait";
  return status >= 500 || status === 0 ? "provider" : "unknown";
}
