/**
 * Colors of a status: they say who has to act. good: fine; dead: dead; you: a person; wait: time; provider: the
 * provider; unknown: not known.
 */
export const TONES = ["good", "dead", "you", "wait", "provider", "unknown"] as const;
export type Tone = (typeof TONES)[number];
