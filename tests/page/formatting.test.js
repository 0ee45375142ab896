import assert from "node:assert/strict";
import test from "node:test";

import {
  accountName, formatAge, formatCount, formatDuration, formatLatency,
  formatPercent, formatStatus, formatTime, placedName, words,
} from "../../extension/console/static/formatting.js";
import { text, useCatalogue } from "../../extension/console/static/language/catalogue.js";
import { speakEnglish } from "./english.js";

// The locale of a browser; that of the machine is not the test's.
const speakAs = (/** @type {string} */ tag) => {
  Object.defineProperty(globalThis, "navigator", { value: { languages: [tag] }, configurable: true });
  speakEnglish();
};
speakAs("en-GB");

test("a count has separators", () => {
  assert.equal(formatCount(12_345), "12,345");
});

test("numbers and times are those of the language in use", (context) => {
  context.after(speakEnglish);
  useCatalogue("zh-CN", {});
  assert.match(formatTime(Date.UTC(2001, 5, 15, 12, 30)), /^2001年6月15日/);
  speakEnglish();
  assert.match(formatTime(Date.UTC(2001, 5, 15, 12, 30)), /^15 Jun 2001/);
});

test("a time names its year only when it is another one", () => {
  const now = new Date();
  const sameYear = formatTime(Date.UTC(now.getUTCFullYear(), 5, 15, 12, 30, 5));
  assert.match(sameYear, /^15 Jun\D+12:30:05$/);
  assert.match(formatTime(Date.UTC(2001, 5, 15, 12)), /2001/);
  assert.equal(formatTime(null), "–");
});

test("a latency is exact in milliseconds and rounded in seconds", () => {
  assert.equal(formatLatency(0), "0 ms");
  assert.equal(formatLatency(999.4), "999 ms");
  assert.equal(formatLatency(1234), "1.23 s");
  assert.equal(formatLatency(12_345), "12.3 s");
  assert.equal(formatLatency(null), "–");
});

test("an unknown percentage is said in the caller's words", () => {
  assert.equal(formatPercent(40.26, "unknown"), "40.3 %");
  assert.equal(formatPercent(0, "unknown"), "0 %");
  assert.equal(formatPercent(null, "unknown"), "unknown");
  assert.equal(formatPercent(1234.56, "unknown"), "1,234.6 %");
});

test("numbers within a text follow the variant of the language that those beside it follow", (context) => {
  context.after(() => speakAs("en-GB"));
  speakAs("en-IN");
  assert.equal(formatCount(166_100), "1,66,100");
  assert.equal(text("count.accounts", { n: 166_100 }), "1,66,100 accounts");
});

test("a duration has at most two units", () => {
  assert.equal(formatDuration(400), "under 1 s");
  assert.equal(formatDuration(59_400), "59 s");
  assert.equal(formatDuration(61_000), "1 min 1 s");
  assert.equal(formatDuration(3_660_000), "1 h 1 min");
});

test("an age is rounded down to minutes, hours or days", () => {
  assert.equal(formatAge(-5), "just now");
  assert.equal(formatAge(59_999), "just now");
  assert.equal(formatAge(60_000), "1 min ago");
  assert.equal(formatAge(60 * 60_000), "1 h ago");
  assert.equal(formatAge(48 * 60 * 60_000), "2 days ago");
});

test("a status of zero is no answer, and none is no probe", () => {
  assert.equal(formatStatus(0), "0, no answer");
  assert.equal(formatStatus(401), "401");
  assert.equal(formatStatus(null), "–");
});

test("a file is named by its file name, a key by its name and number", () => {
  assert.equal(accountName({ id: 7, displayName: "relay" }), "relay #7");
  assert.equal(accountName({ id: 7, displayName: "relay", keyHint: "sk-a…9f3c" }), "relay #7 (sk-a…9f3c)");
  assert.equal(accountName({ id: 7, displayName: "a@b.c", fileName: "codex-a.json" }), "a@b.c, codex-a.json");
  assert.equal(accountName({ id: 7, displayName: "x.json", fileName: "x.json" }), "x.json");
});

test("a token reads as words", () => {
  assert.equal(words("rate_limited_twice"), "rate limited twice");
});

test("a question names the place of an account, and a file once", () => {
  const key = { id: 3, displayName: "claude", keyHint: "sk-a…9f3c", place: "claude-api-key[5]" };
  assert.equal(placedName(key), "claude #3 (sk-a…9f3c), claude-api-key[5]");
  const file = { id: 4, displayName: "anna", fileName: "anna.json", place: "anna.json" };
  assert.equal(placedName(file), "anna, anna.json");
  assert.equal(placedName({ id: 5, displayName: "relay", place: "" }), "relay #5");
  assert.ok(placedName({ id: 5, displayName: "x".repeat(10_000), place: "y".repeat(10_000) }).length < 400);
});
