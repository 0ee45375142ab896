/** Lists of the overview: what needs a person, what automation did, and what is not known. Pure but for nodes. */

import { element } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { findingList, pageAddress, tile } from "../../layout/tile.js";

/** @import { AutomationAnswer, CollectionAnswer, GapView, OverviewAnswer } from "../../../_generated_types.js" */
/** @import { Finding } from "../../layout/tile.js" */
/** @import { PageContext } from "../../shell/context.js" */

/** Page of the gateway's own panel, where sessions of OAuth files are renewed. */
const LOGIN_PAGE = "/management.html#/oauth";
const MOST_NAMED = 5;

/**
 * @param {OverviewAnswer} answer
 * @param {PageContext} context
 */
export function attentionTile({ attention }, { format }) {
  const { onHold, reloginCount, relogin, endingCount, ending } = attention;
  /** @type {Finding[]} */
  const findings = [];
  if (onHold) {
    const href = pageAddress("inspection", { onHold: "true" });
    findings.push({ tone: "caution", text: text("overview.on_hold", { n: onHold }), href });
  }
  if (reloginCount) {
    findings.push({
      tone: "bad",
      text: text("overview.relogin", { n: reloginCount }),
      href: pageAddress("inspection", { source: "oauth", verdict: "relogin_needed,revoked" }),
      link: { text: text("overview.login_page"), href: LOGIN_PAGE },
    });
    findings.push(...relogin.slice(0, MOST_NAMED).map((account) => accountFinding(account, "bad",
      text("overview.relogin_one"))));
  }
  if (endingCount) findings.push({ tone: "caution", text: text("overview.ending", { n: endingCount }) });
  for (const { account, window, used, resetsAt } of ending.slice(0, MOST_NAMED)) {
    const said = { window, used: `${Math.round(used)}`, time: format.formatTime(resetsAt) };
    findings.push(accountFinding(account, "caution", text("overview.ending_one", said)));
  }
  return tile(text("overview.attention"), {}, findingList(findings, text("overview.nothing_needed")));
}

/**
 * @param {OverviewAnswer["attention"]["relogin"][number]} account
 * @param {Finding["tone"]} tone
 * @param {string} said
 * @returns {Finding}
 */
function accountFinding(account, tone, said) {
  const name = account.fileName || account.displayName;
  return { tone, name, text: said, href: pageAddress("inspection", { source: account.source, q: name }) };
}

/**
 * @param {OverviewAnswer} answer
 * @param {AutomationAnswer} automation
 * @param {PageContext} context
 */
export function automationTile({ automatic, since }, automation, { format }) {
  /** @type {Finding[]} */
  const findings = automatic.map(({ action, outcome, count }) => ({
    tone: outcome === "applied" || outcome === "unchanged" ? "good" : "bad",
    text: text("overview.automatic", { action: actionName(action), outcome: outcomeName(outcome), n: count }),
    href: pageAddress("activity", { result: outcome }),
  }));
  if (automation.paused) {
    findings.unshift({ tone: "caution", text: text("overview.paused",
      { time: format.formatTime(automation.pausedAt) }) });
  }
  return tile(text("overview.automation"), {},
    element("p", { class: "hint", text: text("overview.since", { time: format.formatTime(since) }) }),
    findingList(findings, text("overview.no_actions")));
}

/** @param {string} action */
function actionName(action) {
  if (action === "enable") return text("overview.action_enable");
  return action === "disable" ? text("overview.action_disable") : text("overview.action_delete");
}

/** @param {string} outcome */
function outcomeName(outcome) {
  if (outcome === "applied") return text("overview.outcome_applied");
  if (outcome === "unchanged") return text("overview.outcome_unchanged");
  return outcome === "pending" ? text("overview.outcome_pending") : text("overview.outcome_failed");
}

/**
 * Return the query of the accounts that are never checked: disabled and excluded ones are not expected to be.
 *
 * @param {OverviewAnswer["statuses"]} statuses
 */
export function neverCheckedQuery(statuses) {
  const sources = Object.keys(statuses).filter((source) => statuses[source]?.[""]);
  return {
    ...(sources.length === 1 ? { source: sources[0] } : {}), verdict: "none", state: "in_checks",
  };
}

/**
 * @param {OverviewAnswer} answer
 * @param {CollectionAnswer} collection
 * @param {GapView[]} gaps
 * @param {PageContext} context
 */
export function blindTile({ blind, statuses }, collection, gaps, { format }) {
  /** @type {Finding[]} */
  const findings = [];
  if (blind.neverChecked) {
    findings.push({ tone: "caution", text: text("overview.blind_never", { n: blind.neverChecked }),
      href: pageAddress("inspection", neverCheckedQuery(statuses)) });
  }
  if (blind.old) {
    const time = format.formatTime(blind.oldBefore);
    findings.push({ tone: "caution", text: text("overview.blind_old", { n: blind.old, time }),
      href: "inspection" });
  }
  for (const { name, problem } of blind.failedSchedules) {
    findings.push({ tone: "bad", name, text: text("overview.blind_schedule", { problem: problem.slice(0, 200) }),
      href: "schedules" });
  }
  if (!blind.schedules) findings.push({ tone: "neutral", text: text("overview.blind_no_schedule"), href: "schedules" });
  if (!collection.supported || collection.problem) {
    findings.push({ tone: "caution", text: text("overview.blind_collector", { problem: collection.problem.slice(0,
      200) }), href: "usage" });
  } else if (collection.recording === false) {
    findings.push({ tone: "caution", text: text("overview.blind_off"), href: "usage" });
  }
  if (gaps.length) {
    findings.push({ tone: "caution", text: text("overview.blind_gaps", { n: gaps.length }),
      href: "usage?period=today" });
  }
  return tile(text("overview.blind"), {}, findingList(findings, text("overview.not_blind")));
}
