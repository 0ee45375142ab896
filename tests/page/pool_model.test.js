import assert from "node:assert/strict";
import test from "node:test";

import { emptyText } from "../../extension/console/static/pool/empty_text.js";
import { PoolModel } from "../../extension/console/static/pool/pool_model.js";
import { Questions } from "./questions.js";
import { account, result, settings } from "./samples.js";
import { speakEnglish } from "./english.js";

speakEnglish();

const KEYS = /** @type {const} */ ({ source: "api_key", family: "all", filter: "" });
const FILES = /** @type {const} */ ({ source: "oauth", family: "all", filter: "" });

/** @param {...import("../../extension/console/static/table/rows.js").Account} accounts */
function pool(...accounts) {
  const statistics = { total: accounts.length, enabled: accounts.length, disabled: 0 };
  return { revision: "1", readAt: 5, statistics, matching: accounts.length, next: null, accounts, skipped: [] };
}

test("a result that lands while the pool is read is put in afterwards", async (context) => {
  const questions = new Questions(context);
  const model = new PoolModel(questions.client);
  const load = model.load(KEYS);
  model.applyResults([result({ seq: 8, verdict: "forbidden" })]);
  await questions.answer(pool(account({ lastResult: result({ seq: 7 }) })));
  await load;
  assert.equal(model.accounts.get(1)?.lastResult?.verdict, "forbidden");
});

test("an older result does not replace a newer one", async (context) => {
  const questions = new Questions(context);
  const model = new PoolModel(questions.client);
  const load = model.load(KEYS);
  await questions.answer(pool(account({ lastResult: result({ seq: 9 }) })));
  await load;
  model.applyResults([result({ seq: 8, verdict: "forbidden" })]);
  assert.equal(model.accounts.get(1)?.lastResult?.seq, 9);
});

test("the answer for another scope is dropped", async (context) => {
  const questions = new Questions(context);
  const model = new PoolModel(questions.client);
  const loads = [model.load(KEYS), model.load(FILES)];
  await questions.answer(pool(account({ id: 2, accountSource: "oauth" })), { at: 1 });
  await questions.answer(pool(account({ id: 1 })));
  await Promise.all(loads);
  assert.deepEqual([...model.accounts.keys()], [2]);
});

test("accounts of one source are not shown while another is read", async (context) => {
  const questions = new Questions(context);
  const model = new PoolModel(questions.client);
  const first = model.load(KEYS);
  await questions.answer(pool(account()));
  await first;
  const second = model.load(FILES);
  assert.equal(model.accounts.size, 0);
  assert.equal(model.statistics, null);
  await questions.answer(pool());
  await second;
});

test("a scope that cannot be read is marked so, and throws", async (context) => {
  const questions = new Questions(context);
  const model = new PoolModel(questions.client);
  const load = assert.rejects(model.load(KEYS));
  await questions.fail();
  await load;
  assert.equal(model.failed, true);
  assert.notEqual(emptyText(model, settings()), emptyText(new PoolModel(questions.client), settings()));
});

test("a first answer that is late for a second is spoken of until it comes", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const questions = new Questions(context);
  const model = new PoolModel(questions.client);
  const load = model.load(KEYS);
  assert.equal(emptyText(model, settings()), "Loading the pool…");
  assert.equal(model.total, null);
  context.mock.timers.tick(1_000);
  assert.equal(emptyText(model, settings()), "Waiting for the gateway's list of accounts.");
  await questions.answer(pool(account()));
  await load;
  assert.equal(model.late, false);
  const again = model.load(KEYS);
  context.mock.timers.tick(1_000);
  assert.equal(model.late, false);
  await questions.answer(pool(account()));
  await again;
});

test("an empty table says whether filters or the gateway leave it empty", () => {
  const read = { failed: false, late: false, partial: false, statistics: { total: 0, enabled: 0, disabled: 0 } };
  const texts = [settings(), settings({ accountSource: "api_key" }), settings({ targetType: "codex" })]
    .map((each) => emptyText(read, each));
  assert.equal(new Set(texts).size, 3);
});

test("evidence is read once for a result, and put in again after the pool was read", async (context) => {
  const questions = new Questions(context);
  const model = new PoolModel(questions.client);
  const slim = { ...result({ seq: 7, run: 3 }), attempts: undefined };
  const load = model.load(KEYS);
  await questions.answer(pool(account({ lastResult: slim })));
  await load;
  const read = model.readEvidence(slim);
  await model.readEvidence(slim);
  assert.deepEqual(questions.waiting.map(({ path }) => path.replace(/.*poolkeeper/, "")),
    ["/inspections/results?run=3&after=6&limit=1"]);
  await questions.answer({ results: [result({ seq: 7, run: 3, preview: "no credit" })], next: 7 });
  await read;
  const again = model.load(KEYS);
  await questions.answer(pool(account({ lastResult: slim })));
  await again;
  assert.equal(model.accounts.get(1)?.lastResult?.preview, "no credit");
});

test("a result that the service has forgotten has no evidence", async (context) => {
  const questions = new Questions(context);
  const model = new PoolModel(questions.client);
  const slim = { ...result({ seq: 7 }), attempts: undefined };
  const load = model.load(KEYS);
  await questions.answer(pool(account({ lastResult: slim })));
  await load;
  const read = model.readEvidence(slim);
  await questions.answer({ results: [], next: 6 });
  await read;
  assert.deepEqual(model.accounts.get(1)?.lastResult?.attempts, []);
});
