/** Filters of the rows, their counts, and their order. Pure. */

import { OLD_RESULT_MS, RECOMMENDATIONS, type Source } from "../../connection/api.js";
import { parseOrder } from "../../parts/table/columns.js";
import type { Tone } from "../../parts/tone.js";
import { nextChange, type Row } from "./rows.js";

export interface Scope {
  /** Empty: both. */
  source: Source | "";
  /** Family of keys or type of files; `all` for every one. */
  family: string;
  /** Part of provider, label, name, base URL or file; of keys only. */
  provider: string;
}

export interface Filters {
  scope: Scope;
  search: string;
  tones: ReadonlySet<Tone>;
  statuses: ReadonlySet<string>;
  action: string;
  state: string;
  http: string;
  host: string;
  onHold: boolean;
}

export const NO_FILTERS: Filters = {
  scope: { source: "", family: "all", provider: "" },
  search: "",
  tones: new Set(),
  statuses: new Set(),
  action: "",
  state: "",
  http: "",
  host: "",
  onHold: false,
};

const isInChecks = ({ enabled, account }: Row) => enabled !== false && !account?.neverProbe;

const STATES: Record<string, (row: Row, now: number) => unknown> = {
  enabled: ({ enabled }) => enabled === true,
  disabled: ({ enabled }) => enabled === false,
  in_checks: isInChecks,
  old: (row, now) => isInChecks(row) && row.result !== null && row.result.at < now - OLD_RESULT_MS,
  excluded: ({ account }) => account?.neverProbe,
  managed: ({ account }) => account?.managed,
  not_on_hold: ({ onHold }) => !onHold,
  ready: (row) => nextChange(row),
};
export const STATE_FILTERS = Object.keys(STATES);

/** Return whether a row belongs to the accounts in view, which a run would check. */
export function inScope(row: Row, { source, family, provider }: Scope): boolean {
  if (source && row.source !== source) return false;
  if (family !== "all" && row.family !== family) return false;
  if (!provider || row.source !== "api_key") return true;
  const { account } = row;
  const fields = [row.provider, account?.label, account?.compatName, row.baseUrl, account?.fileName];
  const part = provider.toLowerCase();
  return fields.some((field) => field?.toLowerCase().includes(part));
}

export function httpOf({ httpStatus }: Row): string {
  return String(httpStatus ?? "none");
}

type Facet = "tone" | "status" | "action" | "state" | "http" | "host" | "onHold" | "search";
type Condition = [Facet, (row: Row) => unknown];

function conditionsOf(filters: Filters, now: number): Condition[] {
  const { search, tones, statuses, action, state, http, host, onHold } = filters;
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  const conditions: Condition[] = [];
  if (tones.size) conditions.push(["tone", (row) => tones.has(row.tone)]);
  if (statuses.size) conditions.push(["status", (row) => statuses.has(row.status)]);
  if (action) conditions.push(["action", (row) => row.action === action]);
  if (Object.hasOwn(STATES, state)) conditions.push(["state", (row) => STATES[state](row, now)]);
  if (http) conditions.push(["http", (row) => httpOf(row) === http]);
  if (host) conditions.push(["host", (row) => row.host === host]);
  if (onHold) conditions.push(["onHold", (row) => row.onHold]);
  if (terms.length) conditions.push(["search", (row) => terms.every((term) => row.text.includes(term))]);
  return conditions;
}

export interface Counts {
  /** Accounts of each source, whatever the filters. */
  sources: Record<Source, number>;
  /** Accounts in scope, whatever the other filters. */
  total: number;
  enabled: number;
  disabled: number;
  toDisable: number;
  toEnable: number;
  toDelete: number;
  onHoldInScope: number;
  /** Rows by value under all filters but the one on the value itself. */
  tones: Map<Tone, number>;
  statuses: Map<string, number>;
  actions: Map<string, number>;
  https: Map<string, number>;
  hosts: Map<string, number>;
  onHold: number;
}

/** Goes through the rows once: which ones pass all filters, and how many would with another value of each filter. */
export class Scan {
  readonly passing: Row[] = [];
  readonly counts: Counts = {
    sources: { api_key: 0, oauth: 0 },
    total: 0,
    enabled: 0,
    disabled: 0,
    toDisable: 0,
    toEnable: 0,
    toDelete: 0,
    onHoldInScope: 0,
    tones: new Map(),
    statuses: new Map(),
    actions: new Map(),
    https: new Map(),
    hosts: new Map(),
    onHold: 0,
  };
  readonly #conditions: Condition[];

  constructor(
    private readonly filters: Filters,
    now: number,
  ) {
    this.#conditions = conditionsOf(filters, now);
  }

  take(row: Row): void {
    this.counts.sources[row.source] += 1;
    if (!inScope(row, this.filters.scope)) return;
    this.#countScope(row);
    let failing: Facet | null = null;
    for (const [facet, holds] of this.#conditions) {
      if (holds(row)) continue;
      if (failing) return;
      failing = facet;
    }
    if (!failing) this.passing.push(row);
    this.#countFacets(row, failing);
  }

  #countScope(row: Row): void {
    const { counts } = this;
    counts.total += 1;
    if (row.enabled === true) counts.enabled += 1;
    if (row.enabled === false) counts.disabled += 1;
    if (row.onHold) counts.onHoldInScope += 1;
    const change = nextChange(row);
    if (change === "disable") counts.toDisable += 1;
    if (change === "enable") counts.toEnable += 1;
    if (change === "delete") counts.toDelete += 1;
  }

  #countFacets(row: Row, failing: Facet | null): void {
    const { counts } = this;
    const counted = <V>(facet: Facet, map: Map<V, number>, value: V) => {
      if (!failing || failing === facet) map.set(value, (map.get(value) ?? 0) + 1);
    };
    counted("tone", counts.tones, row.tone);
    counted("status", counts.statuses, row.status);
    if (row.action) counted("action", counts.actions, row.action as string);
    counted("http", counts.https, httpOf(row));
    if (row.host) counted("host", counts.hosts, row.host);
    if (row.onHold && (!failing || failing === "onHold")) counts.onHold += 1;
  }
}

/** Columns that rows can be ordered by, as the address names them. */
export const ORDERS = ["name", "verdict", "status", "latencyMs", "host", "action", "enabled", "at", "family"] as const;
export type OrderName = (typeof ORDERS)[number];
type Comparison = (a: Row, b: Row) => number;

/** Return the comparison of an order in the address. Unknown values come last, equal rows keep the order of names. */
export function comparisonOf(written: string): Comparison {
  const order = parseOrder(written);
  const known = ORDERS.find((name) => name === order?.id);
  const compare = known ? COMPARISONS[known] : byStatus;
  const sign = known && order?.desc ? -1 : 1;
  return (a, b) => sign * compare(a, b) || byText(a.sortName, b.sortName) || a.id - b.id;
}

/** Return an order as the service takes it, for the accounts that are read first. Its healthy statuses come first. */
export function readOrderOf(written: string): { sort: string; descending: boolean } {
  const order = parseOrder(written);
  const known = ORDERS.find((name) => name === order?.id);
  const desc = Boolean(known && order?.desc);
  if (!known || known === "verdict") return { sort: "verdict", descending: !desc };
  const sort = { name: "displayName", host: "baseUrl" }[known as string] ?? known;
  return { sort, descending: desc };
}

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const byNumber = (of: (row: Row) => number | null | undefined) => (a: Row, b: Row) =>
  (of(a) ?? Infinity) - (of(b) ?? Infinity) || 0;
const byStatus: Comparison = (a, b) => a.rank - b.rank;
const placeIn = (list: readonly unknown[], value: unknown) => {
  const at = list.indexOf(value);
  return at < 0 ? list.length : at;
};

const COMPARISONS: Record<OrderName, Comparison> = {
  name: (a, b) => byText(a.sortName, b.sortName),
  verdict: byStatus,
  status: byNumber(({ httpStatus }) => httpStatus),
  latencyMs: byNumber(({ result }) => result?.latencyMs),
  host: (a, b) => byText(a.host, b.host),
  action: (a, b) => placeIn(RECOMMENDATIONS, a.action) - placeIn(RECOMMENDATIONS, b.action),
  enabled: (a, b) => placeIn([true, false], a.enabled) - placeIn([true, false], b.enabled),
  at: byNumber(({ result }) => result?.at),
  family: (a, b) => byText(a.family, b.family),
};

/** Return values with their counts, the most frequent first. */
export function byFrequency(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([, a], [, b]) => b - a);
}
