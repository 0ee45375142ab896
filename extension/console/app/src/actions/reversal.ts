/**
 * Takes changes back at once: switched accounts get their state before, deleted files are written again. A reversal can
 * itself be made again, so nothing asks first but a loss of parts of the configuration.
 */

import { signal } from "@preact/signals";
import type { ActionView, CommandAnswer } from "../connection/api.js";
import type { Client } from "../connection/client.js";
import { ApiProblem } from "../connection/problem.js";
import { text } from "../language/catalogue.js";
import type { Services } from "../shell/services.js";
import { LOSS, type Command, type Manner } from "./command.js";

const TOPIC = "take-back";
const SWITCHES = ["disable", "enable"];
const PAGE = 2_000;

/** What to take back: a run or a batch as a whole, or some actions; and accounts whose deleted file is kept. */
export interface Reversal {
  run?: number;
  batch?: number;
  actions?: readonly number[];
  accounts?: readonly number[];
  /** Number of changes. */
  n: number;
}

/** A reversal that would drop parts of the configuration, and what the service says of it. */
export const lossToAccept = signal<{ reversal: Reversal; words: string } | null>(null);

/**
 * Begin a reversal; its progress is that of the batch it makes. One that drops parts of the configuration is asked
 * about first.
 */
export async function takeBack(
  { client, notices }: Pick<Services, "client" | "notices">,
  reversal: Reversal,
  acceptLoss = false,
): Promise<void> {
  const { run, batch, actions, accounts = [], n } = reversal;
  lossToAccept.value = null;
  await notices.attempt(TOPIC, async () => {
    const manner = { background: true, ...(acceptLoss ? { acceptLoss } : {}) };
    try {
      if (run !== undefined) await client.post("inspections/undo", manner, { run });
      else if (batch !== undefined) await client.post("pool/undo", { batch, ...manner });
      else if (actions?.length) await client.post("pool/undo", { actions, ...manner });
      if (accounts.length) await client.post("pool/restore", { accounts, background: true });
    } catch (problem) {
      if (!(problem instanceof ApiProblem) || problem.code !== LOSS) throw problem;
      lossToAccept.value = { reversal, words: [problem.message, problem.hint].filter(Boolean).join(" ") };
      return;
    }
    notices.show(`${TOPIC}-begun`, { isToast: true, text: text("activity.taking_back", { n }) });
  });
}

/** Carry out a reversal to its end: the undo first, then the restoration of files. */
export async function carryOutReversal(client: Client, reversal: Reversal, command: Command): Promise<CommandAnswer> {
  const { run, batch, actions, accounts = [] } = reversal;
  const chosen = batch === undefined ? { actions } : { batch };
  const send = (manner: Manner) =>
    run === undefined
      ? client.post("pool/undo", { ...chosen, ...manner })
      : client.post("inspections/undo", manner, { run });
  const isUndo = [run, batch, actions].some((part) => part !== undefined);
  const undone = isUndo ? await command.carryOut(send, { cause: "undo" }) : null;
  const restored = accounts.length
    ? await command.carryOut(() => client.post("pool/restore", { accounts, background: true }), { accounts })
    : null;
  return joined(undone, restored);
}

/** Return what takes back a command; null for one that took something back itself, or changed nothing. */
export function reversalOfCommand({ batch, actions }: CommandAnswer): Reversal | null {
  if (!batch || batch.cause === "undo") return null;
  const applied = actions.filter(({ outcome }) => outcome === "applied");
  const switched = applied.filter(({ action }) => SWITCHES.includes(action)).map(({ id }) => id);
  const accounts = applied.filter(({ action }) => action === "delete").map(({ account }) => account);
  const isOne = actions.every((action) => action.batch === batch.id);
  const chosen = switched.length ? (isOne ? { batch: batch.id } : { actions: switched }) : {};
  return applied.length ? { ...chosen, accounts, n: switched.length + accounts.length } : null;
}

export function reversalVerb({ batch, actions }: Reversal): string {
  return text(batch === undefined && !actions ? "dialog.restore" : "dialog.undo");
}

/** Return two answers as one. */
export function joined(first: CommandAnswer | null, second: CommandAnswer | null): CommandAnswer {
  if (!first || !second) return first ?? second ?? { batch: null, actions: [] };
  return { batch: second.batch, actions: [...first.actions, ...second.actions] };
}

/** Read the changes that a run made by itself, and the ids of those that were taken back. */
export async function changesOfRun(client: Client, run: number) {
  const actions: ActionView[] = [];
  const reverted = new Set<number>();
  for (let before = {}; ;) {
    const page = await client.get("pool/actions", { run, cause: "run", result: "applied", limit: PAGE, ...before });
    actions.push(...page.actions);
    for (const id of page.reverted) reverted.add(id);
    if (page.actions.length < PAGE) return { actions, reverted };
    before = { before: page.actions[page.actions.length - 1].id };
  }
}
