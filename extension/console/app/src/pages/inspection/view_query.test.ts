import { beforeEach, expect, test } from "vitest";
import { speakEnglish } from "../../testing/english.js";
import { settings } from "../../testing/samples.js";
import { filtersOf, scopeOf, searchOf, settingsFor, unusableValues } from "./view_query.js";

beforeEach(speakEnglish);

const FAMILIES = ["all", "compat", "vendor-b-apikey"];
const getOf = (query: string) => {
  const values = new URLSearchParams(query);
  return (name: string) => values.get(name) ?? "";
};
const scope = (query: string) => scopeOf(getOf(query), FAMILIES);

test("a pasted whole key becomes its tail, a name that an account shows stays as it was typed", () => {
  const key = "sk-live-0123456789abcdefghij9f3c";
  const isShown = (words: string) => "eu-west-relay.example.internal".includes(words);
  expect(searchOf(key, isShown)).toBe("9f3c");
  expect(searchOf(` ${key} `, isShown)).toBe("9f3c");
  expect(searchOf("eu-west-relay.example", isShown)).toBe("eu-west-relay.example");
  expect(searchOf("401 invalid_api_key", isShown)).toBe("401 invalid_api_key");
});

test("without a source the address names all accounts, family and provider belong to one", () => {
  expect(scope("")).toEqual({ source: "", family: "all", provider: "" });
  expect(scope("family=compat&provider=x")).toEqual({ source: "", family: "all", provider: "" });
  expect(scope("source=api_key&family=compat&provider=x")).toEqual({
    source: "api_key",
    family: "compat",
    provider: "x",
  });
  expect(scope("source=api_key&family=unknown").family).toBe("all");
  expect(scope("source=oauth&family=codex&provider=x")).toEqual({ source: "oauth", family: "codex", provider: "" });
});

test("filters are taken from the address, what it cannot mean is left out and named", () => {
  const query =
    "verdict=forbidden,none,odd&tone=dead,odd&action=odd&state=old&status=401&onHold=true&sort=zzz.desc&run=x&source=both";
  const filters = filtersOf(getOf(query), scope(query));
  expect([...filters.statuses]).toEqual(["forbidden", ""]);
  expect([...filters.tones]).toEqual(["dead"]);
  expect([filters.action, filters.state, filters.http, filters.onHold]).toEqual(["", "old", "401", true]);
  expect(unusableValues(getOf(query), FAMILIES).map(([name]) => name)).toEqual([
    "source",
    "tone",
    "verdict",
    "action",
    "run",
    "sort",
  ]);
  expect(unusableValues(getOf("source=oauth&account=3&sort=name.desc&q=x"), FAMILIES)).toEqual([]);
});

test("a run checks the accounts in view; another source turns its automatic actions off", () => {
  const stored = settings({
    accountSource: "api_key",
    targetType: "compat",
    apiKeyFamily: "compat",
    autoActionMode: "disable",
    providerFilter: "eu",
  });
  expect(settingsFor(stored, scope(""))).toBe(stored);
  const files = settingsFor(stored, scope("source=oauth&family=codex"));
  expect(files).toMatchObject({
    accountSource: "oauth",
    targetType: "codex",
    apiKeyFamily: "compat",
    autoActionMode: "none",
    providerFilter: "eu",
  });
  const keys = settingsFor(stored, scope("source=api_key&family=vendor-b-apikey&provider=us"));
  expect(keys).toMatchObject({
    targetType: "vendor-b-apikey",
    apiKeyFamily: "vendor-b-apikey",
    autoActionMode: "disable",
    providerFilter: "us",
  });
});
