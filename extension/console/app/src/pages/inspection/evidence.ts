/** What a check found, in a few characters: the HTTP status with the code of the answer, or why there is none. */

import type { ReasonView } from "../../connection/api.js";
import { text, tokenText } from "../../language/catalogue.js";
import { formatLatency, UNKNOWN } from "../../language/formats.js";
import { windowWords } from "../../language/quota_windows.js";

/** Details of an answer, such as "(HTTP 429, rate_limit_exceeded, Retry-After 30)". */
const DETAILS = /^\(HTTP \d+(?:, (.*))?\)$/;
const WINDOW = /([^,()]+?) (\d+(?:\.\d+)?) %/g;

export interface Found {
  status: number | null;
  latencyMs: number | null;
  reasons: readonly ReasonView[];
}

/** Return the evidence of a result in a few words. */
export function evidenceText(result: Found | null): string {
  if (!result) return UNKNOWN;
  const { status, latencyMs, reasons } = result;
  if (status === null) return text("accounts.not_sent");
  if (status === 0) return silenceText(reasons);
  const detail = detailOf(reasons);
  if (detail) return `${status} ${detail}`;
  return status < 300 && latencyMs !== null ? `${status} · ${formatLatency(latencyMs)}` : String(status);
}

/** Return the code of an answer, or the windows of a quota that is used up; empty for an answer without either. */
function detailOf(reasons: readonly ReasonView[]): string {
  for (const { code, params } of reasons) {
    if (typeof params.wall === "string") return tokenText("wall", params.wall);
    if (code === "same_for_any_key") return text("accounts.same_for_any_key");
    if (typeof params.details === "string") {
      return DETAILS.exec(params.details)?.[1]?.split(", ")[0] ?? "";
    }
    if (typeof params.names === "string" && "windows" in params) return windowWords(params.names);
  }
  return "";
}

function silenceText(reasons: readonly ReasonView[]): string {
  const params = reasons.at(0)?.params ?? {};
  if (params.seconds !== undefined) return text("accounts.no_answer_in", { s: String(params.seconds) });
  const kind = typeof params.silence === "string" ? params.silence : "";
  return kind ? `${text("accounts.no_answer")}: ${kind}` : text("accounts.no_answer");
}

export interface QuotaWindow {
  name: string;
  used: number;
}

/** Return the quota windows that the reasons of a check name, the fullest first. */
export function quotaOf(reasons: readonly ReasonView[]): QuotaWindow[] {
  const named = reasons.map(({ params }) => params.windows).find((windows) => typeof windows === "string") ?? "";
  return [...String(named).matchAll(WINDOW)]
    .map(([, name, used]) => ({ name: windowWords(name.trim()), used: Number(used) }))
    .sort((a, b) => b.used - a.used);
}
