/** Lists of the overview: what needs a person, what automation did, and what is not known. Pure but for nodes. */

import { element } from "../../dom.js";
import { text, tokenText } from "../../language/catalogue.js";
import { windowWords } from "../../language/quota_windows.js";
import { reasonsText } from "../../language/reasons.js";
import { findingList, pageAddress, tile } from "../../layout/tile.js";

/** @import { AutomationAnswer, CollectionAnswer, GapView, OverviewAnswer } from "../../../_generated_types.js" */
/** @import { NamedAccountView } from "../../../_generated_types.js" */
/** @import { Finding } from "../../layout/tile.js" */
/** @import { PageContext } from "../../shell/context.js" */
/** @typedef {keyof typeof RECOMMENDED} Recommended */

/** Page of a stock gateway's own panel, where sessions of OAuth files are renewed. */
const LOGIN_PAGE = "/management.html#/oauth";
const HAS_LOGIN_PAGE = "login-page";
const MOST_NAMED = 5;
const SOURCES = /** @type {const} */ (["api_key", "oauth"]);
/** Open recommendations, those on hold among them: how each is counted in the answer. */
const RECOMMENDED = /** @type {const} */ ({ delete: "toDelete", disable: "toDisable", enable: "toEnable" });

/**
 * @param {OverviewAnswer} answer
 * @param {PageContext} context
 */
export function attentionTile({ attention, findings: bySource, runs }, { format, gateway }) {
  const { endingCount, ending } = attention;
  const findings = [
    ...recommendationFindings(bySource),
    ...ofSources(bySource, "onHold", (n) => text("overview.on_hold", { n }), { onHold: "true" }),
  ];
  findings.push(...reloginFindings(attention, gateway.capabilities.includes(HAS_LOGIN_PAGE)));
  if (endingCount) findings.push({ tone: "caution", text: text("overview.ending", { n: endingCount }) });
  for (const { account, window, used, resetsAt } of ending.slice(0, MOST_NAMED)) {
    const said = { window: windowWords(window), used: Math.round(used), time: format.formatTime(resetsAt) };
    findings.push(accountFinding(account, "caution", text("overview.ending_one", said)));
  }
  if (ending.length > MOST_NAMED) {
    findings.push({ tone: "caution", text: text("overview.more_windows", { n: ending.length - MOST_NAMED }) });
  }
  if (!runs.length) {
    findings.push({ tone: "neutral", text: text("overview.no_runs"), href: "inspection" });
  }
  return tile(text("overview.attention"), {}, findingList(findings, text("overview.nothing_needed")));
}

/**
 * Expired and revoked sessions, each with its own list, the way to sign in again, and the first by name.
 *
 * @param {OverviewAnswer["attention"]} attention
 * @param {boolean} hasLoginPage whether the gateway has a page to sign in at
 * @returns {Finding[]}
 */
function reloginFindings({ reloginCount, revokedCount, relogin }, hasLoginPage) {
  if (!reloginCount) return [];
  const list = (/** @type {string} */ verdict) => pageAddress("inspection", { source: "oauth", verdict });
  const expired = reloginCount - revokedCount;
  /** @type {Finding[]} */
  const counted = [];
  if (expired) {
    counted.push({ tone: "bad", text: text("overview.relogin", { n: expired }), href: list("relogin_needed") });
  }
  if (revokedCount) {
    counted.push({ tone: "bad", text: text("overview.revoked", { n: revokedCount }), href: list("revoked") });
  }
  /** @type {Finding} */
  const way = hasLoginPage
    ? { tone: "neutral", text: text("overview.login_page"), href: LOGIN_PAGE }
    : { tone: "neutral", text: text("overview.no_login_page") };
  const named = relogin.slice(0, MOST_NAMED).map((account) => accountFinding(account, "bad",
    text(account.verdict === "revoked" ? "overview.revoked_one" : "overview.relogin_one")));
  const rest = reloginCount - named.length;
  /** @type {Finding[]} */
  const more = rest > 0
    ? [{ tone: "bad", text: text("count.more", { n: rest }), href: list("relogin_needed,revoked") }] : [];
  return [...counted, way, ...named, ...more];
}

/** @param {OverviewAnswer["findings"]} bySource */
function recommendationFindings(bySource) {
  /** @type {Finding[]} */
  const hint = SOURCES.flatMap((source) => {
    const n = bySource[source]?.withoutSwitch ?? 0;
    if (!n) return [];
    const finding = text("overview.without_switch", { n });
    return [{ tone: "neutral", text: text("overview.of_source", { source: text(`overview.${source}`), finding }) }];
  });
  const counted = Object.entries(RECOMMENDED).flatMap(([action, kind]) => {
    const said = (/** @type {number} */ n) => text(`overview.to_${/** @type {Recommended} */ (action)}`, { n });
    return ofSources(bySource, kind, said, { action });
  });
  return [...counted, ...hint];
}

/**
 * Return a line for each source that has such accounts. A list shows one source, so each number has a list of its own.
 *
 * @param {OverviewAnswer["findings"]} bySource
 * @param {keyof OverviewAnswer["findings"][string]} kind
 * @param {(n: number) => string} said
 * @param {Record<string, string>} query of the list, beside the source
 * @returns {Finding[]}
 */
export function ofSources(bySource, kind, said, query) {
  const found = SOURCES.flatMap((source) => {
    const n = bySource[source]?.[kind] ?? 0;
    return n ? [{ source, n }] : [];
  });
  return found.map(({ source, n }) => ({
    tone: "caution",
    text: found.length === 1 ? said(n)
      : text("overview.of_source", { source: text(`overview.${source}`), finding: said(n) }),
    href: pageAddress("inspection", { source, ...query }),
  }));
}

/**
 * @param {NamedAccountView} account
 * @param {Finding["tone"]} tone
 * @param {string} said
 * @returns {Finding}
 */
function accountFinding(account, tone, said) {
  const name = account.fileName || account.displayName;
  return { tone, name, text: said, href: pageAddress("inspection", { source: account.source, q: name }) };
}

/** @returns {Finding} */
const waitingFinding = () => ({ tone: "neutral", text: text("overview.waiting") });

/**
 * @param {OverviewAnswer | undefined} answer
 * @param {AutomationAnswer | undefined} automation
 * @param {PageContext} context
 * @param {boolean} hasLooked false at the first look of this browser, which goes back a day
 */
export function automationTile(answer, automation, { format }, hasLooked) {
  /** @type {Finding[]} */
  const findings = answer ? automaticFindings(answer) : [waitingFinding()];
  if (automation?.paused) {
    findings.unshift({ tone: "caution", text: text("overview.paused",
      { time: format.formatTime(automation.pausedAt) }) });
  }
  const span = answer && element("p", { class: "hint", text: hasLooked
    ? text("overview.since", { time: format.formatTime(answer.since) }) : text("overview.since_yesterday") });
  return tile(text("overview.automation"), {}, ...(span ? [span] : []),
    findingList(findings, text("overview.no_actions")));
}

/**
 * Automatic actions by outcome, in the words of the page that each line leads to.
 *
 * @param {Pick<OverviewAnswer, "automatic" | "since">} answer
 * @returns {Finding[]}
 */
export function automaticFindings({ automatic, since }) {
  return automatic.map(({ action, outcome, count }) => ({
    tone: outcome === "applied" || outcome === "unchanged" ? "good" : "bad",
    text: text("overview.automatic", {
      action: actionName(action), outcome: tokenText("outcome", outcome).toLowerCase(), n: count,
    }),
    href: pageAddress("activity", { action, cause: "run", result: outcome, since: String(since) }),
  }));
}

/** @param {string} action */
function actionName(action) {
  if (action === "enable") return text("overview.action_enable");
  return action === "disable" ? text("overview.action_disable") : text("overview.action_delete");
}

/** Query of the accounts that were never checked: disabled and excluded ones are not expected to be. */
export const NEVER_CHECKED = { verdict: "none", state: "in_checks" };

/**
 * @param {OverviewAnswer | undefined} answer
 * @param {CollectionAnswer | undefined} collection
 * @param {GapView[] | undefined} gaps
 * @param {PageContext} context
 */
export function blindTile(answer, collection, gaps, context) {
  const findings = [
    ...(answer ? blindFindings(answer, context) : [waitingFinding()]),
    ...(collection ? collectionFindings(collection) : []),
  ];
  if (gaps?.length) {
    findings.push({ tone: "caution", text: text("overview.blind_gaps", { n: gaps.length }),
      href: "usage?period=today" });
  }
  if (!findings.length && !(collection && gaps)) {
    findings.push({ tone: "neutral", text: text("overview.waiting_service") });
  }
  return tile(text("overview.blind"), {}, findingList(findings, text("overview.not_blind")));
}

/**
 * @param {OverviewAnswer} answer
 * @param {PageContext} context
 * @returns {Finding[]}
 */
function blindFindings({ blind, findings: bySource }, { format }) {
  const time = format.formatTime(blind.oldBefore);
  const findings = [
    ...ofSources(bySource, "neverChecked", (n) => text("overview.blind_never", { n }), NEVER_CHECKED),
    ...ofSources(bySource, "old", (n) => text("overview.blind_old", { n, time }), { state: "old" }),
  ];
  for (const { name, problem, problems } of blind.failedSchedules) {
    const said = reasonsText(problems, problem).slice(0, 200);
    findings.push({ tone: "bad", name, text: text("overview.blind_schedule", { problem: said }), href: "schedules" });
  }
  if (!blind.schedules) findings.push({ tone: "neutral", text: text("overview.blind_no_schedule"), href: "schedules" });
  return findings;
}

/**
 * @param {CollectionAnswer} collection
 * @returns {Finding[]}
 */
function collectionFindings({ supported, problem, problems, recording }) {
  if (!supported || problem) {
    const said = reasonsText(problems, problem).slice(0, 200);
    return [{ tone: "caution", text: text("overview.blind_collector", { problem: said }), href: "usage" }];
  }
  return recording === false ? [{ tone: "caution", text: text("overview.blind_off"), href: "usage" }] : [];
}
