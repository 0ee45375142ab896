import assert from "node:assert/strict";
import test from "node:test";

import { PageClient } from "../../extension/console/static/connection/page_client.js";
import { LEFT } from "../../extension/console/static/connection/problem.js";
import { speakEnglish } from "./english.js";
import { Questions, settled } from "./questions.js";

speakEnglish();

/** @param {Questions} questions */
function pageOf(questions) {
  const left = new AbortController();
  /** @type {boolean[]} */
  const late = [];
  const client = new PageClient(questions.client, left.signal, (isLate) => late.push(isLate));
  return { client, left, late };
}

/** @param {Questions} questions */
const paths = (questions) => questions.waiting.map(({ path }) => path.split("/").at(-1));

test("a page that is left gives up its reads, those that wait as well, and misses nothing", async (context) => {
  const questions = new Questions(context);
  const { client, left } = pageOf(questions);
  const reads = [client.get("pool"), client.post("inspections/cost"), client.get("pool"), client.get("inspections")];
  const ends = reads.map((read) => assert.rejects(read, { code: LEFT }));
  await settled();
  left.abort();
  await Promise.all(ends);
  assert.deepEqual(paths(questions), []);
  assert.equal(questions.client.hasMissed, false);
});

test("a change is carried out though its page is left", async (context) => {
  const questions = new Questions(context);
  const { client, left } = pageOf(questions);
  const change = client.post("pool/status", { accounts: [1], disabled: true });
  left.abort();
  await questions.answer({ actions: [] });
  assert.deepEqual(await change, { actions: [] });
});

test("three reads of a page are open at most, of which two wait for the gateway", async (context) => {
  const questions = new Questions(context);
  const { client } = pageOf(questions);
  const reads = ["pool", "pool/overview", "pool/restore", "config", "info", "inspections"].map((path) =>
    client.get(/** @type {"pool"} */ (path)));
  await settled();
  assert.deepEqual(paths(questions), ["pool", "overview", "config"]);
  await questions.answer({}, { at: 2 });
  assert.deepEqual(paths(questions), ["pool", "overview", "info"]);
  await questions.answer({}, { at: 0 });
  assert.deepEqual(paths(questions), ["overview", "info", "restore"]);
  for (let left = 4; left; left -= 1) await questions.answer({});
  await Promise.all(reads);
});

test("a gateway that lets a page wait for three seconds is spoken of until it answers", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const questions = new Questions(context);
  const { client, late } = pageOf(questions);
  const reads = [client.get("pool"), client.get("pool/overview", { since: 0 }), client.get("inspections")];
  await settled();
  context.mock.timers.tick(2_999);
  assert.deepEqual(late, []);
  context.mock.timers.tick(1);
  assert.deepEqual(late, [true]);
  await questions.answer({});
  assert.deepEqual(late, [true]);
  await questions.answer({});
  await questions.answer({});
  await Promise.all(reads);
  assert.deepEqual(late, [true, false]);
});
