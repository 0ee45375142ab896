import assert from "node:assert/strict";
import test from "node:test";

import { readPool } from "../../extension/console/static/pool/pool_reader.js";
import { Questions } from "./questions.js";
import { account } from "./samples.js";
import { speakEnglish } from "./english.js";

speakEnglish();

const KEYS = /** @type {const} */ ({ source: "api_key", family: "all", filter: "" });

/**
 * @param {string} revision
 * @param {number | null} next
 * @param {...number} ids
 */
function page(revision, next, ...ids) {
  const statistics = { total: 3, enabled: 3, disabled: 0 };
  const accounts = ids.map((id) => account({ id }));
  return { revision, readAt: 5, statistics, matching: 3, next, accounts, skipped: [] };
}

test("pages of one revision are put together, the first one ahead of the rest", async (context) => {
  const questions = new Questions(context);
  /** @type {number[]} */
  const ahead = [];
  const reading = readPool(questions.client, KEYS, { onFirst: ({ accounts }) => ahead.push(accounts.length) });
  await questions.answer(page("1", 1, 3));
  assert.deepEqual(ahead, [1]);
  await questions.answer(page("1", 2, 1, 2));
  await questions.answer(page("1", null, 3));
  assert.deepEqual((await reading)?.accounts.map(({ id }) => id), [1, 2, 3]);
});

test("every page after the first names the revision of the page before", async (context) => {
  const questions = new Questions(context);
  const asked = () => new URLSearchParams(questions.waiting[0].path.split("?")[1]).get("revision");
  const reading = readPool(questions.client, KEYS, { onFirst: () => {} });
  const named = [asked()];
  for (const part of [page("1", 1, 3), page("1", 2, 1, 2), page("1", null, 3)]) {
    await questions.answer(part);
    if (questions.waiting.length) named.push(asked());
  }
  assert.deepEqual(named, [null, "1", "1"]);
  assert.ok(await reading);
});

test("a configuration that changes between two pages is read again", async (context) => {
  const questions = new Questions(context);
  const reading = readPool(questions.client, KEYS);
  await questions.answer(page("1", 2, 1, 2));
  await questions.answer(page("2", null, 3));
  await questions.answer(page("2", 2, 4, 5));
  await questions.answer(page("2", null, 6));
  assert.deepEqual((await reading)?.accounts.map(({ id }) => id), [4, 5, 6]);
});

test("a reading that is not wanted any more ends", async (context) => {
  const questions = new Questions(context);
  const reading = readPool(questions.client, KEYS, { isWanted: () => false });
  await questions.answer(page("1", 2, 1, 2));
  assert.equal(await reading, null);
  assert.equal(questions.waiting.length, 0);
});
