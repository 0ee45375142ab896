/** What needs a person, by cause. Pure. */

import { accountsAddress } from "../../accounts/address.js";
import type { NamedAccountView, OverviewAnswer, SourceFindingsView } from "../../connection/api.js";
import { text, type Key } from "../../language/catalogue.js";
import { clipped, formatTime } from "../../language/formats.js";
import { windowWords } from "../../language/quota_windows.js";
import type { Tone } from "../../parts/tone.js";

/** Page of a stock gateway's own panel, where sessions are renewed if the gateway has no sign-in for others. */
const LOGIN_PAGE = "/management.html#/oauth";
const MOST_NAMED = 3;
export const SOURCES = ["api_key", "oauth"] as const;

export interface Way {
  label: string;
  href: string;
}

/** A cause that needs a person: how many accounts, why, and where to act. */
export interface Cause {
  id: string;
  tone: Tone;
  title: string;
  hint: string;
  note?: string;
  ways: Way[];
}

/** What a person can do at once, and what is on hold, the most urgent first. */
const COUNTED = [
  { id: "disable", kind: "readyToDisable", tone: "dead", query: { action: "disable", state: "ready" } },
  { id: "delete", kind: "readyToDelete", tone: "dead", query: { action: "delete", state: "ready" } },
  { id: "enable", kind: "readyToEnable", tone: "good", query: { action: "enable", state: "ready" } },
  { id: "on_hold", kind: "onHold", tone: "unknown", query: { onHold: "true" } },
] as const;

type Findings = OverviewAnswer["findings"];
type Kind = Exclude<keyof SourceFindingsView, "enabled">;

/** Return the accounts of a kind, of both sources. */
export function totalOf(findings: Findings, kind: Kind): number {
  return SOURCES.reduce((sum, source) => sum + (findings[source]?.[kind] ?? 0), 0);
}

/** Return a way to the accounts of each source that has some: a list for each number. */
export function waysOf(findings: Findings, kind: Kind, query: Record<string, string>): Way[] {
  const sources = SOURCES.map((source) => ({ source, n: findings[source]?.[kind] ?? 0 })).filter(({ n }) => n > 0);
  return sources.map(({ source, n }) => ({
    label:
      sources.length === 1
        ? text("overview.review", { n })
        : text("overview.of_source", { source: text(`overview.${source}`), n }),
    href: accountsAddress({ source, ...query }),
  }));
}

export function causesOf({ attention, findings, runs }: OverviewAnswer, capabilities: readonly string[]): Cause[] {
  const counted = COUNTED.flatMap(({ id, kind, tone, query }): Cause[] => {
    const n = totalOf(findings, kind);
    const name = id === "on_hold" ? "overview.on_hold" : `overview.to_${id}`;
    const hint = text(`overview.hint_${id}`);
    return n ? [{ id, tone, title: text(name as Key, { n }), hint, ways: waysOf(findings, kind, query) }] : [];
  });
  const [dead, others] = [counted.filter(({ tone }) => tone === "dead"), counted.filter(({ tone }) => tone !== "dead")];
  return [
    ...dead,
    ...sessionCauses(attention, capabilities),
    ...endingCause(attention),
    ...others,
    ...noSwitch(findings),
    ...noRun(runs, findings),
  ];
}

/** Expired and revoked sessions, each with its own list, where one signs in again; where the gateway has no sign-in, the first says so. */
function sessionCauses(attention: OverviewAnswer["attention"], capabilities: readonly string[]): Cause[] {
  const { reloginCount, revokedCount, relogin } = attention;
  const [signsIn, hasPanel] = ["sign-in", "login-page"].map((name) => capabilities.includes(name));
  const panel = { label: text("overview.sign_in"), href: LOGIN_PAGE };
  const cause = (id: "relogin" | "revoked", verdict: string, n: number): Cause => {
    const href = accountsAddress({ source: "oauth", verdict });
    const names = relogin.filter((account) => account.verdict === verdict).map(nameOf);
    const named = names.slice(0, MOST_NAMED);
    const rest = n - named.length;
    const hint = [named.join(", "), rest > 0 && named.length ? text("count.more", { n: rest }) : ""];
    return {
      id,
      tone: "you",
      title: text(`overview.${id}`, { n }),
      hint: hint.filter(Boolean).join(" "),
      ways: signsIn
        ? [{ label: text("overview.sign_in"), href }]
        : [{ label: text("overview.review", { n }), href }, ...(hasPanel ? [panel] : [])],
    };
  };
  const expired = reloginCount - revokedCount;
  const causes = [
    ...(expired ? [cause("relogin", "relogin_needed", expired)] : []),
    ...(revokedCount ? [cause("revoked", "revoked", revokedCount)] : []),
  ];
  if (signsIn || hasPanel) return causes;
  return causes.map((session, index) => (index ? session : { ...session, note: text("overview.no_login_page") }));
}

function endingCause({ endingCount, ending: [first] }: OverviewAnswer["attention"]): Cause[] {
  if (!endingCount) return [];
  const hint = first
    ? text("overview.ending_one", {
        name: nameOf(first.account),
        window: windowWords(first.window),
        used: Math.round(first.used),
        time: formatTime(first.resetsAt),
      })
    : "";
  const ways = first
    ? [
        {
          label: text("overview.show"),
          href: accountsAddress({ source: first.account.source, q: nameOf(first.account) }),
        },
      ]
    : [];
  return [{ id: "ending", tone: "wait", title: text("overview.ending", { n: endingCount }), hint, ways }];
}

function noSwitch(findings: Findings): Cause[] {
  const n = totalOf(findings, "withoutSwitch");
  const hint = text("overview.hint_without_switch");
  return n
    ? [{ id: "without_switch", tone: "unknown", title: text("overview.without_switch", { n }), hint, ways: [] }]
    : [];
}

/** A pool without a run, with a way to the run of each source where there are two. */
function noRun(runs: OverviewAnswer["runs"], findings: Findings): Cause[] {
  if (runs.length) return [];
  const sources = waysOf(findings, "neverChecked", { check: "true" });
  const whole = { label: text("overview.check_now"), href: accountsAddress({ check: "true" }) };
  const ways = sources.length > 1 ? sources : [whole];
  return [
    { id: "no_runs", tone: "unknown", title: text("overview.no_runs"), hint: text("overview.hint_no_runs"), ways },
  ];
}

function nameOf({ fileName, displayName }: Pick<NamedAccountView, "fileName" | "displayName">): string {
  return clipped(fileName || displayName, 80);
}
