/** Requests as rows, chips and facts. Pure. */

import type { ExplanationAnswer, SummaryAnswer, UsageView } from "../../connection/api.js";
import { formatUsd, LEAST } from "../../language/amounts.js";
import { currentLocale, text } from "../../language/catalogue.js";
import { clockOptions } from "../../language/clock.js";
import { formatCount, formatLatency, formatTime, UNKNOWN } from "../../language/formats.js";
import type { Tone } from "../../parts/tone.js";
import { missingText, priceNotes, priceText } from "../../usage/cost_parts.js";
import { shownNames } from "../../usage/selection.js";
import type { Choice, Names } from "./read_requests.js";

const MOST_CHIPS = 5;
/** Requests that stay while new ones arrive. */
const MOST_LIVE = 1_000;
const ID = /^(\d{1,15})-(\d{1,15})$/;

/** Return the id of a request, which is its place among all of them. */
export function idOf({ at, seq }: Pick<UsageView, "at" | "seq">): string {
  return `${at}-${seq}`;
}

export function parseId(written: string): { at: number; seq: number } | null {
  const [, at, seq] = ID.exec(written) ?? [];
  return at === undefined ? null : { at: Number(at), seq: Number(seq) };
}

/** Return how names are shown: those of accounts and client keys have others than they are stored by. */
export function nameIn(names: Names | null, by: string, name: string): string {
  const groups = by === "model" || by === "account" || by === "client" ? (names?.groups[by] ?? []) : [];
  const label = groups.find((group) => group.name === name)?.label;
  return shownNames(by, names?.aliases ?? new Map())(name, label);
}

/** Return the names that a choice offers; the one in force is among them. */
export function offered(names: Names | null, by: Choice, current: string): { name: string; label: string }[] {
  const stored = (names?.groups[by] ?? []).map(({ name }) => name).filter(Boolean);
  const all = current && !stored.includes(current) ? [current, ...stored] : stored;
  return all.map((name) => ({ name, label: nameIn(names, by, name) }));
}

/** Return the rows that contain all words of a search, in anything that is shown of them. */
export function searched(rows: readonly UsageView[], search: string, names: Names | null): UsageView[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [...rows];
  return rows.filter((row) => {
    const { model, alias, provider, failure, status, requestId, endpoint } = row;
    const shown = [nameIn(names, "account", row.account), nameIn(names, "client", row.client)];
    const all = [model, alias, provider, failure, status, requestId, endpoint, ...shown].join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Return new requests before those that are shown, each once; both have the newest first. */
export function withNew(rows: readonly UsageView[], arrived: readonly UsageView[]): UsageView[] {
  const shown = new Set(rows.map(({ seq }) => seq));
  return [...arrived.filter(({ seq }) => !shown.has(seq)), ...rows].slice(0, MOST_LIVE);
}

export interface FailureChip {
  /** Filters that it puts into force. */
  filters: { failed: string; failure: string };
  label: string;
  count: number;
  tone: Tone;
}

/** Return chips for all requests, failed ones, and the most frequent failures, with their counts. */
export function chipsOf({ totals, groups }: SummaryAnswer, toneOf: (failure: string) => Tone): FailureChip[] {
  const failures = groups.filter(({ name }) => name).slice(0, MOST_CHIPS);
  return [
    { filters: { failed: "", failure: "" }, label: text("requests.all"), count: totals.requests, tone: "unknown" },
    { filters: { failed: "true", failure: "" }, label: text("usage.failed"), count: totals.failed, tone: "dead" },
    {
      filters: { failed: "false", failure: "" },
      label: text("usage.success"),
      count: totals.requests - totals.failed,
      tone: "good",
    },
    ...failures.map(({ name, figures }) => ({
      filters: { failed: "", failure: name },
      label: name,
      count: figures.requests,
      tone: toneOf(name),
    })),
  ];
}

export function costText({ usd, partial }: Pick<UsageView, "usd" | "partial">): string {
  if (usd === null) return text("requests.unknown");
  return (partial ? LEAST : "") + formatUsd(usd);
}

/** Return a time of today, and an earlier one with its date. */
export function timeText(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const parts = isToday ? ({ second: "2-digit" } as const) : ({ month: "short", day: "numeric" } as const);
  const options = { ...parts, hour: "numeric", minute: "2-digit", ...clockOptions() } as const;
  return new Intl.DateTimeFormat(currentLocale(), options).format(at);
}

export function resultText({ failure, status }: Pick<UsageView, "failure" | "status">): string {
  return failure || (status ? String(status) : text("requests.good"));
}

/** Return what is known of a request beside its cost, each with the filter that its value is. */
export function factsOf(
  request: UsageView,
  names: Names | null,
): { label: string; value: string; by?: string; name?: string }[] {
  const { at, model, alias, account, client, provider, failure, endpoint, tier, latencyMs, ttftMs, requestId } =
    request;
  const filtered = (by: string, label: string, name: string) => ({ label, value: nameIn(names, by, name), by, name });
  const facts = [
    { label: text("requests_column.time"), value: formatTime(at) },
    failure
      ? filtered("failure", text("requests.result"), failure)
      : { label: text("requests.result"), value: resultText(request) },
    filtered("model", text("requests_column.model"), model),
    { label: text("requests.requested_as"), value: alias === model ? "" : alias },
    filtered("account", text("requests_column.account"), account),
    filtered("client", text("requests_column.client"), client),
    filtered("provider", text("usage_by.provider"), provider),
    { label: text("requests.endpoint"), value: endpoint },
    { label: text("requests.tier"), value: tier },
    { label: text("requests_column.latency"), value: formatLatency(latencyMs) },
    { label: text("requests_column.first"), value: ttftMs ? formatLatency(ttftMs) : UNKNOWN },
    { label: text("requests_column.tokens"), value: formatCount(request.tokens.total) },
    { label: text("requests.id"), value: requestId },
  ];
  return facts.filter(({ value }) => value);
}

/** Return why the cost of a request is what it is, or is not known. */
export function costNotes(request: UsageView, { prices: [use], unpriced: [missing] }: ExplanationAnswer): string[] {
  const isFree = Number(request.usd) === 0 && request.failure;
  return [
    missing ? missingText(missing) : qualityText(request),
    isFree ? text("requests.refused_is_free") : "",
    request.partial ? text("requests.partial") : "",
    ...(use?.source ? [priceText(use), ...priceNotes(use)] : []),
  ].filter(Boolean);
}

function qualityText({ usd, quality }: UsageView): string {
  if (usd === null) return text("requests.no_price");
  return quality === "unclassified" || quality === "inconsistent" ? text(`requests.${quality}`) : "";
}
