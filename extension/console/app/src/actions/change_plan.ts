/** Plans of changes, as a question to a person: what is written where, what is left out and why, what is lost. */

import type { CommandAnswer, PlannedView, PlanView } from "../connection/api.js";
import { accountName, type NamedAccount } from "../accounts/account_name.js";
import { hostName } from "../accounts/host_name.js";
import type { Client } from "../connection/client.js";
import { hasText, text, tokenText } from "../language/catalogue.js";
import { holdText, reasonsText } from "../language/reasons.js";
import type { Command } from "./command.js";
import { joined } from "./reversal.js";

export type Verb = "disable" | "enable" | "delete";

/** Account as far as a plan needs it. */
export interface ChangedAccount extends NamedAccount {
  /** Place that a status change is written to: `entry`, `provider`, `file` or `none`. */
  switch: string;
  lastResult: { verdict: string } | null;
}

export interface Wish {
  verb: Verb;
  accounts: readonly ChangedAccount[];
}

/** Accounts of which one sentence is true. */
export interface Section {
  text: string;
  names: readonly (NamedAccount & { reason?: string })[];
}

/** Changes on hold at one host, which can be included. */
export interface HeldHost {
  host: string;
  /** Each reason once, with the number of accounts where there are several. */
  reasons: readonly string[];
  entries: readonly PlannedView[];
}

export interface Question {
  title: string;
  verb: string;
  isDangerous: boolean;
  lines: readonly string[];
  warning: string;
  sections: readonly Section[];
  held: readonly HeldHost[];
  /** Parts of config.yaml that the gateway drops with the change. */
  losses: readonly string[];
  /** Number that has to be typed; 0 where none has to. */
  typed: number;
  /** Number of changes without those on hold. */
  size: number;
  asksWhy: boolean;
  /** Whether it is a switch of one account's own entry or file, with nothing on hold and nothing lost. */
  isPlain: boolean;
  perform: (command: Command, how: Answer) => Promise<CommandAnswer>;
}

export interface Answer {
  note: string;
  included: readonly PlannedView[];
}

const HEALTHY = "healthy";
/** Accounts that are healthy or were never checked, from which on their number has to be typed to disable them. */
export const TYPED_FROM = 100;

/** Ask the service what changes would do. `includesHeld`: the changes on hold are what is asked for. */
export async function readQuestion(
  client: Client,
  wishes: readonly Wish[],
  { includesHeld = false } = {},
): Promise<Question> {
  const asked = wishes.filter(({ accounts }) => accounts.length);
  const plans = await Promise.all(
    asked.map(({ verb, accounts }) =>
      client.post("pool/plan", { accounts: accounts.map(({ id }) => id), action: verb }),
    ),
  );
  return questionOf(client, asked, plans, includesHeld);
}

export function questionOf(
  client: Client,
  wishes: readonly Wish[],
  plans: readonly PlanView[],
  includesHeld: boolean,
): Question {
  const all = wishes.flatMap(({ accounts }) => accounts);
  const isAlone = all.length === 1;
  // One account that was chosen by itself is changed although it is on hold.
  const takesHeld = isAlone || includesHeld;
  const changes = wishes.map((wish, at) => changeOf(wish, plans[at], takesHeld));
  const changed = changes.flatMap(({ accounts }) => accounts);
  const reaped = changes.filter(({ verb }) => verb !== "enable").flatMap(({ accounts }) => accounts);
  const healthy = reaped.filter(({ lastResult }) => lastResult?.verdict === HEALTHY).length;
  const sound = healthy + reaped.filter(({ lastResult }) => !lastResult).length;
  const held = takesHeld ? [] : plans.flatMap((plan) => plan.held);
  const left = changes.flatMap(({ leftOut }) => leftOut);
  return {
    title: titleOf(wishes, changed.length, isAlone ? all[0] : null),
    verb: wishes.length === 1 ? text(`bulk.${wishes[0].verb}`) : text("plan.apply"),
    isDangerous: wishes.some(({ verb }) => verb === "delete"),
    lines: linesOf(changed, plans, { isAlone, includesHeld, left: left.length, held: held.length }),
    warning:
      !isAlone && healthy
        ? text(`plan.healthy_${wishes[0].verb === "delete" ? "delete" : "disable"}`, { n: healthy })
        : "",
    sections: [...changes.flatMap(({ sections }) => sections), ...leftSections(left)],
    held: heldHosts(held),
    losses: [...new Set(plans.flatMap(({ losses = [] }) => losses))],
    typed: sound >= TYPED_FROM ? sound : 0,
    size: changed.length,
    asksWhy: changed.length + held.length > 0,
    isPlain:
      isAlone &&
      changed.length === 1 &&
      wishes[0].verb !== "delete" &&
      ["entry", "file"].includes(changed[0].switch) &&
      !plans.some((plan) => plan.held.length || plan.losses?.length),
    perform: (command, how) => perform(client, changes, command, how),
  };
}

interface Change {
  verb: Verb;
  accounts: readonly ChangedAccount[];
  released: readonly number[];
  sections: Section[];
  leftOut: readonly PlannedView[];
}

function changeOf({ verb, accounts }: Wish, plan: PlanView, takesHeld: boolean): Change {
  const entries = [...plan.applied, ...(takesHeld ? plan.held : [])];
  const planned = new Map(entries.map((entry) => [entry.account, entry]));
  const changed = accounts.filter(({ id }) => planned.has(id));
  const groups = Map.groupBy(changed, (account) => `${verb === "delete" ? "file" : account.switch}_${verb}`);
  const sections = [...groups].map(([write, group]) => ({
    text: hasText(`written.${write}`) ? text(`written.${write}` as "written.file_delete", { n: group.length }) : "",
    names: group.map((account) => ({ ...account, reason: reasonOf(planned.get(account.id)) })),
  }));
  const leftOut = [...plan.refused, ...plan.already, ...plan.notEnabled];
  return {
    verb,
    accounts: changed,
    released: takesHeld ? plan.held.map(({ account }) => account) : [],
    sections,
    leftOut,
  };
}

function reasonOf(entry: PlannedView | undefined): string {
  return entry ? reasonsText(entry.reasons, entry.reason) : "";
}

function titleOf(wishes: readonly Wish[], size: number, alone: ChangedAccount | null): string {
  if (wishes.length !== 1) return text("plan.question_many", { n: size });
  const [{ verb }] = wishes;
  if (!size) return text(`plan.nothing_${verb}`);
  const subject = alone ? accountName(alone) : text("count.accounts", { n: size });
  return text("plan.question", { verb: text(`bulk.${verb}`), subject });
}

function linesOf(
  changed: readonly ChangedAccount[],
  plans: readonly PlanView[],
  { isAlone, includesHeld, left, held }: { isAlone: boolean; includesHeld: boolean; left: number; held: number },
): string[] {
  if (isAlone) {
    const holds = plans.flatMap((plan) => plan.held.map((entry) => holdText(entry, entry.against)));
    const statuses = changed.map(({ lastResult }) => statusOf(lastResult?.verdict));
    return [
      ...statuses.map((status) => text("plan.account_status", { status })),
      ...holds.map((reason) => text("plan.held_anyway", { reason })),
    ];
  }
  const lines = [];
  if (changed.length) {
    const counts = Map.groupBy(changed, ({ lastResult }) => lastResult?.verdict ?? "none");
    const parts = [...counts]
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([status, { length: n }]) => text("plan.counted", { n, outcome: statusOf(status) }));
    lines.push(text("plan.by_status", { counts: parts.join(", ") }));
  }
  if (includesHeld) lines.push(text("plan.anyway"));
  if (left + held) lines.push(text(held ? "plan.left_total_held" : "plan.left_total", { n: left + held, held }));
  return lines;
}

function statusOf(verdict: string | undefined): string {
  return tokenText("status", verdict || "none");
}

function leftSections(left: readonly PlannedView[]): Section[] {
  return [...Map.groupBy(left, (entry) => holdText(entry, entry.against))].map(([reason, entries]) => ({
    text: text("plan.not_changed", { n: entries.length, reason }),
    names: entries.map(namedOf),
  }));
}

export function namedOf({ account, displayName, keyHint, place }: PlannedView): NamedAccount {
  return { id: account, displayName, keyHint, place };
}

export function heldHosts(held: readonly PlannedView[]): HeldHost[] {
  return [...Map.groupBy(held, ({ host }) => host)].map(([host, entries]) => ({
    host: hostName(host),
    reasons: countedReasons(entries.map((entry) => holdText(entry, entry.against))),
    entries,
  }));
}

/** Return each reason once, the most frequent first; one reason alone needs no number. */
export function countedReasons(reasons: readonly string[]): string[] {
  const counts = [...Map.groupBy(reasons, (reason) => reason)];
  if (counts.length < 2) return counts.map(([reason]) => reason);
  return counts
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, { length: n }]) => text("hold.counted", { n, reason }));
}

async function perform(
  client: Client,
  changes: readonly Change[],
  command: Command,
  { note, included }: Answer,
): Promise<CommandAnswer> {
  let answer: CommandAnswer | null = null;
  for (const { verb, accounts, released } of changes) {
    const extra = included.filter(({ action }) => action === verb).map(({ account }) => account);
    const ids = [...new Set([...accounts.map(({ id }) => id), ...extra])];
    const freed = [...released, ...extra];
    if (!ids.length) continue;
    const body = {
      accounts: ids,
      ...(freed.length ? { released: freed } : {}),
      ...(note ? { reason: note } : {}),
    };
    const done: CommandAnswer = await command.carryOut(
      (manner) =>
        verb === "delete"
          ? client.post("pool/delete", { ...body, background: true })
          : client.post("pool/status", { ...body, disabled: verb === "disable", ...manner }),
      { accounts: ids },
    );
    answer = joined(answer, done);
  }
  return answer ?? { batch: null, actions: [] };
}
