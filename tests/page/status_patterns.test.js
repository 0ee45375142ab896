import assert from "node:assert/strict";
import test from "node:test";

import { VERDICTS } from "../../extension/console/static/_generated_constants.js";
import { statusParts } from "../../extension/console/static/pages/overview/health.js";
import { Vocabulary } from "../../extension/console/static/table/vocabulary.js";
import { speakEnglish } from "./english.js";

const TOKENS = /** @type {(keyof typeof VERDICTS)[]} */ (Object.keys(VERDICTS));
const vocabulary = new Vocabulary({
  verdicts: TOKENS.map((token) => ({ token, label: token, meaning: "" })), families: [],
});

/** @param {Record<string, number>} statuses */
function patternsOf(statuses) {
  return statusParts(statuses, vocabulary, {}).map(({ fill }) => fill.pattern);
}

test("every status has a pattern of its own, accounts without a result included", () => {
  speakEnglish();
  const all = Object.fromEntries([...TOKENS, ""].map((token) => [token, 1]));
  const patterns = patternsOf(all);
  assert.equal(patterns.length, TOKENS.length + 1);
  assert.equal(new Set(patterns).size, patterns.length);
});

test("a status has the same pattern in every bar", () => {
  speakEnglish();
  assert.deepEqual(patternsOf({ invalid_key: 3 }), patternsOf({ healthy: 1, invalid_key: 1 }).slice(1));
});
