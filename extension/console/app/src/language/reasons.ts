/**
 * Reasons in the chosen language. The service phrases them in English and sends their codes with parameters along; a
 * code that this page does not know leaves the service's sentences as they are.
 */

import { IDENTIFIERS, type ReasonView } from "../connection/api.js";
import { hasText, isLanguageOfService, text, tokenText, type Key } from "./catalogue.js";
import { clipped, formatCount, formatTime } from "./formats.js";
import { windowWords } from "./quota_windows.js";

export type Reason = Pick<ReasonView, "code" | "params">;

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

/** Phrase the reasons of a result, or of an action; `written` are the sentences of the service. */
export function reasonsText(reasons: readonly Reason[], written: string): string {
  const sentences = reasons.map((reason) => sentence(`reason.${reason.code}`, reason));
  return phrased(reasons, sentences, written);
}

/** Phrase the reason of an action on hold, or one that a plan leaves out. */
export function holdText(reason: Reason, written: string): string {
  const own = sentence(`hold_reason.${reason.code}`, reason) ?? sentence(`reason.${reason.code}`, reason);
  return phrased([reason], [own], written);
}

/** Phrase the problem of one request, such as "dns: no such host": the kind, and words of the gateway behind it. */
export function problemText(written: string): string {
  const [kind, ...details] = written.split(": ");
  const key = `term.silence_${kind}`;
  if (isLanguageOfService() || !hasText(key)) return written;
  return [text(key), ...(kind === TIMEOUT ? [] : details)].join(": ");
}

function phrased(reasons: readonly Reason[], sentences: readonly (string | null)[], written: string): string {
  const own = reasons.reduce(withShortQuotes, written);
  if (isLanguageOfService() || !sentences.length) return own;
  const whole = sentences.reduce((joined, next) => {
    if (joined === null || next === null) return null;
    return joined && !FULL_STOP_OF_CHINESE.test(joined) ? `${joined} ${next}` : joined + next;
  }, "");
  return whole ?? own;
}

/** Shorten what a sentence of the service quotes. */
function withShortQuotes(written: string, { params }: Reason): string {
  return Object.entries(params).reduce((whole, [name, value]) => {
    const short = typeof value === "string" ? quoted(name, value) : value;
    return short === value ? whole : whole.replaceAll(String(value), () => String(short));
  }, written);
}

/** Return a text from outside as it stands in a sentence: clipped, and without an effect on the direction of the rest. */
function quoted(name: string, value: string): string {
  const short = clipped(value, SENTENCES.has(name) ? LONGEST_SENTENCE : LONGEST_NAME);
  return TURNED.test(short) ? ISOLATE + short.replace(TURNING_MARKS, "") + END_OF_ISOLATE : short;
}

function sentence(key: string, { params }: Reason): string | null {
  if (!hasText(key)) return null;
  const words = Object.entries(params).map(([name, value]) => {
    const wording = inWords(name, value);
    return [name, "windows" in params && (name === "windows" || name === "names") ? windowWords(wording) : wording];
  });
  return text(key as Key, Object.fromEntries(words));
}

function inWords(name: string, value: string | number): string {
  if (typeof value === "number") {
    if (name.endsWith(TIME)) return formatTime(value);
    return IDENTIFIERS.some((identifier) => identifier === name) ? String(value) : formatCount(value);
  }
  if (name === FIELD) return tokenText("request_field", value, tokenText("field", value, value));
  return tokenText("term", `${name}_${value}`, quoted(name, value));
}
