/** What became of a command, in words. Pure. */

import {
  OUTCOMES,
  type ActionOutcome,
  type ActionView,
  type BatchView,
  type CommandAnswer,
} from "../connection/api.js";
import { accountName } from "../accounts/account_name.js";
import { text, tokenText } from "../language/catalogue.js";
import { reasonsText } from "../language/reasons.js";
import type { Tone } from "../parts/tone.js";

const ENDED_EARLY = ["failed", "interrupted"];

export function outcomeText(outcome: ActionOutcome): string {
  return tokenText("outcome", outcome);
}

export function outcomeTone(outcome: ActionOutcome): Tone {
  return { good: "good", bad: "dead", neutral: "unknown" }[OUTCOMES[outcome]] as Tone;
}

/** Return the actions with those on top that went wrong. */
export function worstFirst(actions: readonly ActionView[]): ActionView[] {
  const place = ({ outcome }: ActionView) => ["dead", "unknown", "good"].indexOf(outcomeTone(outcome));
  return [...actions].sort((a, b) => place(a) - place(b));
}

/** Return the number of actions of each outcome in one line, the worst first. */
export function countsText(actions: readonly ActionView[]): string {
  if (!actions.length) return text("plan.nothing");
  const labels = worstFirst(actions).map(({ outcome }) => outcomeText(outcome).toLowerCase());
  const counts = [...new Set(labels)].map((outcome) =>
    text("plan.counted", { n: labels.filter((label) => label === outcome).length, outcome }),
  );
  return `${counts.join(", ")}.`;
}

/** Return what a batch says beside its actions: its early end, and the accounts left on hold. */
export function batchLines(batch: BatchView | null): string[] {
  if (!batch) return [];
  const held = batch.planned.onHold ? text("dialog.left_on_hold", { n: batch.planned.onHold }) : "";
  return [earlyEnd(batch), held].filter(Boolean);
}

function earlyEnd(batch: BatchView | null): string {
  if (!batch || batch.state === "done") return "";
  const { state, total, done, reasons, reason, cause } = batch;
  const ended = text("dialog.batch_ended", {
    state: tokenText("batch_state", state),
    n: total - done,
    reason: reasonsText(reasons, reason),
  });
  if (!ENDED_EARLY.includes(state) || done >= total) return ended.trim();
  return `${ended.trim()} ${text(cause === "run" ? "batch_rest.of_run" : "batch_rest.of_command")}`;
}

/** Return whether each account was changed and the command has nothing else to tell. */
export function wentAsAsked({ actions, batch }: CommandAnswer): boolean {
  const isPlain = ({ outcome, texts }: ActionView) => outcome === "applied" && texts.length <= 1;
  return actions.length > 0 && actions.every(isPlain) && batch?.state === "done" && !batch.planned.onHold;
}

/** Return one line about a command: what became of its account, or how many accounts changed. */
export function summaryOf({ actions, batch }: CommandAnswer): string {
  if (actions.length === 1) {
    const [action] = actions;
    const said = reasonsText(action.texts, action.text) || outcomeText(action.outcome);
    return text("undo.said", { subject: accountName({ ...action, id: action.account }), said });
  }
  const n = Math.max(batch?.outcomes.applied ?? 0, actions.length);
  if (actions.every(({ action }) => String(action) === "restore")) return text("undo.restored", { n });
  if (actions.every(({ action }) => action === "delete")) return text("undo.deleted", { n });
  const isUndo = batch?.cause === "undo" || actions.some(({ undoes }) => undoes);
  return [text(isUndo ? "undo.undone" : "undo.offer", { n }), earlyEnd(batch)].filter(Boolean).join(" ");
}

/** Return the progress of a batch in words, with its rate; `now` in milliseconds UTC. */
export function progressText({ done, total, at }: BatchView, now: number): string {
  if (!total) return text("dialog.planning");
  if (!done) return text("dialog.progress", { done, total });
  const seconds = Math.max(0.1, (now - at) / 1_000);
  return text("dialog.progress_rate", { done, total, rate: Math.round(done / seconds) });
}
