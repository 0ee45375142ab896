import assert from "node:assert/strict";
import test from "node:test";

import {
  comparisonOf, countBy, countVerdicts, orderOf,
} from "../../extension/console/static/table/query.js";
import { Slices, sortInSlices } from "../../extension/console/static/scheduling/slices.js";
import { Rows } from "../../extension/console/static/table/rows.js";
import { account, filterRows, result, sortRows } from "./samples.js";
import { speakEnglish } from "./english.js";

speakEnglish();

/**
 * @param {...Partial<import("../../extension/console/_generated_types.js").ResultView>} results
 */
function rowsOf(...results) {
  const accounts = results.map((given, at) => account({
    id: at + 1, displayName: given.displayName ?? `key-${at + 1}`, enabled: given.enabled ?? true,
    lastResult: result({ account: at + 1, ...given }),
  }));
  return new Rows().ofPool(new Map(accounts.map((each) => [each.id, each])));
}

/** @param {{name: string}[]} rows */
const names = (rows) => rows.map(({ name }) => name);

test("a search needs every word somewhere in the row, in any case", () => {
  const rows = rowsOf({ displayName: "Alpha" }, { displayName: "beta", reason: "Alpha is not here" });
  const all = new Set();
  assert.deepEqual(names(filterRows(rows, { search: "  ALPHA ", verdicts: all })), ["Alpha", "beta"]);
  assert.deepEqual(names(filterRows(rows, { search: "alpha beta", verdicts: all })), ["beta"]);
  assert.deepEqual(names(filterRows(rows, { search: "gamma", verdicts: all })), []);
});

test("a search finds a status and words in the state of an account", () => {
  const accounts = [account({ id: 1, neverProbe: true }), account({ id: 2, lastResult: result({ status: 429 }) })];
  const rows = new Rows().ofPool(new Map(accounts.map((each) => [each.id, each])));
  assert.deepEqual(filterRows(rows, { search: "429", verdicts: new Set() }).map(({ id }) => id), [2]);
});

test("verdicts filter and are counted, an account without a result under the empty one", () => {
  const rows = [...rowsOf({ verdict: "healthy" }, { verdict: "forbidden" }, { verdict: "healthy" }),
    ...new Rows().ofPool(new Map([[9, account({ id: 9 })]]))];
  assert.deepEqual([...countVerdicts(rows)], [["healthy", 2], ["forbidden", 1], ["", 1]]);
  assert.equal(filterRows(rows, { search: "", verdicts: new Set(["forbidden", ""]) }).length, 2);
});

test("the link to accounts that were never checked leaves out disabled and excluded ones, as their number does", () => {
  const accounts = [account({ id: 1 }), account({ id: 2, enabled: false }), account({ id: 3, neverProbe: true }),
    account({ id: 4, lastResult: result({ verdict: "healthy" }) })];
  const rows = new Rows().ofPool(new Map(accounts.map((each) => [each.id, each])));
  const shown = filterRows(rows, { verdicts: new Set([""]), state: "in_checks" });
  assert.deepEqual(shown.map(({ id }) => id), [1]);
});

test("old results are those that the service counts: of accounts in checks, more than seven days ago", () => {
  const at = (/** @type {number} */ days) => result({ at: days * 24 * 3_600_000 });
  const accounts = [account({ id: 1, lastResult: at(1) }), account({ id: 2, lastResult: at(3) }), account({ id: 3 }),
    account({ id: 4, lastResult: at(1), enabled: false }), account({ id: 5, lastResult: at(1), neverProbe: true })];
  const rows = new Rows().ofPool(new Map(accounts.map((each) => [each.id, each])));
  const shown = filterRows(rows, { state: "old" }, 9 * 24 * 3_600_000);
  assert.deepEqual(shown.map(({ id }) => id), [1]);
});

test("a list of recommended accounts has those on hold, too, as the overview counts them", () => {
  const accounts = [account({ id: 1, lastResult: result({ action: "disable" }) }),
    account({ id: 2, lastResult: result({ action: "disable" }), onHold: true })];
  const rows = new Rows().ofPool(new Map(accounts.map((each) => [each.id, each])));
  const shown = (/** @type {object} */ filters) =>
    filterRows(rows, { action: "disable", ...filters }).map(({ id }) => id);
  assert.deepEqual(shown({ state: "not_on_hold" }), [1]);
  assert.deepEqual(shown({}), [1, 2]);
  assert.deepEqual(shown({ onHold: true }), [2]);
});

test("names sort by their numbers, and equal rows keep the order of names when the direction turns", () => {
  const rows = rowsOf({ displayName: "key 10" }, { displayName: "key 2" }, { displayName: "Key 1" });
  assert.deepEqual(names(sortRows(rows, { column: "name", descending: false }, [])), ["Key 1", "key 2", "key 10"]);
  assert.deepEqual(names(sortRows(rows, { column: "status", descending: true }, [])), ["Key 1", "key 2", "key 10"]);
});

test("an unknown latency sorts after every known one", () => {
  const rows = rowsOf({ displayName: "none", latencyMs: null }, { displayName: "slow", latencyMs: 900 },
    { displayName: "quick", latencyMs: 5 });
  assert.deepEqual(names(sortRows(rows, { column: "latencyMs", descending: false }, [])), ["quick", "slow", "none"]);
});

test("verdicts sort in the service's order, recommendations with the most drastic first", () => {
  const rows = rowsOf({ displayName: "b", verdict: "forbidden", action: "disable" },
    { displayName: "a", verdict: "healthy", action: "keep" },
    { displayName: "c", verdict: "revoked", action: "delete" });
  const order = ["healthy", "forbidden"];
  assert.deepEqual(names(sortRows(rows, { column: "verdict", descending: false }, order)), ["a", "b", "c"]);
  assert.deepEqual(names(sortRows(rows, { column: "action", descending: false }, order)), ["c", "b", "a"]);
});

test("the oldest result comes first, an account without one last", () => {
  const rows = [...rowsOf({ displayName: "new", at: 9 }, { displayName: "old", at: 3 }),
    ...new Rows().ofPool(new Map([[9, account({ id: 9, displayName: "never" })]]))];
  assert.deepEqual(names(sortRows(rows, orderOf("at"), [])), ["old", "new", "never"]);
});

test("an order by an unknown column is the order by status", () => {
  assert.deepEqual(orderOf("name.desc"), { column: "name", descending: true });
  for (const written of ["", "nothing", "select.desc", "constructor"]) {
    assert.deepEqual(orderOf(written), { column: "verdict", descending: false });
  }
});

test("sorting leaves the given rows as they are", () => {
  const rows = rowsOf({ displayName: "b" }, { displayName: "a" });
  sortRows(rows, { column: "name", descending: false }, []);
  assert.deepEqual(names(rows), ["b", "a"]);
});

test("filters hold together: recommendation, state, HTTP status and host", () => {
  const rows = rowsOf({ displayName: "a", action: "disable", status: 401, enabled: true },
    { displayName: "b", action: "delete", status: null, enabled: false },
    { displayName: "c", action: "keep", status: 401, enabled: true },
    { displayName: "d", action: "delete", status: 403, enabled: true });
  assert.deepEqual(names(filterRows(rows, { action: "delete" })), ["b", "d"]);
  assert.deepEqual(names(filterRows(rows, { action: "delete", state: "enabled" })), ["d"]);
  assert.deepEqual(names(filterRows(rows, { action: "delete", state: "disabled" })), ["b"]);
  assert.deepEqual(names(filterRows(rows, { status: "401" })), ["a", "c"]);
  assert.deepEqual(names(filterRows(rows, { status: "none" })), ["b"]);
  assert.deepEqual(names(filterRows(rows, { host: rows[0].host })), ["a", "b", "c", "d"]);
  assert.deepEqual(names(filterRows(rows, { host: "elsewhere.example" })), []);
});

test("values are counted, the most frequent first", () => {
  const rows = rowsOf({ status: 401 }, { status: 200 }, { status: 200 }, { status: null });
  assert.deepEqual(countBy(rows, ({ status }) => String(status ?? "")), [["200", 2], ["401", 1]]);
});

test("a sort in slices gives the order of a sort at once", async () => {
  const rows = rowsOf(...Array.from({ length: 1234 }, (_, at) => ({ displayName: `key ${(at * 7919) % 1234}` })));
  const compare = comparisonOf({ column: "name", descending: true }, []);
  assert.deepEqual(await sortInSlices(rows, compare, new Slices()), [...rows].sort(compare));
  assert.deepEqual(await sortInSlices([], compare, new Slices()), []);
});

test("accounts on hold are a filter of their own, beside the statuses", () => {
  const accounts = [account({ id: 1, onHold: true, lastResult: result({ verdict: "forbidden" }) }),
    account({ id: 2, onHold: true, lastResult: result({ verdict: "healthy" }) }), account({ id: 3, onHold: false })];
  const rows = new Rows().ofPool(new Map(accounts.map((each) => [each.id, each])));
  const ids = (/** @type {Set<string>} */ verdicts) =>
    filterRows(rows, { search: "", verdicts, onHold: true }).map(({ id }) => id);
  assert.deepEqual(ids(new Set()), [1, 2]);
  assert.deepEqual(ids(new Set(["forbidden"])), [1]);
});
