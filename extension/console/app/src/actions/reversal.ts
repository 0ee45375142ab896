/**
 * Reversal of changes: disabled and enabled accounts get their state before back, deleted files are restored. Two
 * requests of the service, one confirmation for the person.
 */

import type { ActionView, CommandAnswer } from "../connection/api.js";
import type { Client } from "../connection/client.js";
import { accountName } from "../accounts/account_name.js";
import { text, tokenText } from "../language/catalogue.js";
import type { Command } from "./command.js";

const SWITCHES = ["disable", "enable"];
const PAGE = 2_000;

export interface Reversal {
  /** All of `switched` belong to this batch, and are undone as a whole; null where they are named one by one. */
  batch: number | null;
  switched: ActionView[];
  deleted: ActionView[];
}

/** Return what can be taken back of some actions; null when nothing can. `kept`: accounts whose deleted file is kept. */
export function reversalOf(
  actions: readonly ActionView[],
  {
    batch = null,
    reverted = [],
    kept,
  }: { batch?: number | null; reverted?: Iterable<number>; kept?: ReadonlySet<number> } = {},
): Reversal | null {
  const done = new Set(reverted);
  const applied = actions.filter(({ outcome }) => outcome === "applied");
  const switched = applied.filter(({ id, action }) => SWITCHES.includes(action) && !done.has(id));
  const deleted = applied.filter(({ account, action }) => action === "delete" && (!kept || kept.has(account)));
  return switched.length || deleted.length ? { batch, switched, deleted } : null;
}

/** Return what takes back a command; null for one that took something back itself. */
export function reversalOfCommand({ batch, actions }: CommandAnswer): Reversal | null {
  if (!batch || batch.cause === "undo") return null;
  const isOne = actions.every((action) => action.batch === batch.id);
  return reversalOf(actions, { batch: isOne ? batch.id : null });
}

export function reversalVerb({ switched }: Reversal): string {
  return text(switched.length ? "dialog.undo" : "dialog.restore");
}

export function reversalOffer({ switched }: Reversal): string {
  return text(switched.length ? "undo.undo" : "undo.restore");
}

export function reversalTitle({ batch, switched, deleted }: Reversal): string {
  const n = switched.length + deleted.length;
  if (n === 1) {
    const [action] = [...switched, ...deleted];
    const name = accountName({ ...action, id: action.account });
    return switched.length
      ? text("log.undo_question", { action: tokenText("action", action.action), name })
      : text("log.restore_question", { name });
  }
  if (!switched.length) return text("log.restore_files_question", { n });
  if (batch === null) return text("log.undo_changes_question", { n });
  return text("log.undo_batch_question", { n, batch: String(batch) });
}

/** Carry out a reversal to its end: the undo first, then the restoration of files. */
export async function carryOutReversal(client: Client, reversal: Reversal, command: Command): Promise<CommandAnswer> {
  const { batch, switched, deleted } = reversal;
  const chosen = batch === null ? { actions: switched.map(({ id }) => id) } : { batch };
  const accounts = deleted.map(({ account }) => account);
  const undone = switched.length
    ? await command.carryOut((manner) => client.post("pool/undo", { ...chosen, ...manner }), {
        cause: "undo",
        accounts: switched.map(({ account }) => account),
      })
    : null;
  const restored = accounts.length
    ? await command.carryOut(() => client.post("pool/restore", { accounts, background: true }), { accounts })
    : null;
  return joined(undone, restored);
}

/** Return two answers as one. */
export function joined(first: CommandAnswer | null, second: CommandAnswer | null): CommandAnswer {
  if (!first || !second) return first ?? second ?? { batch: null, actions: [] };
  return { batch: second.batch, actions: [...first.actions, ...second.actions] };
}

/** Read the changes on the results of a run that stand; deletions are restored under Activity. */
export async function reversalOfRun(client: Client, run: number): Promise<Reversal | null> {
  const actions: ActionView[] = [];
  const reverted = new Set<number>();
  for (let before = {}; ;) {
    const page = await client.get("pool/actions", { run, result: "applied", limit: PAGE, ...before });
    actions.push(...page.actions.filter(({ undoes }) => undoes === null));
    for (const id of page.reverted) reverted.add(id);
    if (page.actions.length < PAGE) break;
    before = { before: page.actions[page.actions.length - 1].id };
  }
  return reversalOf(actions, { reverted, kept: new Set() });
}
