import assert from "node:assert/strict";
import test from "node:test";

import { SETTING_LIMITS } from "../../extension/console/static/_generated_constants.js";
import { valueLabel, fieldHint, fieldLabel, FIELDS, flawOf } from "../../extension/console/static/settings/fields.js";
import { settings } from "./samples.js";
import { speakEnglish } from "./english.js";

speakEnglish();

/** @param {string} name */
function field(name) {
  const found = FIELDS.find((each) => each.name === name);
  assert.ok(found, name);
  return found;
}

test("each setting of the service is a field, once", () => {
  assert.deepEqual(FIELDS.map(({ name }) => name).sort(), Object.keys(settings()).sort());
  assert.equal(new Set(FIELDS.map(fieldLabel)).size, FIELDS.length);
});

test("each field has a label, and each one of the form a hint or values that speak for themselves", () => {
  for (const each of FIELDS) assert.notEqual(fieldLabel(each), each.name);
  for (const each of FIELDS.filter(({ scope, kind }) => !scope && kind !== "choice")) {
    assert.match(fieldHint(each), /\.$/, each.name);
    assert.doesNotMatch(fieldHint(each), /[{}]/, each.name);
  }
});

test("each value of a choice has words, except for a path", () => {
  for (const each of FIELDS) {
    if (each.kind !== "choice" || each.name === "autoActionMode") continue;
    for (const value of each.values) assert.equal(valueLabel(each, value) === value, value.startsWith("/"), value);
  }
});

test("the service's defaults are sound", () => {
  const defaults = settings();
  for (const each of FIELDS) assert.equal(flawOf(each, defaults[each.name]), "", each.name);
});

test("a count holds to its limits and to whole numbers", () => {
  const { least, most } = SETTING_LIMITS.workers;
  for (const value of [least, most]) assert.equal(flawOf(field("workers"), value), "");
  for (const value of [least - 1, most + 1, 1.5, NaN, "8", null]) assert.notEqual(flawOf(field("workers"), value), "");
});

test("a share is a number from zero to one", () => {
  for (const value of [0, 0.5, 1]) assert.equal(flawOf(field("brakeShare"), value), "");
  for (const value of [-0.1, 1.1, NaN, Infinity, "0.5"]) assert.notEqual(flawOf(field("brakeShare"), value), "");
});

test("a text is one line within its length", () => {
  const { maxLength } = SETTING_LIMITS.probeModel;
  assert.equal(flawOf(field("probeModel"), "x".repeat(maxLength)), "");
  for (const value of ["x".repeat(maxLength + 1), "two\nlines", "\u0000", 3]) {
    assert.notEqual(flawOf(field("probeModel"), value), "");
  }
});

test("switches are all there, and each is on or off", () => {
  assert.equal(flawOf(field("realtimeAutoActions"), { disable: true, enable: false, delete: false }), "");
  for (const value of [null, 1, {}, { disable: true, enable: true }, { disable: 1, enable: true, delete: true },
    { disable: true, enable: true, delete: true, more: true }]) {
    assert.notEqual(flawOf(field("realtimeAutoActions"), value), "");
  }
});

test("a choice is one of its values", () => {
  assert.equal(flawOf(field("modelsPath"), "/models"), "");
  assert.notEqual(flawOf(field("modelsPath"), "/v9/models"), "");
});
