import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { speakEnglish } from "../../testing/english.js";
import { Questions, settled } from "../../testing/questions.js";
import { account, result, type SampleAccount } from "../../testing/samples.js";
import { AccountPool } from "./account_pool.js";
import { RecentResults } from "./recent_results.js";
import { RunResults } from "./run_results.js";

beforeEach(speakEnglish);
afterEach(() => {
  vi.useRealTimers();
});

const page = (accounts: SampleAccount[], fields = {}) => ({
  revision: "1",
  readAt: 5,
  statistics: { total: accounts.length, enabled: accounts.length, disabled: 0 },
  matching: accounts.length,
  next: null,
  accounts,
  skipped: [],
  ...fields,
});
const file = (fields: Partial<SampleAccount> = {}) => account({ id: 2, accountSource: "oauth", ...fields });
const ids = (pool: AccountPool) => [...pool.accounts.value.keys()];

async function loaded(questions: Questions, pool: AccountPool, keys = [account()], files = [file()]): Promise<void> {
  const load = pool.load();
  await questions.answer(page(keys));
  await questions.answer(page(files));
  await load;
}

test("the accounts of both sources are one list, and counted once both are known", async () => {
  const questions = new Questions();
  const pool = new AccountPool(questions.client);
  const load = pool.load();
  await questions.answer(page([account()]));
  expect([ids(pool), pool.extent.value.total, pool.extent.value.isWhole]).toEqual([[1], null, false]);
  await questions.answer(page([file()], { skipped: [{ name: "old.json", reason: "no auth_index" }] }));
  await load;
  expect([ids(pool), pool.extent.value.total, pool.extent.value.isWhole]).toEqual([[1, 2], 2, true]);
  expect(pool.extent.value.skipped).toHaveLength(1);
});

test("of many the first are shown before the rest is read", async () => {
  const questions = new Questions();
  const pool = new AccountPool(questions.client);
  const load = pool.load({ sort: "verdict" });
  const many = { statistics: { total: 2, enabled: 2, disabled: 0 } };
  const first = await questions.answer(page([account()], many));
  expect(first.path).toContain("limit=200");
  await questions.answer(page([]));
  expect([ids(pool), pool.extent.value.total, pool.extent.value.isWhole]).toEqual([[1], 2, false]);
  await questions.answer(page([account()], { ...many, next: 1 }));
  const rest = await questions.answer(page([account({ id: 3 })], many));
  expect(rest.path).toMatch(/revision=1&sort=id&offset=1/);
  await load;
  expect([ids(pool), pool.extent.value.isWhole]).toEqual([[1, 3], true]);
});

test("a configuration that changes between two pages is read anew", async () => {
  const questions = new Questions();
  const pool = new AccountPool(questions.client);
  await loaded(questions, pool);
  const load = pool.load();
  const [keys] = [questions.waiting[0]];
  expect(keys.path).toContain("source=api_key");
  await questions.answer(page([account()], { next: 1 }));
  await questions.answer(page([]));
  await questions.answer(page([account({ id: 8 })], { revision: "2" }));
  await questions.answer(page([account({ id: 9 })], { revision: "2" }));
  await load;
  expect(ids(pool)).toEqual([9]);
});

test("the answer to an earlier reading is dropped", async () => {
  const questions = new Questions();
  const pool = new AccountPool(questions.client);
  const loads = [pool.load(), pool.load()];
  await settled();
  const [keys, files, ...later] = questions.waiting.splice(0);
  questions.waiting.push(...later, keys, files);
  await questions.answer(page([account({ id: 5 })]));
  await questions.answer(page([]));
  await questions.answer(page([account({ id: 1 })]));
  await questions.answer(page([]));
  await Promise.all(loads);
  expect(ids(pool)).toEqual([5]);
});

test("a result that lands while the pool is read is put in afterwards, an older one never", async () => {
  const questions = new Questions();
  const pool = new AccountPool(questions.client);
  const load = pool.load();
  pool.applyResults([result({ seq: 8, verdict: "forbidden" })]);
  await questions.answer(page([account({ lastResult: result({ seq: 7 }) })]));
  await questions.answer(page([]));
  await load;
  expect(pool.accounts.value.get(1)?.lastResult?.verdict).toBe("forbidden");
  pool.applyResults([result({ seq: 6, verdict: "revoked" })]);
  expect(pool.accounts.value.get(1)?.lastResult?.seq).toBe(8);
});

test("a reading that fails leaves the accounts, and says why until one succeeds", async () => {
  const questions = new Questions();
  const pool = new AccountPool(questions.client);
  await loaded(questions, pool);
  const load = pool.load();
  await questions.fail();
  await questions.answer(page([file()]));
  await load;
  expect([ids(pool), pool.problem.value !== null]).toEqual([[1, 2], true]);
  await loaded(questions, pool);
  expect(pool.problem.value).toBeNull();
});

test("a first answer that is late for a second is spoken of until it comes", async () => {
  vi.useFakeTimers();
  const questions = new Questions();
  const pool = new AccountPool(questions.client);
  const load = pool.load();
  vi.advanceTimersByTime(1_000);
  expect(pool.isLate.value).toBe(true);
  await questions.answer(page([]));
  await questions.answer(page([]));
  await load;
  expect(pool.isLate.value).toBe(false);
});

test("evidence is read once for a result, and put in again after the pool was read", async () => {
  const questions = new Questions();
  const pool = new AccountPool(questions.client);
  const slim = { ...result({ seq: 7, run: 3 }), attempts: undefined } as never;
  await loaded(questions, pool, [account({ lastResult: slim })]);
  const read = pool.readEvidence(slim);
  await pool.readEvidence(slim);
  expect(questions.waiting.map(({ path }) => path.replace(/.*poolkeeper/, ""))).toEqual([
    "/inspections/results?run=3&after=6&limit=1",
  ]);
  await questions.answer({ results: [result({ seq: 7, run: 3, preview: "no credit" })], next: 7 });
  await read;
  await loaded(questions, pool, [account({ lastResult: slim })]);
  expect(pool.accounts.value.get(1)?.lastResult?.preview).toBe("no credit");
});

test("results of a run are read in order, each once, and a call meanwhile adds one further read", async () => {
  const questions = new Questions();
  const landed: number[] = [];
  const reader = new RunResults(questions.client, 4, (results) => landed.push(...results.map(({ seq }) => seq)));
  const reads = [reader.read(), reader.read(), reader.read()];
  await questions.answer({ results: [result({ seq: 1 }), result({ seq: 2, account: 2 })], next: 2 });
  const second = await questions.answer({ results: [result({ seq: 3, account: 3 })], next: 3 });
  expect(second.path).toContain("after=2");
  await Promise.all(reads);
  expect(landed).toEqual([1, 2, 3]);
  expect([...reader.byAccount.keys()]).toEqual([1, 2, 3]);
  expect(questions.waiting).toEqual([]);
});

test("last results are read once for all accounts in sight, and again for a newer result", async () => {
  vi.useFakeTimers();
  const questions = new Questions();
  const recent = new RecentResults(questions.client);
  const row = { run: 1, at: 5, verdict: "healthy", status: 200, latencyMs: 3 };
  recent.want(1, 5);
  recent.want(2, 0);
  vi.advanceTimersByTime(80);
  const question = await questions.answer({ accounts: [{ account: 1, results: [row] }] });
  expect(question.path).toContain("account=1&account=2");
  expect([recent.of(1).value, recent.of(2).value]).toEqual([[row], []]);
  recent.want(1, 5);
  vi.advanceTimersByTime(2_000);
  expect(questions.waiting).toEqual([]);
  recent.want(1, 6);
  vi.advanceTimersByTime(1_000);
  await questions.answer({ accounts: [{ account: 1, results: [row, row] }] });
  expect(recent.of(1).value).toHaveLength(2);
});
