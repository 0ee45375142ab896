import assert from "node:assert/strict";
import test from "node:test";

import { countedReasons } from "../../extension/console/static/follow_up/hold_reasons.js";
import { speakEnglish } from "./english.js";

speakEnglish();

test("one reason of all changes on hold at a host stands alone", () => {
  assert.deepEqual(countedReasons(["Paused.", "Paused."]), ["Paused."]);
});

test("several reasons of a host are counted, the most frequent first", () => {
  assert.deepEqual(countedReasons(["Paused.", "First.", "First."]), ["2 accounts: First.", "1 account: Paused."]);
});
