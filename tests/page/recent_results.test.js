import assert from "node:assert/strict";
import test from "node:test";

import { RecentResults } from "../../extension/console/static/pool/recent_results.js";

/** @typedef {import("../../extension/console/static/connection/client.js").Client} Client */

/**
 * The last results of accounts, behind a stand-in that has as many as the newest read found.
 *
 * @param {import("node:test").TestContext} context
 */
function recentResults(context) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {number[][]} */ const asked = [];
  /** @type {Map<number, object[]>} */ const stored = new Map();
  const client = {
    leaving: false,
    get: async (/** @type {string} */ _, /** @type {{account: number[]}} */ { account }) => {
      asked.push(account);
      return { accounts: account.map((id) => ({ account: id, results: stored.get(id) ?? [] })) };
    },
  };
  const recent = new RecentResults(/** @type {Client} */ (/** @type {unknown} */ (client)));
  const pass = async (/** @type {number} */ ms) => {
    context.mock.timers.tick(ms);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { recent, asked, stored, pass };
}

test("an account whose newest result is later than what was read is read again", async (context) => {
  const { recent, asked, stored, pass } = recentResults(context);
  recent.want([[7, 0]]);
  await pass(100);
  assert.deepEqual(recent.of(7), []);

  stored.set(7, [{ run: 1, at: 50, verdict: "healthy" }]);
  recent.want([[7, 50]]);
  await pass(1_000);

  assert.equal(recent.of(7).length, 1);
  recent.want([[7, 50]]);
  await pass(1_000);
  assert.deepEqual(asked, [[7], [7]]);
});

test("results that land on the screen one after another are read together", async (context) => {
  const { recent, asked, pass } = recentResults(context);
  recent.want([[1, 0], [2, 0]]);
  await pass(100);

  for (const newest of [10, 20, 30, 40]) {
    recent.want([[1, newest], [2, newest]]);
    await pass(200);
  }
  await pass(200);

  assert.deepEqual(asked, [[1, 2], [1, 2]]);
});

test("a run that ends while its results are read has them read once more", async (context) => {
  const { recent, asked, pass } = recentResults(context);
  recent.want([[1, 0]]);
  await pass(100);
  recent.renew();
  recent.want([[1, 0]]);
  context.mock.timers.tick(100);
  recent.renew();
  await pass(0);
  recent.want([[1, 0]]);
  await pass(100);

  assert.deepEqual(asked, [[1], [1], [1]]);
});
