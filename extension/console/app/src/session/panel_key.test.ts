import { expect, test } from "vitest";
import { panelKey } from "./panel_key.js";

const PLACE = { origin: "http://127.0.0.1:8317", host: "127.0.0.1:8317", browser: "A browser/1.0" };
const STATE = { apiBase: PLACE.origin, managementKey: "a-kéy", rememberPassword: true };

/** Return what the panel stores: the text under a mask of its own, host and browser. */
function masked(value: unknown): string {
  const mask = new TextEncoder().encode(`cli-proxy-api-webui::secure-storage|${PLACE.host}|${PLACE.browser}`);
  const bytes = new TextEncoder().encode(JSON.stringify(value)).map((byte, at) => byte ^ mask[at % mask.length]);
  return `enc::v1::${btoa(String.fromCharCode(...bytes))}`;
}

test.each([
  ["masked", masked({ state: STATE, version: 0 }), "a-kéy"],
  ["plain", JSON.stringify({ state: STATE }), "a-kéy"],
  ["for another gateway", masked({ state: { ...STATE, apiBase: "https://elsewhere.example" } }), ""],
  ["nothing", null, ""],
  ["empty", "", ""],
  ["no base64", "enc::v1::%%%", ""],
  ["another version", "enc::v2::abcd", ""],
  ["no state", "{}", ""],
  ["no key", masked({ state: { ...STATE, managementKey: 7 } }), ""],
])("the panel's key, stored %s", (_, stored, key) => {
  const storage = { getItem: (name: string) => (name === "cli-proxy-auth" ? stored : null) };
  expect(panelKey(() => storage, PLACE)).toBe(key);
});

test("a browser that refuses its storage has no key", () => {
  const refusing = () => {
    throw new Error("refused");
  };
  expect(panelKey(refusing, PLACE)).toBe("");
});
