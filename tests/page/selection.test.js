import assert from "node:assert/strict";
import test from "node:test";

import { Selection } from "../../extension/console/static/table/selection.js";
import { speakEnglish } from "./english.js";

speakEnglish();

test("a selection drops what is gone, and says so only when it changed", () => {
  const selection = new Selection();
  let changes = 0;
  selection.set([1, 2, 3], true);
  selection.addEventListener("change", () => { changes += 1; });
  selection.keepOnly(new Map([[1, null], [2, null], [3, null]]));
  assert.equal(changes, 0);
  selection.keepOnly(new Map([[2, null]]));
  assert.deepEqual([selection.ids(), changes], [[2], 1]);
});

test("selecting again is no second selection, and replacing forgets the rest", () => {
  const selection = new Selection();
  selection.set([1, 1, 2], true);
  selection.set([2], false);
  assert.deepEqual([selection.ids(), selection.size, selection.has(2)], [[1], 1, false]);
  selection.replace([7]);
  assert.deepEqual(selection.ids(), [7]);
});
