import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

import { readableLiterals } from "./literals.js";

const PAGE = new URL("../../extension/console/static/", import.meta.url);

/** Texts that look like words and are not, or that are the same in every language, each with the reason. */
const EXCEPTIONS = new Map([
  ["Poolkeeper", "name of the product"],
  ["· Poolkeeper", "name of the product, in the title of the window"],
  ["LiteLLM", "name of a price list"],
  ["summary, h1, [tabindex='-1']", "selector of the elements that can take the focus"],
  ["relogin_needed,revoked", "two statuses in a query"],
  ["plain small", "classes of a button"],
  ["plain small danger-text", "classes of a button"],
  ["area part", "classes of a mark"],
  ["mailto://, slack://, https://", "starts of addresses"],
  ["https://", "start of an address"],
  ["UTC", "name of a time zone"],
  ["enc::v1::", "mark of a hidden value of the gateway's panel"],
  ["cli-proxy-api-webui::secure-storage", "text that the gateway's panel hides values with"],
  ["ApiProblem", "name of an error class"],
]);

/** @param {string} source */
const textsIn = (source) => readableLiterals(source).map(({ text }) => text);

test("every text of the page that a person reads is in the catalogue", () => {
  const modules = readdirSync(PAGE, { recursive: true, encoding: "utf-8" })
    .filter((name) => name.endsWith(".js") && !name.includes("_generated")).sort();
  assert.ok(modules.length > 100);
  const found = modules.flatMap((name) => readableLiterals(readFileSync(new URL(name, PAGE), "utf-8"))
    .filter(({ text }) => !EXCEPTIONS.has(text)).map(({ line, text }) => `${name}:${line} ${text}`));
  assert.deepEqual(found, []);
});

test("a sentence, a label, a part of a template and a lone word to show are found", () => {
  assert.deepEqual(textsIn('show("No answer yet.");'), ["No answer yet."]);
  assert.deepEqual(textsIn('const LABELS = { keep: "Keep" };'), ["Keep"]);
  assert.deepEqual(textsIn(["show(`$", "{n} changed`);"].join("")), ["changed"]);
  assert.deepEqual(textsIn('element("p", { text: "defaults" });'), ["defaults"]);
  assert.deepEqual(textsIn('node.title = "off"; node.textContent = wide ? "more" : "";'), ["off", "more"]);
  assert.deepEqual(textsIn('node.setAttribute("aria-label", "close");'), ["close"]);
  assert.deepEqual(textsIn('node.append("none");'), ["none"]);
});

test("keys, selectors, styles and errors for developers are no texts", () => {
  assert.deepEqual(textsIn('import { a } from "./Some where.js"; throw new Error("No row has this name.");'), []);
  assert.deepEqual(textsIn('element("p", { class: "plain small" }); root.querySelector("table caption");'), []);
  assert.deepEqual(textsIn('if (event.key === "ArrowDown") label("settings_form.reset");'), []);
});
