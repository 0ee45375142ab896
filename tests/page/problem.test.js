import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { problemOf } from "../../extension/console/static/connection/problem.js";
import { useCatalogue } from "../../extension/console/static/language/catalogue.js";
import { speakEnglish } from "./english.js";

const CHINESE = new URL("../../extension/texts/zh-CN.json", import.meta.url);

function speakChinese() {
  useCatalogue("zh-CN", JSON.parse(readFileSync(CHINESE, "utf-8")));
}

/**
 * @param {{error: string, code: string, hint: string, reasons?: object[]}} body
 * @param {string} [retryAfter]
 */
function shown(body, retryAfter = "") {
  const { code, message, hint } = problemOf(409, JSON.stringify(body), retryAfter);
  return { code, message, hint };
}

const ACTIVE = { error: "run 7 is still active", code: "run_active", hint: "stop it first" };

test("in English the service's own error and hint are shown", () => {
  speakEnglish();
  assert.deepEqual(shown(ACTIVE), { code: "run_active", message: "Run 7 is still active.", hint: "Stop it first." });
});

test("in another language an error is phrased from its code, and waits as the service asks for", () => {
  speakChinese();
  assert.deepEqual(shown(ACTIVE), {
    code: "run_active", message: "另一个任务正在进行。", hint: "请等待其结束，或将其停止。",
  });
  assert.match(shown({ ...ACTIVE, code: "busy" }, "30").hint, /请稍后重试。.*30/);
});

test("what an error says beyond its code is phrased from the reasons", () => {
  const body = {
    error: "cron: its hour cannot be read.", code: "bad_setting", hint: "",
    reasons: [{ code: "cron_unreadable", params: { field: "cron", cron_part: "hour" } }],
  };
  speakChinese();
  assert.equal(shown(body).message, "设置不可用：Cron 表达式：小时部分无法使用。");
  speakEnglish();
  assert.equal(shown(body).message, "Cron: its hour cannot be read.");
});

test("what only the service knows stays in the error", () => {
  speakChinese();
  assert.equal(shown({ error: "workers: 1 to 64", code: "bad_setting", hint: "" }).message, "设置不可用：Workers: 1 to 64.");
});

test("an error of a newer service, or of the gateway, stays as it is", () => {
  speakChinese();
  assert.equal(shown({ error: "it broke", code: "of_tomorrow", hint: "" }).message, "It broke.");
});
