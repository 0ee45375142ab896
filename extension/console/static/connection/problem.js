import { hasText, isLanguageOfService, text as phrase, tokenText } from "../language/catalogue.js";
import { reasonsText } from "../language/reasons.js";
import { QUESTIONS } from "./known_reads.js";

/** @import { Reason } from "../language/reasons.js" */

/**
 * Error answer of the service, or a failure on the way to it. `message` says what happened, `hint` the next step, and
 * `field` the field of the request that it is about, if it is about one.
 */
export class ApiProblem extends Error {
  /**
   * @param {{message: string, code: string, hint?: string, status?: number, retryAfter?: number,
   *   field?: string}} problem
   */
  constructor({ message, code, hint = "", status = 0, retryAfter = 0, field = "" }) {
    super(message);
    this.name = "ApiProblem";
    this.code = code;
    this.hint = hint;
    this.status = status;
    this.retryAfter = retryAfter;
    this.field = field;
  }
}

/**
 * Parse an error answer: our own `{error, code, hint, field, reasons}`, the gateway's `{error}` where a sign-in is
 * refused or banned, or anything a proxy in between says.
 *
 * @param {number} status
 * @param {string} text the body
 * @param {string | null} retryAfter the header, in seconds
 */
export function problemOf(status, text, retryAfter) {
  const body = parseObject(text);
  const seconds = Number.parseInt(retryAfter ?? "", 10) || 0;
  const written = {
    code: typeof body.code === "string" ? body.code : `status_${status}`,
    message: typeof body.error === "string" && body.error
      ? sentence(body.error) : phrase("problem.http", { status: String(status) }),
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

/**
 * Phrase an error of the service in the language in use; one without a text there stays as the service wrote it.
 *
 * @param {{code: string, message: string, hint: string}} written
 * @param {readonly Reason[]} reasons what the message says beyond the code
 */
function translated({ code, message, hint }, reasons) {
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

/**
 * Return the problem of a missing answer. A change may have been made before its answer was lost.
 *
 * @param {string} [method]
 * @param {string} [path]
 */
export function unreachable(method = "GET", path = "") {
  const isChange = method !== "GET" && path !== "info/session" && !QUESTIONS.includes(path);
  return new ApiProblem({
    message: phrase("problem.unreachable"),
    code: UNREACHABLE,
    hint: phrase(isChange ? "problem.unreachable_change_hint" : "problem.unreachable_hint"),
  });
}

/** Code with which a plugin's host gives up on an answer that goes on. */
const TOO_LATE = "too_late";

/**
 * Return whether the answer of the service was lost: none came, or a proxy gave one of its own in its place.
 *
 * @param {unknown} problem
 */
export function isAnswerLost(problem) {
  if (!(problem instanceof ApiProblem)) return false;
  if ([UNREACHABLE, TOO_LATE].includes(problem.code)) return true;
  return problem.status >= 500 && problem.code === `status_${problem.status}`;
}

/** Topic of the one notice about a database that cannot be used. */
export const STORE = "store";
/** Codes of a database that cannot be used: while the service runs, and from its start on. */
const OF_STORE = ["store", "store_unavailable"];

/**
 * Return whether a problem is a database that cannot be used at the moment.
 *
 * @param {unknown} problem
 */
export function isOfStore(problem) {
  return problem instanceof ApiProblem && OF_STORE.includes(problem.code);
}

/** Code of a read that ended with its page. Nobody is told of it. */
export const LEFT = "left";

/** Return the problem of a read whose page was left. */
export function leftPage() {
  return new ApiProblem({ message: "", code: LEFT });
}

/**
 * Return whether a problem is the end of the session, which the sign-in view reports.
 *
 * @param {unknown} problem
 */
export function isSignedOut(problem) {
  return problem instanceof ApiProblem && problem.status === 401;
}

/**
 * Return whether a service did not answer, or could not: that says nothing about a key or a session.
 *
 * @param {unknown} problem
 */
export function isUnanswered(problem) {
  return problem instanceof ApiProblem && (problem.status === 0 || problem.status >= 500);
}

/**
 * Return message and hint of anything thrown.
 *
 * @param {unknown} problem
 * @returns {{message: string, hint: string, code: string}}
 */
export function explained(problem) {
  if (problem instanceof ApiProblem) return problem;
  return { message: problem instanceof Error ? problem.message : String(problem), hint: "", code: "page" };
}

/**
 * Next step where a proxy answers in place of the service: the service itself explains its errors.
 *
 * @param {number} status
 * @param {Record<string, unknown>} body
 */
function proxyHint(status, body) {
  return PROXY_STATUSES.includes(status) && !body.code ? phrase("problem.proxy_hint") : "";
}

/** @param {number} seconds */
function waitHint(seconds) {
  if (!seconds) return "";
  return seconds < 90
    ? phrase("problem.wait_seconds", { n: seconds }) : phrase("problem.wait_minutes", { n: Math.ceil(seconds / 60) });
}

/** @param {string} text */
function sentence(text) {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/**
 * @param {string} text
 * @returns {Record<string, unknown>}
 */
function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" ? value : {};
  } catch {
    return {};
  }
}
