import assert from "node:assert/strict";
import test from "node:test";

import { MODES_BY_SOURCE, OUTCOMES, VERDICTS } from "../../extension/console/static/_generated_constants.js";
import { outcomeLabel, toneOfOutcome } from "../../extension/console/static/actions/plan_nodes.js";
import { modeLabel } from "../../extension/console/static/settings/modes.js";
import { toneOf, Vocabulary } from "../../extension/console/static/table/vocabulary.js";
import { speakEnglish } from "./english.js";

speakEnglish();

test("each status has a label and a tone, and an unknown one is neutral with the service's label", () => {
  const vocabulary = new Vocabulary({ verdicts: [{ token: "new_one", label: "New one", meaning: "" }], families: [] });
  for (const [token, tone] of Object.entries(VERDICTS)) {
    assert.notEqual(vocabulary.verdict(token), token);
    assert.equal(toneOf(token), tone);
  }
  assert.equal(vocabulary.verdict("new_one"), "New one");
  assert.equal(vocabulary.verdict("never_seen"), "never seen");
  assert.equal(vocabulary.verdict(""), "Not checked");
  assert.equal(toneOf("new_one"), "neutral");
});

test("labels of statuses are unique, so that filters can be told apart", () => {
  const vocabulary = new Vocabulary({ verdicts: [], families: [] });
  const labels = Object.keys(VERDICTS).map((token) => vocabulary.verdict(token));
  assert.equal(new Set(labels).size, labels.length);
});

test("only an applied change is good news", () => {
  const tones = Object.keys(OUTCOMES).map((each) => toneOfOutcome(/** @type {keyof typeof OUTCOMES} */ (each)));
  assert.equal(tones.filter((tone) => tone === "good").length, 1);
  assert.equal(toneOfOutcome("applied"), "good");
  assert.equal(outcomeLabel("conflict"), "Skipped");
});

test("a family without a public address of its vendor offers none", () => {
  const families = [
    { token: "compat", label: "OpenAI-compatible", publicAddress: false },
    { token: "vendor-b-apikey", label: "Claude", publicAddress: true },
  ];
  const vocabulary = new Vocabulary({ verdicts: [], families });
  assert.equal(vocabulary.hasPublicAddress("compat"), false);
  assert.equal(vocabulary.hasPublicAddress("vendor-b-apikey"), true);
  assert.equal(vocabulary.family("vendor-b-apikey"), "Claude");
  assert.equal(vocabulary.family(""), "–");
});

test("no mode of API keys deletes, and each mode has a label of its own", () => {
  assert.deepEqual(MODES_BY_SOURCE.api_key, ["none", "disable"]);
  const labels = MODES_BY_SOURCE.oauth.map((mode) => modeLabel("oauth", mode));
  assert.equal(new Set(labels).size, labels.length);
  assert.notEqual(modeLabel("api_key", "disable"), modeLabel("oauth", "disable"));
  assert.equal(modeLabel("api_key", "strategy4"), "strategy4");
});
