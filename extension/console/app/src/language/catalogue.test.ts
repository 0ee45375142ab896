import { beforeEach, expect, test, vi } from "vitest";
import { speakEnglish } from "../testing/english.js";
import { chosenLanguage, currentLocale, text, tokenText, useCatalogue, type Group, type Key } from "./catalogue.js";
import { formatAge, formatCount, formatDuration, formatLatency, formatStatus, formatTime } from "./formats.js";
import { reasonsText } from "./reasons.js";

const key = "a.b" as Key;

beforeEach(() => {
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
  speakEnglish();
});

test("a parameter fills its place, and a number is formatted", () => {
  useCatalogue("en", { a: { b: "{name} of {n}" } });
  expect(text(key, { name: "x", n: 12_345 })).toBe("x of 12,345");
});

test("the plural form is chosen by n, in the rules of the language", () => {
  useCatalogue("en", { a: { b: { one: "{n} key", other: "{n} keys" } } });
  expect([text(key, { n: 1 }), text(key, { n: 2 })]).toEqual(["1 key", "2 keys"]);
  useCatalogue("zh-CN", { a: { b: { other: "{n} 个" } } });
  expect(text(key, { n: 1 })).toBe("1 个");
});

test("a missing text is an error by its key, an unknown token its own words", () => {
  useCatalogue("en", { status: { healthy: "Healthy" } });
  expect(() => text(key)).toThrow(/no text "a\.b"/);
  const group = "status" as Group;
  expect([tokenText(group, "healthy"), tokenText(group, "brand_new")]).toEqual(["Healthy", "brand new"]);
});

test.each([
  ["zh-CN", ["en"], "zh-CN"],
  [null, ["fr", "zh"], "zh-CN"],
  [null, ["en-GB", "zh"], "en"],
  ["xx", [], "en"],
] as const)("the stored language %s wins over %j: %s", (stored, preferred, tag) => {
  expect(chosenLanguage(stored, preferred)).toBe(tag);
});

test("numbers and times follow the browser's variant of the language", () => {
  expect(currentLocale(["de", "en-GB"])).toBe("en-GB");
  expect(currentLocale(["de"])).toBe("en");
  expect(formatCount(12_345)).toBe("12,345");
  expect(formatTime(Date.UTC(2001, 5, 15, 12, 30))).toMatch(/^15 Jun 2001/);
  useCatalogue("zh-CN", {});
  expect(formatTime(Date.UTC(2001, 5, 15, 12, 30))).toMatch(/^2001年6月15日/);
});

test.each([
  [() => formatLatency(999.4), "999 ms"],
  [() => formatLatency(1234), "1.23 s"],
  [() => formatLatency(12_345), "12.3 s"],
  [() => formatLatency(null), "–"],
  [() => formatDuration(400), "under 1 s"],
  [() => formatDuration(61_000), "1 min 1 s"],
  [() => formatDuration(3_660_000), "1 h 1 min"],
  [() => formatAge(59_999), "just now"],
  [() => formatAge(3_600_000), "1 h ago"],
  [() => formatAge(48 * 3_600_000), "2 days ago"],
  [() => formatStatus(0), "0, no answer"],
  [() => formatStatus(401), "401"],
])("%o is %s", (format, expected) => {
  expect(format()).toBe(expected);
});

test("text from outside that is written from right to left leaves the direction of its sentence as it is", () => {
  const reason = { code: "several_keys", params: { provider: "\u202eגשר", count: 2 } };
  expect(reasonsText([reason], "The provider \u202eגשר has 2 keys.")).toBe("The provider \u2068גשר\u2069 has 2 keys.");
});
