/** Actions as lines, one a batch, below the headings of their days. Pure. */

import { OUTCOMES, type ActionView, type ActionsAnswer, type Source } from "../../connection/api.js";
import { csvText } from "../../connection/save_file.js";
import { text, tokenText, type Key } from "../../language/catalogue.js";
import { clipped, formatActor } from "../../language/formats.js";
import { reasonsText } from "../../language/reasons.js";
import type { Tone } from "../../parts/tone.js";
import { searchOf } from "../../shell/palette_model.js";

export const PERIODS = ["24h", "7d", "30d", "all"] as const;
export type Period = (typeof PERIODS)[number];
/** Which lines are shown. */
export const FACETS = ["all", "automatic", "people", "undone", "failed", "deleted"] as const;
export type Facet = (typeof FACETS)[number];

const DAY_MS = 24 * 3_600_000;
const DAYS: Record<Period, number> = { "24h": 1, "7d": 7, "30d": 30, all: 0 };
const KINDS = ["disable", "enable", "delete", "restore", "sign_in", "edit"] as const;
const NAMED = 3;
const TONES: Record<string, Tone> = { good: "good", bad: "dead", neutral: "unknown" };

/** All actions of one command. */
export interface Line {
  id: string;
  batch: number | null;
  run: number | null;
  at: number;
  actor: string;
  isAutomatic: boolean;
  cause: ActionView["cause"];
  /** In the order in which they were made. */
  actions: readonly ActionView[];
  /** Applied switches that nobody has undone. */
  undoable: readonly ActionView[];
  /** Accounts of deleted files that can be written back. */
  restorable: readonly number[];
  undone: number;
  failed: number;
}

/** Return the time from which on a period counts; undefined for all times. */
export function sinceOf(period: Period, now: number): number | undefined {
  return DAYS[period] ? now - DAYS[period] * DAY_MS : undefined;
}

/** Group actions, the newest first, by their command. `kept` are accounts whose deleted file can be restored. */
export function linesOf(
  { actions, reverted }: Pick<ActionsAnswer, "actions" | "reverted">,
  kept: Iterable<number>,
): Line[] {
  const groups = Map.groupBy(actions, ({ id, batch }) => (batch === null ? `action-${id}` : String(batch)));
  const undone = new Set(reverted);
  // A file can be deleted, restored and deleted again: the newest deletion is the one that is taken back.
  const restorable = new Set(kept);
  return [...groups].map(([id, members]) => {
    const [{ batch, run, at, actor, actorKind, cause }] = members;
    const applied = members.filter(({ outcome }) => outcome === "applied");
    return {
      id,
      batch,
      run,
      at,
      actor,
      isAutomatic: actorKind === "automation",
      cause,
      actions: members.toReversed(),
      undoable: applied.filter((each) => ["disable", "enable", "edit"].includes(each.action) && !undone.has(each.id)),
      restorable: applied
        .filter((each) => each.action === "delete" && restorable.delete(each.account))
        .map(({ account }) => account),
      undone: members.filter((each) => undone.has(each.id)).length,
      failed: members.filter(({ outcome }) => OUTCOMES[outcome] === "bad").length,
    };
  });
}

/** Return whether a line is one of a facet. */
export function isOf(line: Line, facet: Facet): boolean {
  switch (facet) {
    case "automatic":
      return line.isAutomatic;
    case "people":
      return !line.isAutomatic;
    case "undone":
      return line.undone > 0;
    case "failed":
      return line.failed > 0;
    case "deleted":
      return line.restorable.length > 0;
    default:
      return true;
  }
}

/** Return the lines that hold every word; of a pasted key only the end is looked for. */
export function searched(lines: readonly Line[], typed: string): Line[] {
  const words = searchOf(typed).toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [...lines];
  return lines.filter((line) => {
    const own = `${formatActor(line.actor)} ${tokenText("cause", line.cause)}`;
    const all = [own, ...line.actions.map(wordsOf)].join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

function wordsOf({ account, displayName, keyHint, place, reason, text: said, action }: ActionView): string {
  return [`#${account}`, displayName, keyHint, place, reason, said, action].join(" ");
}

/** Return lines by their days in local time, in order. */
export function daysOf(lines: readonly Line[]): [day: number, lines: Line[]][] {
  return [...Map.groupBy(lines, ({ at }) => new Date(at).setHours(0, 0, 0, 0))];
}

/** Return what a command did, in words. */
export function titleOf({ actions, isAutomatic, run, cause }: Line): string {
  const effective = actions.filter(({ outcome }) => outcome === "applied" || outcome === "pending");
  const counts = KINDS.map((kind) => [kind, effective.filter(({ action }) => String(action) === kind).length] as const)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => text(`activity.did_${kind}` as Key, { n }));
  const [only] = effective;
  const named = actions.length === 1 && only ? text(`activity.one_${only.action}` as Key, { name: nameOf(only) }) : "";
  const did = named || counts.join(", ") || text("activity.did_nothing");
  if (cause === "undo") return text("activity.undid", { did });
  return isAutomatic && run !== null ? text("activity.by_run", { run: String(run), did }) : did;
}

/** Return the names of a few accounts of a command; of a single one, which the title names, what became of it. */
export function namesOf({ actions }: Line): string {
  const [action] = actions;
  if (actions.length === 1 && ["applied", "pending"].includes(action.outcome)) return outcomeText(action);
  const names = actions.slice(0, NAMED).map(nameOf).join(", ");
  return actions.length > NAMED ? `${names} ${text("count.more", { n: actions.length - NAMED })}` : names;
}

export function nameOf({ displayName, keyHint, account }: ActionView): string {
  return [clipped(displayName) || `#${account}`, keyHint].filter(Boolean).join(" ");
}

/** Return the source of the account of an action: a file's place is its name, a key's a number in a section. */
export function sourceOf({ keyHint, place }: Pick<ActionView, "keyHint" | "place">): Source | null {
  if (keyHint || (/^[\w-]+\[\d+\]/.test(place) && !place.endsWith(".json"))) return "api_key";
  return place ? "oauth" : null;
}

export function toneOf({ outcome }: Pick<ActionView, "outcome">): Tone {
  return TONES[OUTCOMES[outcome]];
}

/** Return what became of an action, in words, with its reason or note. */
export function outcomeText(action: ActionView): string {
  const reason = reasonsText(action.reasons, action.reason);
  const said = action.outcome === "applied" ? "" : reasonsText(action.texts, action.text);
  return [tokenText("outcome", action.outcome), said, reason].filter(Boolean).join(" · ");
}

/** Return lines as CSV, a row an action. */
export function csvOf(lines: readonly Line[]): string {
  const head = ["time", "batch", "run", "actor", "cause", "account", "name", "keyHint", "place", "action", "outcome"];
  const rows = lines.flatMap(({ actions }) =>
    actions.map((each) => [
      new Date(each.at).toISOString(),
      each.batch,
      each.run,
      each.actor,
      each.cause,
      each.account,
      each.displayName,
      each.keyHint,
      each.place,
      each.action,
      each.outcome,
      each.text,
      each.reason,
    ]),
  );
  return csvText([[...head, "text", "reason"], ...rows]);
}
