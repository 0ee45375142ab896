import { hasText, isLanguageOfService, text as phrase, tokenText } from "../language/catalogue.js";
import { reasonsText, type Reason } from "../language/reasons.js";
import { QUESTIONS } from "./known_reads.js";

/** Message, next step and code of something that failed. */
export interface Explanation {
  message: string;
  hint: string;
  code: string;
}

/**
 * Error answer of the service, or a failure on the way to it. `message` says what happened, `hint` the next step, and
 * `field` the field of the request that it is about, if it is about one.
 */
export class ApiProblem extends Error implements Explanation {
  readonly code: string;
  readonly hint: string;
  readonly status: number;
  readonly retryAfter: number;
  readonly field: string;

  constructor(problem: {
    message: string;
    code: string;
    hint?: string;
    status?: number;
    retryAfter?: number;
    field?: string;
  }) {
    super(problem.message);
    this.name = "ApiProblem";
    this.code = problem.code;
    this.hint = problem.hint ?? "";
    this.status = problem.status ?? 0;
    this.retryAfter = problem.retryAfter ?? 0;
    this.field = problem.field ?? "";
  }
}

/**
 * Parse an error answer: our own `{error, code, hint, field, reasons}`, the gateway's `{error}` where a sign-in is
 * refused or banned, or anything a proxy in between says. `retryAfter` is the header, in seconds.
 */
export function problemOf(status: number, text: string, retryAfter: string | null): ApiProblem {
  const body = parseObject(text);
  const seconds = Number.parseInt(retryAfter ?? "", 10) || 0;
  const written = {
    code: typeof body.code === "string" ? body.code : `status_${status}`,
    message:
      typeof body.error === "string" && body.error
        ? sentence(body.error)
        : phrase("problem.http", { status: String(status) }),
    hint: typeof body.hint === "string" && body.hint ? sentence(body.hint) : proxyHint(status, body),
  };
  const { code, message, hint } = translated(written, Array.isArray(body.reasons) ? body.reasons : []);
  return new ApiProblem({
    status,
    message,
    code,
    hint: [hint, waitHint(seconds)].filter(Boolean).join(" "),
    retryAfter: seconds,
    field: typeof body.field === "string" ? body.field : "",
  });
}

/** Phrase an error in the language in use; one without a text there stays as the service wrote it. */
function translated({ code, message, hint }: Explanation, reasons: readonly Reason[]): Explanation {
  if (isLanguageOfService() || !hasText(`error.${code}`)) return { code, message, hint };
  return {
    code,
    message: tokenText("error", code, message, { error: reasonsText(reasons, message) }),
    hint: tokenText("error_hint", code, ""),
  };
}

/** Answers of a proxy that does not reach the service, or waits for it in vain. */
const PROXY_STATUSES = [502, 503, 504];

/** Code of a missing answer. All requests share one notice for it. */
export const UNREACHABLE = "unreachable";

/** Return the problem of a missing answer. A change may have been made before its answer was lost. */
export function unreachable(method = "GET", path = ""): ApiProblem {
  const isChange = method !== "GET" && path !== "info/session" && !QUESTIONS.includes(path);
  return new ApiProblem({
    message: phrase("problem.unreachable"),
    code: UNREACHABLE,
    hint: phrase(isChange ? "problem.unreachable_change_hint" : "problem.unreachable_hint"),
  });
}

/** Code with which a plugin's host gives up on an answer that goes on. */
const TOO_LATE = "too_late";

/** Return whether the answer of the service was lost: none came, or a proxy gave one of its own in its place. */
export function isAnswerLost(problem: unknown): boolean {
  if (!(problem instanceof ApiProblem)) return false;
  if ([UNREACHABLE, TOO_LATE].includes(problem.code)) return true;
  return problem.status >= 500 && problem.code === `status_${problem.status}`;
}

/** Topic of the one notice about a database that cannot be used. */
export const STORE = "store";
/** Codes of a database that cannot be used: while the service runs, and from its start on. */
const OF_STORE = ["store", "store_unavailable"];

/** Return whether a problem is a database that cannot be used at the moment. */
export function isOfStore(problem: unknown): boolean {
  return problem instanceof ApiProblem && OF_STORE.includes(problem.code);
}

/** Code of a read that ended with its page, which is not shown. */
export const LEFT = "left";

export function leftPage(): ApiProblem {
  return new ApiProblem({ message: "", code: LEFT });
}

/** Return whether a problem needs no words: the sign-in view reports it, or its page is gone. */
export function isSilent(problem: unknown): boolean {
  return isSignedOut(problem) || (problem instanceof ApiProblem && problem.code === LEFT);
}

/** Return whether a problem is the end of the session, which the sign-in view reports. */
export function isSignedOut(problem: unknown): boolean {
  return problem instanceof ApiProblem && problem.status === 401;
}

/** Return whether a service did not answer, or could not: that says nothing about a key or a session. */
export function isUnanswered(problem: unknown): boolean {
  return problem instanceof ApiProblem && (problem.status === 0 || problem.status >= 500);
}

/** Return whether the service refused the request itself, which a form can put right. */
export function isRefused(problem: unknown): problem is ApiProblem {
  return problem instanceof ApiProblem && problem.status >= 400 && problem.status < 500 && !isSignedOut(problem);
}

/** Return message and hint of anything thrown. */
export function explained(problem: unknown): Explanation {
  if (problem instanceof ApiProblem) return problem;
  return { message: problem instanceof Error ? problem.message : String(problem), hint: "", code: "page" };
}

/** Next step where a proxy answers in place of the service: the service itself explains its errors. */
function proxyHint(status: number, body: Record<string, unknown>): string {
  return PROXY_STATUSES.includes(status) && !body.code ? phrase("problem.proxy_hint") : "";
}

function waitHint(seconds: number): string {
  if (!seconds) return "";
  return seconds < 90
    ? phrase("problem.wait_seconds", { n: seconds })
    : phrase("problem.wait_minutes", { n: Math.ceil(seconds / 60) });
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === "object" ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
