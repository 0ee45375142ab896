/**
 * What the service, or the way to it, answered instead of what was asked for. `message` says what happened, `hint`
 * what to do next.
 */
export class ApiProblem extends Error {
  /** @param {{message: string, code: string, hint?: string, status?: number, retryAfter?: number}} problem */
  constructor({ message, code, hint = "", status = 0, retryAfter = 0 }) {
    super(message);
    this.name = "ApiProblem";
    this.code = code;
    this.hint = hint;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/**
 * Reads an error answer: our own `{error, code, hint}`, the gateway's `{error}` where a log-in is refused or banned,
 * or anything a proxy in between says.
 *
 * @param {number} status
 * @param {string} text the body
 * @param {string | null} retryAfter the header, in seconds
 */
export function problemOf(status, text, retryAfter) {
  const body = parseObject(text);
  const seconds = Number.parseInt(retryAfter ?? "", 10) || 0;
  const hint = typeof body.hint === "string" && body.hint ? sentence(body.hint) : "";
  return new ApiProblem({
    status,
    message: typeof body.error === "string" && body.error ? sentence(body.error) : `The service answered ${status}.`,
    code: typeof body.code === "string" ? body.code : `status_${status}`,
    hint: [hint, waitHint(seconds)].filter(Boolean).join(" "),
    retryAfter: seconds,
  });
}

/** The code of a problem that is no answer at all; one notice tells of it, whatever was asked for. */
export const UNREACHABLE = "unreachable";

/** What is said when there was no answer at all. */
export function unreachable() {
  return new ApiProblem({
    message: "The service does not answer.",
    code: UNREACHABLE,
    hint: "Check that it is running and that this page's address is still right, then try again.",
  });
}

/**
 * Whether a problem is the end of the session, which the log-in itself tells.
 *
 * @param {unknown} problem
 */
export function isSignedOut(problem) {
  return problem instanceof ApiProblem && problem.status === 401;
}

/**
 * Message and hint of anything that was thrown.
 *
 * @param {unknown} problem
 * @returns {{message: string, hint: string, code: string}}
 */
export function explained(problem) {
  if (problem instanceof ApiProblem) return problem;
  return { message: problem instanceof Error ? problem.message : String(problem), hint: "", code: "page" };
}

/** @param {number} seconds */
function waitHint(seconds) {
  if (!seconds) return "";
  return seconds < 90 ? `Try again in ${seconds} seconds.` : `Try again in ${Math.ceil(seconds / 60)} minutes.`;
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
