import assert from "node:assert/strict";
import test from "node:test";

import { ApiProblem, problemOf } from "../../extension/console/static/connection/problem.js";
import { controlFor, isRefused } from "../../extension/console/static/layout/refusal.js";
import { speakEnglish } from "./english.js";

speakEnglish();

test("the field that an answer names has the control of its name, or of an object around it", () => {
  const names = ["model", "rates", "rates.input"];
  assert.equal(controlFor("model", names), "model");
  assert.equal(controlFor("rates.input.amount", names), "rates.input");
  assert.equal(controlFor("rates.output", names), "rates");
  assert.equal(controlFor("models", names), "");
  assert.equal(controlFor("", names), "");
});

test("a refused request is one for the form, and a missing answer or the end of the session is not", () => {
  assert.equal(isRefused(problemOf(400, '{"error": "cron: no.", "code": "bad_setting", "field": "cron"}', null)), true);
  for (const status of [401, 500, 503]) {
    assert.equal(isRefused(new ApiProblem({ message: "", code: "", status })), false);
  }
  assert.equal(isRefused(new Error("no answer")), false);
});

test("an error keeps the field that it names", () => {
  assert.equal(problemOf(400, '{"error": "cron: no.", "code": "bad_setting", "field": "cron"}', null).field, "cron");
  assert.equal(problemOf(400, '{"error": "No.", "code": "bad_setting"}', null).field, "");
});
