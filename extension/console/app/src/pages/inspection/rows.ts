/** Accounts with their last results as rows. Pure. */

import { hostOf } from "../../accounts/host_name.js";
import { rankOf, statusText, toneOf } from "../../accounts/status.js";
import {
  DISABLED_REASONS,
  type Action,
  type ResultView,
  type SlimAccountView,
  type SlimResultView,
  type Source,
  type Verdict,
} from "../../connection/api.js";
import { currentLanguage, text, tokenText } from "../../language/catalogue.js";
import { reasonsText } from "../../language/reasons.js";
import type { Tone } from "../../parts/tone.js";
import { evidenceText } from "./evidence.js";

/** Last result of an account; a result of a run brings its evidence along. */
export type Result = SlimResultView & Partial<ResultView>;
export type Account = Omit<SlimAccountView, "lastResult"> & { lastResult: Result | null };

/** State of an account that a recommended action leads to. */
const AIMED = new Map<string, boolean>([
  ["disable", false],
  ["enable", true],
]);
/** Sentences of the service that hold only as long as an account is disabled, by code. */
const STALE = new Map<string, string>(Object.entries(DISABLED_REASONS));

/**
 * Row of the table. `account` is null when the account of a result is no longer in the pool. `action` is what the result
 * recommends, as far as it holds for the account as it is now; `onHold` whether the safety stop keeps that back.
 */
export class Row {
  readonly id: number;
  readonly source: Source;
  readonly name: string;
  readonly keyHint: string;
  readonly place: string;
  readonly provider: string;
  readonly family: string;
  readonly baseUrl: string;
  readonly host: string;
  readonly enabled: boolean | null;
  readonly status: Verdict | "";
  readonly tone: Tone;
  /** Place in the order that begins with what needs somebody. */
  readonly rank: number;
  readonly action: Action | "";
  #sortName = "";
  #text = "";

  constructor(
    facts: Account | ResultView,
    readonly account: Account | null,
    readonly result: Result | null,
    readonly onHold: boolean,
    action: Action | "",
  ) {
    this.id = account?.id ?? (facts as ResultView).account;
    this.source = facts.accountSource as Source;
    this.name = facts.displayName;
    this.keyHint = facts.keyHint || account?.keyHint || "";
    this.place = facts.place || account?.place || "";
    this.provider = facts.provider;
    this.family = facts.family || (facts.accountSource === "oauth" ? facts.provider : "");
    this.baseUrl = facts.baseUrl;
    this.host = hostOf(facts.baseUrl, facts.provider);
    this.enabled = facts.enabled;
    this.status = result?.verdict ?? "";
    this.tone = toneOf(this.status);
    this.rank = rankOf(this.status);
    this.action = action;
  }

  /** Tail of the key, or what the name of the file says beside type and name: tells accounts of one name apart. */
  get tail(): string {
    const rest = (this.account?.fileName ?? "").replace(/\.json$/, "").replace(this.name.replace(/\.json$/, ""), "");
    return this.keyHint || rest.replace(`${this.provider}-`, "").replace(/^-|-$/g, "");
  }

  get httpStatus(): number | null {
    return this.result?.status ?? null;
  }

  get evidence(): string {
    return evidenceText(this.result);
  }

  /** Reason of the result without the words that no longer hold. */
  get reason(): string {
    if (!this.result) return "";
    const { reasons, reason } = this.result;
    if (this.enabled !== true) return reasonsText(reasons, reason);
    const stale = reasons.flatMap(({ code }) => STALE.get(code) ?? []);
    const valid = reasons.filter(({ code }) => !STALE.has(code));
    return reasonsText(
      valid,
      stale.reduce((written, sentence) => written.replace(sentence, "").trim(), reason),
    );
  }

  /** Key that sorts like the name: in any case, numbers by their value. A collator is ten times as slow. */
  get sortName(): string {
    this.#sortName ||= sortKey(this.name);
    return this.#sortName;
  }

  /** Text to search in, in lower case; made when it is first searched. */
  get text(): string {
    if (!this.#text) {
      const { account } = this;
      const parts = [this.name, this.keyHint, this.place, this.provider, this.family, this.baseUrl, this.host];
      parts.push(account?.fileName ?? "", account?.label ?? "", account?.compatName ?? "", ...flagsOf(account));
      parts.push(statusText(this.status), this.action, this.evidence, this.reason);
      this.#text = parts.join(" ").toLowerCase();
    }
    return this.#text;
  }
}

export function sortKey(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.padStart(12, "0"));
}

/** Return the flags of an account in words. */
export function flagsOf(account: Account | null): string[] {
  return [
    account?.neverProbe ? tokenText("state", "excluded") : "",
    account?.managed ? tokenText("state", "managed") : "",
    account?.protected ? tokenText("state", "protected") : "",
  ].filter(Boolean);
}

/**
 * Return the recommendation as it holds for the account now: what is done is not recommended any more, and what was
 * undone is again.
 */
export function actionNow(result: Result | null, enabled: boolean | null): Action | "" {
  if (!result) return "";
  const { action, reasons } = result;
  if (enabled === true && reasons.some(({ code }) => code === "stays_disabled")) return "disable";
  return enabled !== null && AIMED.get(action) === enabled ? "keep" : action;
}

/** Builds rows, and returns the same one for an account that has not changed. */
export class RowBook {
  #rows = new WeakMap<Account, Row>();
  #language = currentLanguage();

  ofAccount(account: Account): Row {
    if (this.#language !== currentLanguage()) this.#rows = new WeakMap();
    this.#language = currentLanguage();
    const earlier = this.#rows.get(account);
    if (earlier) return earlier;
    const { lastResult, enabled } = account;
    const row = new Row(account, account, lastResult, account.onHold, actionNow(lastResult, enabled));
    this.#rows.set(account, row);
    return row;
  }
}

/** Return the row of a result of a run: what it recommended and put on hold, and the account as it is now. */
export function rowOfRun(result: ResultView, account: Account | null, isHeld: boolean): Row {
  return new Row(account ?? result, account, result, isHeld, result.action);
}

/** Return whether what is on hold in a row still is: an account of an old run may be on hold for a newer one. */
export function isHeldNow({ account, result, onHold }: Pick<Row, "account" | "result" | "onHold">): boolean {
  return account?.onHold === true && (!onHold || account.lastResult?.run === result?.run);
}

/** Return the change that would follow the recommendation now; null where there is none, or it is on hold. */
export function nextChange(row: Row): "disable" | "enable" | "delete" | null {
  const { action, account, enabled } = row;
  if (!account || row.onHold || account.switch === "none") return null;
  if (action === "disable") return enabled === false ? null : "disable";
  if (action === "enable") return enabled === true ? null : "enable";
  return action === "delete" && account.deletable ? "delete" : null;
}

/** Statuses whose account works again once a person signs in. */
const SIGNED_OUT: readonly string[] = ["relogin_needed", "revoked"];

export function needsSignIn({ account, source, status }: Pick<Row, "account" | "source" | "status">): boolean {
  return source === "oauth" && account?.deletable === true && SIGNED_OUT.includes(status);
}

/** Return why an account cannot be enabled or disabled; empty when it can. */
export function switchRefusal({ switch: place, switchReason, switchReasons }: Account): string {
  return place === "none" ? reasonsText(switchReasons, switchReason) || text("plan.no_switch") : "";
}
