import assert from "node:assert/strict";
import test from "node:test";

import { takeOutUnusable, unusableText } from "../../extension/console/static/shell/link_values.js";
import { QueryState } from "../../extension/console/static/shell/query_state.js";
import { speakEnglish } from "./english.js";

speakEnglish();

/**
 * @param {import("../../extension/console/static/shell/page_table.js").PageName} name
 * @param {string} search
 */
function taken(name, search) {
  const location = { pathname: "/monitor/x", search };
  Object.assign(globalThis, { window: { history: { replaceState: (/** @type {null} */ _, /** @type {string} */ __,
    /** @type {string} */ address) => { location.search = new URL(address, "http://x").search; } } } });
  const odd = takeOutUnusable(name, new QueryState(() => /** @type {Location} */ (location)),
    { source: "api_key", families: ["all", "claude"] });
  return [odd.map(([key]) => key).join(), location.search];
}

test("values that a page knows stay in the address", () => {
  for (const [name, search] of /** @type {const} */ ([
    ["activity", "?batch=12&account=3&actor=anna&action=disable&cause=run&result=applied%2Cunchanged&since=0"],
    ["inspection", "?source=oauth&run=1&account=7&q=relay"], ["prices", "?search=gpt"], ["keys", "?anything=x"],
    ["inspection", "?family=zzz&source=oauth"], ["inspection", "?family=claude&host=a.example"],
    ["inspection", "?verdict=healthy%2Cnone&action=disable&state=old&status=401&onHold=true"],
  ])) assert.deepEqual(taken(name, search), ["", search], name);
});

test("values that a page cannot use are taken out and the others kept", () => {
  for (const [name, search, odd, left] of /** @type {const} */ ([
    ["activity", "?batch=abc&actor=anna", "batch", "?actor=anna"], ["activity", "?batch=-1", "batch", ""],
    ["activity", "?account=99999999999999999999", "account", ""], ["activity", "?cause=foo", "cause", ""],
    ["activity", "?result=applied%2Cfoo", "result", "?result=applied"], ["activity", "?action=Foo1", "action", ""],
    ["activity", "?since=abc", "since", ""], ["activity", `?actor=${"x".repeat(201)}`, "actor", ""],
    ["prices", `?search=${"x".repeat(201)}`, "search", ""],
    ["inspection", "?run=abc&source=foo", "source,run", ""],
    ["inspection", "?verdict=foo&status=9999&q=a", "verdict,status", "?q=a"],
    ["inspection", "?verdict=healthy,nope,none", "verdict", "?verdict=healthy%2Cnone"],
    ["inspection", "?action=foo&state=bar&onHold=maybe", "action,state,onHold", ""],
    ["inspection", "?family=zzz&source=api_key", "family",
      "?source=api_key"], ["inspection", "?family=zzz", "family", ""],
  ])) assert.deepEqual(taken(name, search), [odd, left], search.slice(0, 40));
});

test("values that were left out are named in a sentence, shortened", () => {
  assert.equal(unusableText([["batch", "abc"], ["actor", "x".repeat(300)]]),
    `The link has values that cannot be used here. They were left out: batch=abc, actor=${"x".repeat(39)}…`);
});
