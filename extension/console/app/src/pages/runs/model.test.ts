import { beforeEach, expect, test } from "vitest";
import { VERDICTS, type PictureView } from "../../connection/api.js";
import { speakEnglish } from "../../testing/english.js";
import {
  comparisonOf,
  durationOf,
  isActive,
  originOf,
  pictureText,
  statusesOf,
  toneOfState,
  toneOfVerdict,
  tonesOf,
} from "./model.js";

beforeEach(speakEnglish);

test("each status says who has to act", () => {
  const tones = Object.groupBy(Object.keys(VERDICTS), toneOfVerdict);
  expect(tones).toEqual({
    good: ["healthy"],
    dead: ["invalid_key", "forbidden", "revoked", "rejected"],
    you: ["relogin_needed", "no_base_url"],
    wait: ["out_of_quota", "rate_limited", "blocked"],
    provider: ["provider_error", "unreachable"],
    unknown: ["inconclusive", "skipped", "unknown"],
  });
});

test("the statuses of a run stand in one order, without those that no account has", () => {
  const verdicts = { unreachable: 1, healthy: 20, invalid_key: 0, forbidden: 3 };
  expect(statusesOf({ verdicts })).toEqual([
    { verdict: "healthy", n: 20, tone: "good" },
    { verdict: "forbidden", n: 3, tone: "dead" },
    { verdict: "unreachable", n: 1, tone: "provider" },
  ]);
});

test("a row counts accounts by who has to act, with the names of the statuses", () => {
  expect(tonesOf({ verdicts: { healthy: 20, invalid_key: 2, forbidden: 3 } })).toEqual([
    { tone: "good", n: 20, title: "Healthy 20" },
    { tone: "dead", n: 5, title: "Invalid key 2, Forbidden 3" },
  ]);
});

test.each([
  [["3", "7"], { run: 7, against: 3 }],
  [["7", "3"], { run: 7, against: 3 }],
  [["7"], { run: 7, against: null }],
  [[], null],
  [["1", "2", "3"], null],
  [["x", "-4"], null],
])("the address %j compares %j", (written, comparison) => {
  expect(comparisonOf(written)).toEqual(comparison);
});

test("a run names its schedule, also one that is gone, or the surface that a person used", () => {
  const names = new Map([[4, "Nightly"]]);
  expect(originOf({ schedule: 4, startedBy: "schedule" }, names)).toBe("Nightly");
  expect(originOf({ schedule: 5, startedBy: "schedule" }, names)).toBe("schedule 5");
  expect(originOf({ schedule: null, startedBy: "page" }, names)).toBe("web");
});

test("a run that goes on has taken the time until now", () => {
  expect(durationOf({ startedAt: 1_000, finishedAt: 13_000 }, 99_000)).toBe("12 s");
  expect(durationOf({ startedAt: 1_000, finishedAt: null }, 121_000)).toBe("2 min 0 s");
  expect(["running", "paused", "finished"].map((state) => isActive({ state } as never))).toEqual([true, true, false]);
  expect(["running", "finished", "failed", "interrupted"].map(toneOfState)).toEqual([
    "provider",
    "good",
    "dead",
    "wait",
  ]);
});

test("a side of a comparison is a status with state and recommendation, or says that the account was not there", () => {
  const picture = { verdict: "healthy", enabled: null, action: "keep" } as PictureView;
  expect(pictureText(picture, "gone")).toBe("Healthy, state unknown, recommended: keep");
  expect(pictureText({ ...picture, enabled: false, action: "enable" }, "gone")).toBe(
    "Healthy, disabled, recommended: enable",
  );
  expect(pictureText(null, "gone")).toBe("gone");
});
