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

test("a range goes from the account picked last to this one, in the order shown", () => {
  let shown = [5, 3, 9, 1];
  const selection = new Selection(() => shown);
  selection.pick(9, true, true);
  assert.deepEqual(selection.ids(), [9]);
  selection.pick(5, true, true);
  assert.deepEqual(selection.ids().sort(), [3, 5, 9]);
  selection.pick(3, false, true);
  assert.deepEqual(selection.ids(), [9]);
  shown = [1, 9];
  selection.pick(1, true, true);
  assert.deepEqual(selection.ids(), [9, 1]);
  selection.replace([]);
  selection.pick(9, true, true);
  assert.deepEqual(selection.ids(), [9]);
});
