/** Client keys as rows: each that the gateway accepts, that was used lately or has a name. Pure. */

import type { AliasView, BudgetView, ClientKeysAnswer, FiguresView, GroupView } from "../../connection/api.js";
import { formatUsd, LEAST } from "../../language/amounts.js";
import { text, tokenText } from "../../language/catalogue.js";
import { clipped } from "../../language/formats.js";

const SHORT = 12;

/** A key, which the service knows by a keyed hash alone. */
export interface KeyRow {
  fingerprint: string;
  name: string;
  /** First and last characters; empty for a key that the gateway does not have. */
  hint: string;
  /** Whether the gateway accepts it; null where that is not known. */
  isAccepted: boolean | null;
  /** Null without requests in the period. */
  figures: FiguresView | null;
  lastAt: number | null;
}

export interface Keys {
  clientKeys: ClientKeysAnswer;
  budgets: readonly BudgetView[];
  aliases: readonly AliasView[];
  groups: readonly GroupView[];
  /** Time of the newest request by fingerprint. */
  lastTimes: ReadonlyMap<string, number>;
}

/** Return the keys, those with the most requests first; `search` is a part of a name, hint or fingerprint. */
export function rowsOf({ clientKeys, aliases, groups, lastTimes }: Omit<Keys, "budgets">, search = ""): KeyRow[] {
  const figures = new Map(groups.filter(({ name }) => name).map((group) => [group.name, group.figures]));
  const names = new Map(aliases.map(({ fingerprint, alias }) => [fingerprint, alias]));
  const hints = new Map(clientKeys.keys.map(({ fingerprint, hint }) => [fingerprint, hint]));
  const words = search.trim().toLowerCase();
  return [...new Set([...figures.keys(), ...hints.keys(), ...names.keys()])]
    .map((fingerprint) => ({
      fingerprint,
      name: names.get(fingerprint) ?? "",
      hint: hints.get(fingerprint) ?? "",
      isAccepted: clientKeys.supported ? hints.has(fingerprint) : null,
      figures: figures.get(fingerprint) ?? null,
      lastAt: lastTimes.get(fingerprint) ?? null,
    }))
    .filter(({ name, hint, fingerprint }) => `${name} ${hint} ${fingerprint}`.toLowerCase().includes(words));
}

export function shortOf(fingerprint: string): string {
  return `${fingerprint.slice(0, SHORT)}…`;
}

export function titleOf({ name, hint, fingerprint }: Pick<KeyRow, "name" | "hint" | "fingerprint">): string {
  return name || hint || shortOf(fingerprint);
}

/** Return the spend in words: unknown where no request has a price, a least amount where some lack one or a record. */
export function spendText(figures: FiguresView | null, isPartial: boolean): string {
  const { usd, unpriced, requests } = figures ?? { usd: null, unpriced: 0, requests: 0 };
  const least = isPartial || unpriced > 0 ? LEAST : "";
  if (requests === 0) return `${least}${formatUsd(0)}`;
  // What is known to be free, such as a refusal, beside what has no price: zero would be no least amount worth a look.
  if (usd === null || (unpriced > 0 && Number(usd) === 0)) return text("requests.unknown");
  return `${least}${formatUsd(usd)}`;
}

/** Return the requests of a budget in words. */
export function budgetTitle({ scope, subject, name }: Pick<BudgetView, "scope" | "subject" | "name">): string {
  const of = tokenText("budget_of", scope);
  const isUnnamed = scope === "client" && name === subject;
  return name ? `${of} ${isUnnamed ? shortOf(name) : clipped(name)}` : of;
}

/** Return the spend of a budget in words: a least amount where requests lack a price or a record. */
export function budgetSpend({ spent, amount, atLeast }: Pick<BudgetView, "spent" | "amount" | "atLeast">): string {
  return text("keys.budget_spent", { spent: (atLeast ? LEAST : "") + formatUsd(spent), amount: formatUsd(amount) });
}
