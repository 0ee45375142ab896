/** Parts of an answer of the service: its JSON, the name of its file, and the pause that it asks for. */

import { nextTask } from "../scheduling/slices.js";

const LONGEST_WAIT_SECONDS = 10;
/** Characters of an answer whose parsing takes a good part of a frame: what is done with it is a task of its own. */
const LARGE = 100_000;

/**
 * Parse the body of an answer.
 *
 * @param {string} text
 * @returns {Promise<unknown>}
 */
export async function parsed(text) {
  const answer = text ? JSON.parse(text) : null;
  if (text.length > LARGE) await nextTask();
  return answer;
}

/** @param {Response} response */
export function fileName({ headers }) {
  return /filename="([^"]*)"/.exec(headers.get("Content-Disposition") ?? "")?.[1] ?? "";
}

/**
 * Wait as long as a refused read is to wait before it is sent again.
 *
 * @param {Response} response
 */
export async function waitAsAsked({ headers }) {
  const seconds = Number.parseInt(headers.get("Retry-After") ?? "", 10) || 1;
  await new Promise((resume) => { setTimeout(resume, Math.min(seconds, LONGEST_WAIT_SECONDS) * 1000); });
}
