import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import {
  chosenLanguage, currentLocale, text, tokenText, useCatalogue,
} from "../../extension/console/static/language/catalogue.js";

/** @typedef {import("../../extension/console/static/language/catalogue.js").Key} Key */

/** @param {string} name */
const key = (name) => /** @type {Key} */ (name);
const group = /** @type {"pages"} */ (/** @type {unknown} */ ("status"));

test("a parameter fills its place, and a number is formatted", () => {
  useCatalogue("en", { a: { b: "{name} of {n}" } });
  assert.equal(text(key("a.b"), { name: "x", n: 12_345 }), "x of 12,345");
});

test("the plural form is chosen by n, in the rules of the language", () => {
  useCatalogue("en", { a: { b: { one: "{n} key", other: "{n} keys" } } });
  assert.deepEqual([text(key("a.b"), { n: 1 }), text(key("a.b"), { n: 2 })], ["1 key", "2 keys"]);
  useCatalogue("zh-CN", { a: { b: { other: "{n} 个" } } });
  assert.equal(text(key("a.b"), { n: 1 }), "1 个");
});

test("a missing text is an error by its key, an unknown token its own words", () => {
  useCatalogue("en", { status: { healthy: "Healthy" } });
  assert.throws(() => text(key("a.b")), /no text "a\.b"/);
  assert.deepEqual([tokenText(group, "healthy"), tokenText(group, "brand_new")], ["Healthy", "brand new"]);
});

test("the stored language wins, then the browser's own, then English", () => {
  assert.equal(chosenLanguage("zh-CN", ["en"]), "zh-CN");
  assert.equal(chosenLanguage(null, ["fr", "zh"]), "zh-CN");
  assert.equal(chosenLanguage(null, ["en-GB", "zh"]), "en");
  assert.equal(chosenLanguage("xx", []), "en");
});

test("numbers and times follow the browser's variant of the language", () => {
  useCatalogue("en", {});
  assert.equal(currentLocale(["de", "en-GB"]), "en-GB");
  assert.equal(currentLocale(["de"]), "en");
});

test("a number before a noun chooses its plural", () => {
  const nouns = "accounts|actions|changes|days|entries|files|hosts|hours|minutes|requests|results|rows|runs|tokens";
  const counted = new RegExp(`\\{\\w+\\}( \\w+)? (${nouns})\\b`);
  const english = JSON.parse(readFileSync(new URL("../../extension/texts/en.json", import.meta.url), "utf-8"));
  // Sentences of the service, which has texts of its own, and numbers that are never one.
  const others = new Set(["reason", "hold_reason", "prices.above", "terminal.more_actions"]);
  const found = Object.entries(english).flatMap(([section, texts]) => Object.entries(texts)
    .filter(([name, said]) => typeof said === "string" && counted.test(said)
      && !others.has(section) && !others.has(`${section}.${name}`))
    .map(([name]) => `${section}.${name}`));
  assert.deepEqual(found, []);
});
