/** Runs in words. Pure. */

import type { RunView } from "../../connection/api.js";
import { text, tokenText } from "../../language/catalogue.js";
import { formatAge, formatCount, formatDuration } from "../../language/formats.js";
import { reasonsText } from "../../language/reasons.js";
import type { CostAnswer } from "../../connection/api.js";
import type { RunDeeds } from "./accounts_model.js";
import type { Counts } from "./query.js";

/** Describe a run in one line; `now` in milliseconds UTC. */
export function describeRun(run: RunView, now: number): string {
  const parts = [text("run.number", { run: String(run.id) }), tokenText("run_state", run.state)];
  if (run.finishedAt) parts.push(text("run.took", { time: formatDuration(run.finishedAt - run.startedAt) }));
  const origin = run.schedule
    ? text("run.by_schedule", { schedule: String(run.schedule) })
    : tokenText("run", `origin_${run.startedBy}`, text("run.by", { actor: run.startedBy }));
  parts.push(text("run.started", { origin }), formatAge(now - run.startedAt));
  if (run.reason) parts.push(reasonsText(run.reasons, run.reason));
  return parts.join(" · ");
}

/** Say what an automatic run did, and what it left; empty for a run that only recommends. */
export function deedsText(run: RunView, deeds: RunDeeds | null): string {
  if (!deeds || deeds.run !== run.id) return "";
  const done = (["disable", "enable", "delete"] as const)
    .filter((action) => deeds[action])
    .map((action) => text(`accounts.did_${action}`, { n: deeds[action] }));
  if (deeds.undone) done.push(text("accounts.undone", { n: deeds.undone }));
  const left = [
    run.stillOnHold ? text("run.on_hold", { n: run.stillOnHold }) : "",
    run.notCarriedOut ? text("run.not_carried_out", { n: run.notCarriedOut }) : "",
  ];
  const said = [done.join(", ") || text("accounts.did_nothing"), ...left].filter(Boolean).join("; ");
  return text("accounts.deeds", { run: String(run.id), said });
}

/** Say how many changes the last checks recommend; empty where they recommend none. */
export function planText({ toDisable, toEnable, toDelete }: Counts): string {
  const parts = [
    toDisable ? text("accounts.to_disable", { n: toDisable }) : "",
    toEnable ? text("accounts.to_enable", { n: toEnable }) : "",
    toDelete ? text("accounts.to_delete", { n: toDelete }) : "",
  ].filter(Boolean);
  return parts.length ? `${parts.join(", ")}.` : "";
}

/** Describe the most that a run can cost. */
export function costText({ accounts, probed, requests, tokens, sampled, controls = 0 }: CostAnswer): string {
  if (!accounts) return text("cost.no_account");
  if (!probed) return text("cost.none_checked", { n: accounts });
  const scope = sampled
    ? text("cost.sample", { n: probed })
    : text("cost.scope", { probed: formatCount(probed), n: accounts });
  return text("cost.next", {
    scope,
    requests: text("count.requests", { n: requests }),
    wrong: controls ? text("cost.wrong_keys", { n: controls }) : "",
    tokens: tokens ? text("cost.tokens", { n: tokens }) : text("cost.no_tokens"),
  });
}
