/**
 * Texts of the chosen language. The catalogue is read before the first text is shown. With another language the shell
 * writes all its texts again and shows the page anew: another load of the document would lose a key in memory.
 */

import { LANGUAGES } from "../_generated_constants.js";

/**
 * @typedef {typeof import("../../../texts/en.json")} Catalogue
 * @typedef {{[Group in keyof Catalogue]: `${Group & string}.${keyof Catalogue[Group] & string}`}[keyof Catalogue]} Key
 * @typedef {string | number} Parameter
 * @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Entry
 * @typedef {keyof typeof LANGUAGES} Language
 */

export const LANGUAGE_KEY = "poolkeeper.language";
const FALLBACK = "en";

/** @type {Map<string, Entry>} */
let entries = new Map();
let plurals = new Intl.PluralRules(FALLBACK);
let numbers = new Intl.NumberFormat(FALLBACK);
/** @type {Language} */
let language = FALLBACK;

/**
 * Return the text of a key. A number among the parameters is formatted, and `n` chooses the plural form.
 *
 * @param {Key} key
 * @param {Record<string, Parameter>} [parameters]
 */
export function text(key, parameters = {}) {
  const entry = entries.get(key);
  if (entry === undefined) throw new Error(`The catalogue "${language}" has no text "${key}".`);
  return filled(typeof entry === "string" ? entry : chosenForm(entry, parameters.n), parameters);
}

/**
 * Return the text of a token in a group, or a fallback for a token that this page does not know.
 *
 * @param {keyof Catalogue} group
 * @param {string} token
 * @param {string} [fallback]
 * @param {Record<string, Parameter>} [parameters]
 */
export function tokenText(group, token, fallback = token.replaceAll("_", " "), parameters = {}) {
  const entry = entries.get(`${group}.${token}`);
  return typeof entry === "string" ? filled(entry, parameters) : fallback;
}

/**
 * Return whether there is a text of a key.
 *
 * @param {string} key
 * @returns {key is Key}
 */
export function hasText(key) {
  return entries.has(key);
}

/** Tag of the language in use. */
export function currentLanguage() {
  return language;
}

/** Return whether the service's own sentences are in the language in use. */
export function isLanguageOfService() {
  return language === FALLBACK;
}

/**
 * Locale for numbers and times: the browser's own variant of the language where it has one.
 *
 * @param {readonly string[]} [wanted]
 */
export function currentLocale(wanted = globalThis.navigator?.languages ?? []) {
  const [plain] = language.split("-");
  return wanted.find((tag) => tag.split("-")[0] === plain) ?? language;
}

/**
 * Put a catalogue into use.
 *
 * @param {Language} tag
 * @param {Record<string, Record<string, Entry>>} catalogue
 */
export function useCatalogue(tag, catalogue) {
  language = tag;
  plurals = new Intl.PluralRules(tag);
  numbers = new Intl.NumberFormat(currentLocale());
  entries = new Map(Object.entries(catalogue).flatMap(([group, texts]) =>
    Object.entries(texts).map(([name, entry]) => [`${group}.${name}`, entry])));
}

/**
 * Return the language to use: the stored one, else the first of the browser's that has a catalogue, else English.
 *
 * @param {string | null} stored
 * @param {readonly string[]} wanted
 * @returns {Language}
 */
export function chosenLanguage(stored, wanted) {
  const known = /** @type {Language[]} */ (Object.keys(LANGUAGES));
  const exact = [stored, ...wanted].map((tag) => known.find((each) => each === tag)
    ?? known.find((each) => tag && each.split("-")[0] === tag.split("-")[0]));
  return exact.find((tag) => tag !== undefined) ?? FALLBACK;
}

/**
 * Read and use the catalogue of a language, by default the chosen one.
 *
 * @param {string | null} [wanted] null follows the browser
 * @param {() => boolean} [isWanted] whether the language is still the wanted one when its texts are there
 */
export async function loadCatalogue(wanted = storedLanguage(), isWanted = () => true) {
  const tag = chosenLanguage(wanted, navigator.languages);
  const answer = await fetch(new URL(`../texts/${tag}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`The texts of this page could not be read (HTTP ${answer.status}).`);
  const catalogue = await answer.json();
  if (!isWanted()) return;
  useCatalogue(tag, catalogue);
  document.documentElement.lang = tag;
}

/** Return the stored language; null where the browser's own is followed. */
export function storedLanguage() {
  try {
    return window.localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null;
  }
}

/**
 * Store the chosen language; null follows the browser.
 *
 * @param {string | null} tag
 */
export function storeLanguage(tag) {
  try {
    if (tag) window.localStorage.setItem(LANGUAGE_KEY, tag);
    else window.localStorage.removeItem(LANGUAGE_KEY);
  } catch {
    // A browser that refuses storage follows its own languages.
  }
}

/**
 * @param {Exclude<Entry, string>} forms
 * @param {Parameter | undefined} n
 */
function chosenForm(forms, n) {
  return forms[plurals.select(Number(n))] ?? forms.other ?? "";
}

/**
 * @param {string} template
 * @param {Record<string, Parameter>} parameters
 */
function filled(template, parameters) {
  return template.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const value = parameters[name];
    if (value === undefined) return placeholder;
    return typeof value === "number" ? numbers.format(value) : value;
  });
}
