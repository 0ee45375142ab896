import assert from "node:assert/strict";
import test from "node:test";

import { isHeldNow, Rows } from "../../extension/console/static/table/rows.js";
import { account, filterRows, result } from "./samples.js";
import { speakEnglish } from "./english.js";

speakEnglish();

test("a row of the pool carries the last result of its account", () => {
  const inspected = account({ lastResult: result({ verdict: "forbidden", status: 403 }) });
  const [row] = new Rows().ofPool(new Map([[1, inspected]]));
  assert.equal(row.verdict, "forbidden");
  assert.equal(row.status, 403);
});

test("an account that was never inspected has neither verdict nor status", () => {
  const [row] = new Rows().ofPool(new Map([[1, account()]]));
  assert.deepEqual([row.verdict, row.action, row.status, row.latencyMs], ["", "", null, null]);
});

test("a run shows an account's state of now, and of then where the account is gone", () => {
  const results = new Map([[1, result({ enabled: true })], [2, result({ account: 2, enabled: true })]]);
  const rows = new Rows().ofRun(results, new Map([[1, account({ enabled: false })]]), new Set());
  assert.deepEqual(rows.map((row) => [row.id, row.enabled]), [[1, false], [2, true]]);
  assert.equal(rows[1].account, null);
});

test("a run shows what it recommended and put on hold, also after that was done or released", () => {
  const results = new Map([1, 2, 3].map((id) => [id, result({ account: id, action: "disable" })]));
  const accounts = new Map([[1, account({ enabled: false })], [2, account({ id: 2, enabled: false })],
    [3, account({ id: 3, onHold: true })]]);
  const rows = new Rows();
  const shown = rows.ofRun(results, accounts, new Set([2]));
  assert.deepEqual(shown.map(({ action, onHold }) => [action, onHold]),
    [["disable", false], ["disable", true], ["disable", false]]);
  assert.deepEqual(filterRows(shown, { action: "disable" }).map(({ id }) => id), [1, 2, 3]);
  assert.deepEqual(filterRows(shown, { onHold: true }).map(({ id }) => id), [2]);
  const now = new Map([...accounts].map(([id, each]) => [id, { ...each, lastResult: results.get(id) ?? null }]));
  assert.deepEqual(rows.ofPool(now).map(({ action, onHold }) => [action, onHold]),
    [["keep", false], ["keep", false], ["disable", true]]);
});

test("what an old run put on hold is so no more where a newer run holds the account", () => {
  const of = (/** @type {number} */ newest) => {
    const held = account({ onHold: true, lastResult: result({ run: newest }) });
    const results = new Map([[1, result({ run: 1, action: "disable" })]]);
    return new Rows().ofRun(results, new Map([[1, held]]), new Set([1]))[0];
  };
  assert.equal(isHeldNow(of(1)), true);
  assert.equal(isHeldNow(of(4)), false);
  const held = account({ onHold: true, lastResult: result({ run: 4 }) });
  assert.equal(isHeldNow(new Rows().ofPool(new Map([[1, held]]))[0]), true);
});

test("the family of a file is its type", () => {
  const file = account({ accountSource: "oauth", family: "", provider: "codex" });
  assert.equal(new Rows().ofPool(new Map([[1, file]]))[0].family, "codex");
});

test("a row stays the same object until its account or its result changes", () => {
  const rows = new Rows();
  const first = account();
  const [before] = rows.ofPool(new Map([[1, first]]));
  const [same] = rows.ofPool(new Map([[1, first]]));
  const [changed] = rows.ofPool(new Map([[1, { ...first, enabled: false }]]));
  assert.equal(same, before);
  assert.notEqual(changed, before);
});

test("a row is found by key hint and place, those of the check before those of now", () => {
  const now = account({ keyHint: "sk-a…9f3c", place: "claude-api-key[5]" });
  const [row] = new Rows().ofPool(new Map([[1, now]]));
  assert.ok(row.text.includes("sk-a…9f3c") && row.text.includes("claude-api-key[5]"));

  const then = result({ keyHint: "sk-b…0000", place: "claude-api-key[4]" });
  const [gone] = new Rows().ofRun(new Map([[1, then]]), new Map(), new Set());
  assert.deepEqual([gone.keyHint, gone.place], ["sk-b…0000", "claude-api-key[4]"]);
  const [old] = new Rows().ofRun(new Map([[1, result()]]), new Map([[1, now]]), new Set());
  assert.deepEqual([old.keyHint, old.place], ["sk-a…9f3c", "claude-api-key[5]"]);
});

test("a row never contradicts itself: words about a disabled account go when it is enabled", () => {
  const last = result({
    action: "enable", reason: "Key accepted (HTTP 200). Disabled, can be enabled again.",
    reasons: [{ code: "key_accepted", params: {} }, { code: "can_be_enabled", params: {} }],
  });
  const [then] = new Rows().ofPool(new Map([[1, account({ enabled: false, lastResult: last })]]));
  assert.deepEqual([then.action, then.reason], ["enable", last.reason]);
  const [now] = new Rows().ofPool(new Map([[1, account({ enabled: true, lastResult: last })]]));
  assert.deepEqual([now.action, now.reason], ["keep", "Key accepted (HTTP 200)."]);
});

test("a recommendation that has been carried out is not recommended any more", () => {
  const last = result({ action: "disable", reason: "Invalid key (HTTP 401).", reasons: [] });
  const [row] = new Rows().ofPool(new Map([[1, account({ enabled: false, lastResult: last })]]));
  assert.equal(row.action, "keep");
});

test("an account that was kept because it was disabled is recommended for disabling once it is enabled", () => {
  const last = result({
    action: "keep", reason: "Invalid key (HTTP 401). Already disabled.",
    reasons: [{ code: "key_refused", params: {} }, { code: "stays_disabled", params: {} }],
  });
  const rows = [false, true].map((enabled) => account({ enabled, lastResult: last }));
  assert.deepEqual(rows.map((each) => new Rows().ofPool(new Map([[1, each]]))[0].action), ["keep", "disable"]);
});

test("the host of a row is that of its base URL in lower case, or the vendor without one", () => {
  const hosts = [
    { baseUrl: "https://Relay.Example:8443/v1?x" }, { baseUrl: "", provider: "Claude" }, { baseUrl: "relay/v1" },
  ].map((given, index) => account({ id: index, ...given }));
  const rows = new Rows().ofPool(new Map(hosts.map((each) => [each.id, each])));
  assert.deepEqual(rows.map(({ host }) => host), ["relay.example:8443", "claude", "compatible-relay"]);
});
