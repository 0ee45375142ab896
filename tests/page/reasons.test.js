import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { useCatalogue } from "../../extension/console/static/language/catalogue.js";
import { windowWords } from "../../extension/console/static/language/quota_windows.js";
import { holdText, problemText, reasonsText } from "../../extension/console/static/language/reasons.js";
import { speakEnglish } from "./english.js";

const CHINESE = new URL("../../extension/texts/zh-CN.json", import.meta.url);
const REFUSED = { code: "key_refused", params: { key_finding: "invalid_key", details: "(HTTP 401)" } };
const DISABLED = { code: "stays_disabled", params: {} };

function speakChinese() {
  useCatalogue("zh-CN", JSON.parse(readFileSync(CHINESE, "utf-8")));
}

test("in English the service's own sentences are shown", () => {
  speakEnglish();
  assert.equal(reasonsText([REFUSED], "Invalid key (HTTP 401)."), "Invalid key (HTTP 401).");
});

test("in another language reasons are phrased from their codes, with the words of their parameters", () => {
  speakChinese();
  assert.equal(reasonsText([REFUSED, DISABLED], "Invalid key."), "密钥无效 (HTTP 401)。已禁用。");
});

test("the windows of a quota are named in words, the models of them are not", () => {
  speakChinese();
  const params = { names: "5 h", windows: " (5 h 100 %, weekly sonnet-5 50 %, code review weekly not told)" };
  const said = reasonsText([{ code: "quota_threshold", params }], "The quota is used up.");
  assert.match(said, /5 小时 \(5 小时 100 %, 每周 sonnet-5 50 %, 代码审查 每周 未报告\)/);
  assert.equal(windowWords("gemini-weekly quota"), "gemini-weekly 额度");
  speakEnglish();
  assert.equal(windowWords("weekly"), "weekly");
});

test("an action on hold is phrased from its code, and a refused one by the reason of the refusal", () => {
  speakChinese();
  assert.equal(holdText({ code: "disable_limit", params: { limit: 5 } }, "On hold."),
    "暂缓：一次任务最多禁用 5 个账号（disableLimit）。");
  assert.equal(holdText(DISABLED, "Already disabled."), "已禁用。");
});

test("an amount in a reason has separators, and the number of something has none", () => {
  speakChinese();
  assert.match(holdText({ code: "no_success", params: { probes: 1661 } }, ""), /1,661/);
  assert.match(reasonsText([{ code: "run_active", params: { run: 1661 } }], ""), /1661/);
});

test("a code of a newer service, a note of a person and no reason stay as they are", () => {
  speakChinese();
  assert.equal(reasonsText([DISABLED, { code: "of_tomorrow", params: {} }], "Both."), "Both.");
  assert.equal(reasonsText([], "A note."), "A note.");
  assert.equal(reasonsText([], ""), "");
});

test("the problem of one request is phrased by its kind, with words of the gateway behind it", () => {
  speakChinese();
  assert.equal(problemText("timeout: no answer within 15 s"), "没有及时响应");
  assert.equal(problemText("dns: no such host"), "找不到提供商的主机名: no such host");
  assert.deepEqual([problemText(""), problemText("Odd words.")], ["", "Odd words."]);
  speakEnglish();
  assert.equal(problemText("dns: no such host"), "dns: no such host");
});

test("a name of any length is clipped where a sentence quotes it, in any language", () => {
  const provider = `relay ${"w".repeat(10_000)}`;
  const several = { code: "several_keys", params: { provider, count: 2 } };
  const own = `The provider ${provider} has 2 keys and one switch for all of them.`;
  for (const speak of [speakEnglish, speakChinese]) {
    speak();
    for (const said of [reasonsText([several], own), holdText(several, own)]) {
      assert.ok(said.length < 300, String(said.length));
      assert.match(said, /relay w+…/);
    }
  }
  speakEnglish();
  const refused = { code: "gateway_refused", params: { said: "e".repeat(10_000) } };
  assert.equal(reasonsText([refused], "e".repeat(10_000)).length, 400);
});

test("a quoted name leaves the direction of its sentence as it is", () => {
  const several = { code: "several_keys", params: { provider: "\u202eגשר", count: 2 } };
  speakEnglish();
  const said = reasonsText([several], "The provider \u202eגשר has 2 keys.");
  assert.equal(said, "The provider \u2068גשר\u2069 has 2 keys.");
  speakChinese();
  assert.match(reasonsText([several], ""), /\u2068גשר\u2069/);
});
