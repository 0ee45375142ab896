import { beforeEach, expect, test } from "vitest";
import { speakEnglish } from "../../testing/english.js";
import { fieldsOf, formOf } from "./entry.js";

const SHOWN = {
  baseUrl: "https://a.example/v1",
  priority: 3,
  prefix: "team",
  models: [
    { name: "llama3:8b", alias: "small" },
    { name: "two", alias: "two" },
    { name: "bare", alias: "" },
  ],
  headers: { "X-Auth-Token": "••••", "X-Url": "http://x:1" },
};

beforeEach(speakEnglish);

test("a form that is sent as it was filled changes nothing", () => {
  const form = formOf(SHOWN);
  expect(form.models).toBe("llama3:8b → small\ntwo\nbare");
  expect(form.headers).toBe("X-Auth-Token: ••••\nX-Url: http://x:1");
  expect(fieldsOf(form, SHOWN)).toEqual(SHOWN);
});

test.each(["new -> n", "new=>n", "  new  →  n  "])("%j is a model with an alias", (models) => {
  expect(fieldsOf({ ...formOf(SHOWN), models }, SHOWN)).toMatchObject({ models: [{ name: "new", alias: "n" }] });
});

test.each([
  ["priority", "high", "Enter a whole number."],
  ["models", "→ alias", "This line has no name of a model: → alias"],
  ["headers", "no header", "This line is no header: no header"],
  ["headers", "X-Empty:", "This line is no header: X-Empty:"],
] as const)("a field %s of %j is refused", (name, value, words) => {
  expect(fieldsOf({ ...formOf(SHOWN), [name]: value }, SHOWN)).toEqual({ problems: { [name]: words } });
});
