/**
 * Reasons in the chosen language. The service phrases them in English and sends their codes with parameters along; a
 * code that this page does not know leaves the service's sentences as they are.
 */

import { IDENTIFIERS } from "../_generated_constants.js";
import { clipped, formatCount, formatTime } from "../formatting.js";
import { hasText, isLanguageOfService, text, tokenText } from "./catalogue.js";
import { windowWords } from "./quota_windows.js";

/**
 * @import { Key } from "./catalogue.js"
 * @typedef {Pick<import("../../_generated_types.js").ReasonView, "code" | "params">} Reason
 */

/** End of the names of parameters that are times in milliseconds. */
const TIME = "_at";
const TIMEOUT = "timeout";
/** Name of the parameter that is a field of a request. */
const FIELD = "field";
/** Parameters that are sentences of the gateway or the provider; the others are names. */
const SENTENCES = new Set(["said", "text", "details", "error", "problem"]);
const LONGEST_NAME = 160;
const LONGEST_SENTENCE = 400;
/** Text that is written from right to left, and marks that turn what stands around them. */
const TURNED = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Bidi_Control}]/u;
const TURNING_MARKS = /\p{Bidi_Control}/gu;
const [ISOLATE, END_OF_ISOLATE] = ["\u2068", "\u2069"];
const FULL_STOP_OF_CHINESE = /[。：]$/;

/**
 * Phrase the reasons of a result, or of an action.
 *
 * @param {readonly Reason[]} reasons
 * @param {string} written the sentences of the service
 */
export function reasonsText(reasons, written) {
  return phrased(reasons, reasons.map((reason) => sentence(`reason.${reason.code}`, reason)), written);
}

/**
 * Phrase the reason of an action on hold, or one that a plan leaves out.
 *
 * @param {Reason} reason
 * @param {string} written the sentence of the service
 */
export function holdText(reason, written) {
  const known = sentence(`hold_reason.${reason.code}`, reason) ?? sentence(`reason.${reason.code}`, reason);
  return phrased([reason], [known], written);
}

/**
 * Phrase the problem of one request: the kind of failure, and words of the gateway behind it.
 *
 * @param {string} written such as "dns: no such host"
 */
export function problemText(written) {
  const [kind, ...said] = written.split(": ");
  const known = `term.silence_${kind}`;
  if (isLanguageOfService() || !hasText(known)) return written;
  return [text(/** @type {Key} */ (known)), ...(kind === TIMEOUT ? [] : said)].join(": ");
}

/**
 * @param {readonly Reason[]} reasons
 * @param {readonly (string | null)[]} sentences
 * @param {string} written
 */
function phrased(reasons, sentences, written) {
  const own = reasons.reduce(withShortQuotes, written);
  if (isLanguageOfService() || !sentences.length) return own;
  return sentences.reduce((whole, each) => {
    if (whole === null || each === null) return null;
    return whole && !FULL_STOP_OF_CHINESE.test(whole) ? `${whole} ${each}` : whole + each;
  }, /** @type {string | null} */ ("")) ?? own;
}

/**
 * Shorten what a sentence of the service quotes.
 *
 * @param {string} written
 * @param {Reason} reason
 */
function withShortQuotes(written, { params }) {
  return Object.entries(params).reduce((whole, [name, value]) => {
    const short = typeof value === "string" ? quoted(name, value) : value;
    return short === value ? whole : whole.replaceAll(String(value), () => String(short));
  }, written);
}

/**
 * Return a text from outside as it stands in a sentence: clipped, and without an effect on the direction of the rest.
 *
 * @param {string} name of its parameter
 * @param {string} value
 */
function quoted(name, value) {
  const short = clipped(value, SENTENCES.has(name) ? LONGEST_SENTENCE : LONGEST_NAME);
  return TURNED.test(short) ? ISOLATE + short.replace(TURNING_MARKS, "") + END_OF_ISOLATE : short;
}

/**
 * @param {string} key
 * @param {Reason} reason
 */
function sentence(key, { params }) {
  if (!hasText(key)) return null;
  const words = Object.entries(params).map(([name, value]) => {
    const said = inWords(name, value);
    return [name, "windows" in params && (name === "windows" || name === "names") ? windowWords(said) : said];
  });
  return text(/** @type {Key} */ (key), Object.fromEntries(words));
}

/**
 * @param {string} name
 * @param {string | number} value
 */
function inWords(name, value) {
  if (typeof value === "number") {
    if (name.endsWith(TIME)) return formatTime(value);
    return IDENTIFIERS.some((each) => each === name) ? String(value) : formatCount(value);
  }
  if (name === FIELD) return tokenText("request_field", value, tokenText("field", value, value));
  return tokenText("term", `${name}_${value}`, quoted(name, value));
}
