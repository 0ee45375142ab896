import { beforeEach, expect, test } from "vitest";
import { speakEnglish } from "../../testing/english.js";
import { account, result, type SampleAccount } from "../../testing/samples.js";
import { comparisonOf, NO_FILTERS, readOrderOf, Scan, type Filters } from "./query.js";
import { RowBook, type Row } from "./rows.js";
import { Slices, sortInSlices } from "./slices.js";

beforeEach(speakEnglish);

type Fields = Partial<Omit<SampleAccount, "lastResult">> & { result?: Parameters<typeof result>[0] };

function rowsOf(...list: Fields[]): Row[] {
  const book = new RowBook();
  return list.map(({ result: found, ...fields }, at) =>
    book.ofAccount(
      account({
        id: at + 1,
        displayName: `key-${at + 1}`,
        ...fields,
        lastResult: found ? result({ account: at + 1, ...found }) : null,
      }),
    ),
  );
}

function scanned(rows: readonly Row[], filters: Partial<Filters>, now = 0): Scan {
  const scan = new Scan({ ...NO_FILTERS, ...filters }, now);
  for (const row of rows) scan.take(row);
  return scan;
}

const ids = (rows: readonly Row[], filters: Partial<Filters>, now = 0) =>
  scanned(rows, filters, now).passing.map(({ id }) => id);
const DAY = 24 * 3_600_000;

test("a search needs every word somewhere in the row, in any case", () => {
  const rows = rowsOf({ displayName: "Alpha" }, { displayName: "beta", label: "not alpha" });
  expect(ids(rows, { search: "  ALPHA " })).toEqual([1, 2]);
  expect(ids(rows, { search: "alpha beta" })).toEqual([2]);
  expect(ids(rows, { search: "gamma" })).toEqual([]);
});

test("each filter selects, and they hold together", () => {
  const rows = rowsOf(
    { result: { action: "disable", verdict: "invalid_key", status: 401 } },
    { result: { action: "delete", verdict: "revoked", status: null }, enabled: false },
    { result: { action: "keep", verdict: "healthy", status: 401 }, onHold: true, baseUrl: "https://other.example/v1" },
    {},
  );
  const table: [Partial<Filters>, number[]][] = [
    [{ tones: new Set(["dead"]) }, [1]],
    [{ tones: new Set(["dead", "you"]) }, [1, 2]],
    [{ statuses: new Set(["healthy"]) }, [3]],
    [{ statuses: new Set([""]) }, [4]],
    [{ action: "delete" }, [2]],
    [{ state: "disabled" }, [2]],
    [{ state: "not_on_hold" }, [1, 2, 4]],
    [{ http: "401" }, [1, 3]],
    [{ http: "none" }, [2, 4]],
    [{ host: "other.example" }, [3]],
    [{ onHold: true }, [3]],
    [{ http: "401", tones: new Set(["dead"]) }, [1]],
    [{ state: "constructor" }, [1, 2, 3, 4]],
  ];
  for (const [filters, expected] of table) expect(ids(rows, filters)).toEqual(expected);
});

test("old results are those of accounts in checks of more than seven days ago", () => {
  const at = (days: number) => ({ result: { at: days * DAY } });
  const rows = rowsOf(at(1), at(3), {}, { ...at(1), enabled: false }, { ...at(1), neverProbe: true });
  expect(ids(rows, { state: "old" }, 9 * DAY)).toEqual([1]);
  expect(ids(rows, { state: "in_checks" })).toEqual([1, 2, 3]);
});

test("a chip promises as many rows as it shows: its count respects host, search and every other filter", () => {
  const rows = rowsOf(
    { baseUrl: "https://a.example", result: { verdict: "invalid_key", status: 401 } },
    { baseUrl: "https://b.example", result: { verdict: "invalid_key", status: 401 } },
    { baseUrl: "https://b.example", result: { verdict: "healthy" } },
    { baseUrl: "https://b.example", result: { verdict: "rate_limited", status: 429 }, onHold: true },
  );
  for (const filters of [
    { host: "b.example" },
    { search: "b.example" },
    { host: "b.example", http: "401" },
    { onHold: true },
  ]) {
    const { tones, onHold } = scanned(rows, filters).counts;
    for (const [tone, n] of tones) expect(ids(rows, { ...filters, tones: new Set([tone]) })).toHaveLength(n);
    expect(ids(rows, { ...filters, onHold: true })).toHaveLength(onHold);
  }
  expect(scanned(rows, { host: "a.example" }).counts.tones.get("good")).toBeUndefined();
  expect(scanned(rows, { tones: new Set(["good"]) }).counts.tones.get("dead")).toBe(2);
});

test("the accounts in view are those of source, family and provider filter, which is for keys alone", () => {
  const rows = rowsOf(
    { provider: "openai-compatible-relay", baseUrl: "https://Relay.example" },
    { family: "vendor-b-apikey", provider: "claude", baseUrl: "" },
    { accountSource: "oauth", family: "", provider: "claude", fileName: "relay.json" },
  );
  const inScope = (scope: Partial<Filters["scope"]>) => scanned(rows, { scope: { ...NO_FILTERS.scope, ...scope } });
  expect(inScope({ source: "oauth", family: "claude" }).passing.map(({ id }) => id)).toEqual([3]);
  expect(inScope({ source: "api_key", family: "vendor-b-apikey" }).passing.map(({ id }) => id)).toEqual([2]);
  expect(inScope({ source: "api_key", provider: "RELAY" }).passing.map(({ id }) => id)).toEqual([1]);
  const { sources, total } = inScope({ source: "api_key", provider: "relay" }).counts;
  expect([sources, total]).toEqual([{ api_key: 2, oauth: 1 }, 1]);
});

test("the capsule and the plan count the accounts in view, whatever the filters of the list", () => {
  const rows = rowsOf(
    { result: { action: "disable", verdict: "invalid_key" } },
    { result: { action: "disable", verdict: "provider_error" }, onHold: true },
    { result: { action: "enable" }, enabled: false },
    { result: { action: "disable" }, switch: "none" },
    { enabled: null },
  );
  const { total, enabled, disabled, toDisable, toEnable, toDelete, onHoldInScope } = scanned(rows, {
    search: "nothing",
  }).counts;
  expect({ total, enabled, disabled }).toEqual({ total: 5, enabled: 3, disabled: 1 });
  expect({ toDisable, toEnable, toDelete, onHoldInScope }).toEqual({
    toDisable: 1,
    toEnable: 1,
    toDelete: 0,
    onHoldInScope: 1,
  });
});

const names = (rows: readonly Row[], order: string) => [...rows].sort(comparisonOf(order)).map(({ name }) => name);

test("the list begins with what needs somebody, and equal rows keep the order of names in both directions", () => {
  const rows = rowsOf(
    { displayName: "b", result: { verdict: "healthy", latencyMs: null } },
    { displayName: "a", result: { verdict: "healthy", latencyMs: 5 } },
    { displayName: "d", result: { verdict: "rate_limited", latencyMs: 900 } },
    { displayName: "c", result: { verdict: "revoked" } },
    { displayName: "e", result: { verdict: "invalid_key" } },
  );
  expect(names(rows, "")).toEqual(["e", "c", "d", "a", "b"]);
  expect(names(rows, "verdict.desc")).toEqual(["a", "b", "d", "c", "e"]);
  expect(names(rows, "name")).toEqual(["a", "b", "c", "d", "e"]);
  expect(names(rows, "latencyMs").slice(-1)).toEqual(["b"]);
  for (const odd of ["nothing", "constructor", "select.desc"]) expect(names(rows, odd)).toEqual(names(rows, ""));
});

test("the order is asked of the service for the accounts that are read first", () => {
  expect(readOrderOf("")).toEqual({ sort: "verdict", descending: true });
  expect(readOrderOf("name.desc")).toEqual({ sort: "displayName", descending: true });
  expect(readOrderOf("host")).toEqual({ sort: "baseUrl", descending: false });
});

test("a sort in slices gives the order of a sort at once", async () => {
  const rows = rowsOf(...Array.from({ length: 1_234 }, (_, at) => ({ displayName: `key ${(at * 7919) % 1_234}` })));
  const compare = comparisonOf("name.desc");
  expect(await sortInSlices(rows, compare, new Slices())).toEqual([...rows].sort(compare));
  expect(await sortInSlices([], compare, new Slices())).toEqual([]);
});
