import type { GroupView, SeriesAnswer, SummaryAnswer, UsageAnswer, UsageView } from "../../connection/api.js";
import type { Client } from "../../connection/client.js";
import { zoneName, type Period } from "../../usage/periods.js";

/** Parts of the histogram, as many as have room on a phone. */
const PARTS = 60;
/** Names that a choice offers, the most used first. */
const OFFERED = 100;
const MOST_ACCOUNTS = 1_000;

/** Dimensions that the list can be filtered by, among the names that a period has. */
export const CHOICES = ["model", "account", "client"] as const;
export type Choice = (typeof CHOICES)[number];

/** Names of a period, whatever is filtered. */
export interface Names {
  groups: Record<Choice, readonly GroupView[]>;
  /** Names of client keys by fingerprint. */
  aliases: ReadonlyMap<string, string>;
}

export async function readNames(client: Client, period: Period): Promise<Names> {
  const [aliases, ...answers] = await Promise.all([
    client.get("../api-key-aliases"),
    ...CHOICES.map((by) =>
      client.get("../usage/summary", { ...period, by, limit: by === "account" ? MOST_ACCOUNTS : OFFERED }),
    ),
  ]);
  const [model, account, ofClient] = answers.map(({ groups }) => groups);
  return {
    groups: { model, account, client: ofClient },
    aliases: new Map(aliases.aliases.map(({ fingerprint, alias }) => [fingerprint, alias])),
  };
}

/** Requests of a period that pass the filters, with their counts. */
export interface Requests {
  answer: UsageAnswer;
  /** Sums by failure. */
  summary: SummaryAnswer;
  series: SeriesAnswer;
}

export async function readRequests(
  client: Client,
  period: Period,
  filters: Record<string, string>,
  limit: number,
): Promise<Requests> {
  const names = Object.fromEntries(Object.entries(filters).filter(([name]) => !name.startsWith("fail")));
  const zone = zoneName();
  const [answer, summary, series] = await Promise.all([
    client.get("../usage", { ...period, ...filters, limit }),
    client.get("../usage/summary", { ...period, ...names, by: "failure" }),
    client.get("../usage/series", { ...period, ...filters, zone, points: PARTS }),
  ]);
  return { answer, summary, series };
}

/** Read the request of an id: it is the first one before the place that follows it. */
export async function readRequest(
  client: Client,
  { at, seq }: Pick<UsageView, "at" | "seq">,
): Promise<UsageView | null> {
  const { events } = await client.get("../usage", { start: at, end: at + 1, before: `${at}-${seq + 1}`, limit: 1 });
  return events.find((request) => request.seq === seq) ?? null;
}
