import { beforeEach, expect, test } from "vitest";
import { speakEnglish } from "../testing/english.js";
import { settings } from "../testing/samples.js";
import { FIELDS, fieldHint, fieldLabel, flawOf, modeLabel } from "./fields.js";
import { chooseFamily, parseStored, STORAGE_KEY, StoredSettings, switchSource } from "./stored_settings.js";

beforeEach(speakEnglish);

const DEFAULTS = settings();
const FAMILIES = ["all", "compat"];
const fieldOf = (name: string) => {
  const field = FIELDS.find((each) => each.name === name);
  if (!field) throw new Error(name);
  return field;
};

test("every setting of the service is on the page, with a label of its own", () => {
  expect(FIELDS.map(({ name }) => name).sort()).toEqual(Object.keys(DEFAULTS).sort());
  const labels = FIELDS.filter(({ group }) => group).map(fieldLabel);
  expect(new Set(labels).size).toBe(labels.length);
});

test.each([
  ["workers", [1, 256], [0, 257, 1.5, NaN, "7"]],
  ["brakeShare", [0, 1, 0.5], [-0.1, 1.1, NaN]],
  ["probeModel", ["", "a"], ["a\nb", "x".repeat(201), 7]],
  ["brake", [true, false], ["true"]],
  ["decisionPolicy", ["configurable"], ["other"]],
  ["realtimeAutoActions", [{ disable: true, enable: false, delete: false }], [{ disable: true }, null, true]],
])("%s takes what the service takes", (name, good, bad) => {
  for (const value of good) expect(flawOf(fieldOf(name), value)).toBe("");
  for (const value of bad) expect(flawOf(fieldOf(name), value)).not.toBe("");
});

test("a flaw speaks of the field by its label and its range", () => {
  expect(flawOf(fieldOf("workers"), 500)).toBe("Max concurrency must be a whole number from 1 to 256.");
  expect(fieldHint(fieldOf("workers"))).toContain("1 to 256");
});

test("no mode of API keys deletes, and each mode has a label of its own", () => {
  const field = fieldOf("autoActionMode");
  if (field.kind !== "choice" || !field.choices) throw new Error("no choices");
  expect(field.choices(settings({ accountSource: "api_key" }))).toEqual(["none", "disable"]);
  const labels = field.choices(DEFAULTS).map((mode) => modeLabel("oauth", mode));
  expect(new Set(labels).size).toBe(labels.length);
});

test("another source turns automatic actions off and keeps the family of keys", () => {
  const keys = settings({
    accountSource: "api_key",
    apiKeyFamily: "compat",
    targetType: "compat",
    autoActionMode: "disable",
  });
  expect(switchSource(keys, "oauth")).toMatchObject({
    targetType: "all",
    apiKeyFamily: "compat",
    autoActionMode: "none",
  });
  expect(switchSource(switchSource(keys, "oauth"), "api_key").targetType).toBe("compat");
  expect(chooseFamily(keys, "all")).toMatchObject({ targetType: "all", apiKeyFamily: "all" });
  expect(chooseFamily(DEFAULTS, "codex")).toMatchObject({ targetType: "codex", apiKeyFamily: "all" });
});

test("broken and foreign settings are left out and named, the others stay", () => {
  const parse = (stored: unknown) =>
    parseStored(typeof stored === "string" ? stored : JSON.stringify(stored), DEFAULTS, FAMILIES);
  expect(parse("{").ignored).toEqual(["The stored settings are not readable."]);
  const mixed = parse({ workers: 7, timeoutSeconds: 999, foreign: 1, apiKeyFamily: "gone" });
  expect([mixed.settings.workers, mixed.settings.timeoutSeconds, mixed.ignored.length]).toEqual([7, 15, 3]);
  const mode = parse({ accountSource: "api_key", apiKeyFamily: "compat", autoActionMode: "strategy4" });
  expect(mode.settings).toMatchObject({ autoActionMode: "none", targetType: "compat" });
  expect(parseStored(null, DEFAULTS, FAMILIES)).toEqual({ settings: DEFAULTS, ignored: [] });
});

function storageOf(entries: Record<string, string> = {}): Storage {
  const map = new Map(Object.entries(entries));
  return {
    getItem: (name: string) => map.get(name) ?? null,
    setItem: (name: string, value: string) => map.set(name, value),
  } as unknown as Storage;
}

test("settings are stored under the key of the former page, and a reset leaves the accounts in view", () => {
  const storage = storageOf({ [STORAGE_KEY]: JSON.stringify({ accountSource: "api_key", workers: 7 }) });
  const stored = new StoredSettings(() => storage, DEFAULTS, FAMILIES);
  expect(stored.restore()).toEqual([]);
  stored.change({ retries: 3 });
  expect(JSON.parse(storage.getItem("poolkeeper.inspection.settings") ?? "")).toMatchObject({ workers: 7, retries: 3 });
  expect(stored.changed().map(({ name }) => name)).toEqual(["workers", "retries"]);
  stored.reset();
  expect(stored.current.value).toEqual({ ...DEFAULTS, accountSource: "api_key" });
});

test("a browser that refuses storage still has settings", () => {
  const refused = () => {
    throw new Error("refused");
  };
  const stored = new StoredSettings(refused, DEFAULTS, FAMILIES);
  stored.restore();
  stored.change({ workers: 9 });
  expect(stored.current.value.workers).toBe(9);
});
