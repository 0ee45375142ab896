import assert from "node:assert/strict";
import test from "node:test";

import { flawOf, ratesOf } from "../../extension/console/static/pages/prices/price_form.js";
import { speakEnglish } from "./english.js";

speakEnglish();

/**
 * @param {Record<string, string>} fields
 * @param {string} [model]
 */
function said(fields, model = "gpt-5") {
  const flaw = flawOf({ model, rates: ratesOf(fields, {}) });
  return flaw ? [flaw.field, flaw.message] : null;
}

test("amounts that the service takes have no flaw", () => {
  for (const amount of ["0", "0.15", "2", "0,5", "0,125", "1,25", "1000000"]) {
    assert.equal(said({ output: amount }), null, amount);
  }
  assert.equal(said({ input: "1" }, "gpt-5*"), null);
});

test("an amount that is no price is refused in words that name its field", () => {
  for (const amount of ["abc", "1,250", "1,250,000", "-1", "1e3", "1.2.3", "$2", "1000001", "99999999", "1."]) {
    assert.deepEqual(said({ input: "1", output: amount }),
      ["rates.output", "Output: enter an amount in US dollars such as 0.15, from 0 to 1,000,000."], amount);
  }
});

test("a price without an amount, and one of a name with a star within, are refused", () => {
  assert.deepEqual(said({}), ["rates.input", "Enter at least one amount."]);
  assert.deepEqual(said({ input: "1" }, "gpt*5"),
    ["model", "A star stands for the rest of a name: it can only be the last character."]);
});
