import assert from "node:assert/strict";
import test from "node:test";

import { panelKey } from "../../extension/console/static/session/panel_key.js";

const PLACE = { origin: "http://127.0.0.1:8317", host: "127.0.0.1:8317", browser: "A browser/1.0" };
const STATE = { apiBase: PLACE.origin, managementKey: "a-kéy", rememberPassword: true };

/**
 * What the panel stores: the text under a mask of its own, host and browser.
 *
 * @param {unknown} value
 */
function hidden(value) {
  const mask = new TextEncoder().encode(`cli-proxy-api-webui::secure-storage|${PLACE.host}|${PLACE.browser}`);
  const bytes = new TextEncoder().encode(JSON.stringify(value)).map((byte, at) => byte ^ mask[at % mask.length]);
  return `enc::v1::${btoa(String.fromCharCode(...bytes))}`;
}

/** @param {string | null} stored */
function keyOf(stored) {
  return panelKey(() => ({ getItem: (name) => (name === "cli-proxy-auth" ? stored : null) }), PLACE);
}

test("the key that the panel remembers for this gateway is found", () => {
  assert.equal(keyOf(hidden({ state: STATE, version: 0 })), "a-kéy");
  assert.equal(keyOf(JSON.stringify({ state: STATE })), "a-kéy");
});

test("a key for another gateway is not offered", () => {
  assert.equal(keyOf(hidden({ state: { ...STATE, apiBase: "https://elsewhere.example" } })), "");
});

test("a panel that remembers nothing, or in another form, has no key", () => {
  const unusable = [
    null, "", "enc::v1::", "enc::v1::%%%", "enc::v2::abcd", "{}", "null", hidden(null), hidden({ state: {} }),
    hidden({ state: { ...STATE, managementKey: undefined } }), hidden({ state: { ...STATE, managementKey: 7 } }),
  ];
  for (const stored of unusable) assert.equal(keyOf(stored), "");
});

test("a browser that refuses its storage has no key", () => {
  assert.equal(panelKey(() => { throw new Error("refused"); }, PLACE), "");
});
