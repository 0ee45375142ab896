import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { useCatalogue } from "../../extension/console/static/language/catalogue.js";
import { Vocabulary } from "../../extension/console/static/table/vocabulary.js";
import { speakEnglish } from "./english.js";

const CHINESE = new URL("../../extension/texts/zh-CN.json", import.meta.url);
const VERDICTS = /** @type {const} */ (["healthy", "of_tomorrow"]).map((token) => ({
  token, label: "Of the service", meaning: "As the service explains it.",
}));

test("the meaning of a status is in the language in use, else as the service explains it", () => {
  const vocabulary = new Vocabulary({ verdicts: VERDICTS, families: [] });
  speakEnglish();
  assert.equal(vocabulary.meaning("healthy"), "As the service explains it.");
  useCatalogue("zh-CN", JSON.parse(readFileSync(CHINESE, "utf-8")));
  assert.equal(vocabulary.meaning("healthy"), "HTTP 2xx，且响应体符合提供商的 API。");
  assert.equal(vocabulary.meaning("of_tomorrow"), "As the service explains it.");
  assert.equal(vocabulary.meaning(""), "");
  assert.equal(vocabulary.meaning("all"), "");
});
