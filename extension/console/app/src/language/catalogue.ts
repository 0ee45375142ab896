/**
 * Texts of the chosen language. The catalogue is read before the first text is shown. The language is a signal: a view
 * that looks up a text is drawn anew in another language, without another load, which would lose a key in memory.
 * The build parts each catalogue into the texts of the first pages and the rest, which others load with their modules.
 */

import { signal } from "@preact/signals";
import type EnglishCatalogue from "../../../../texts/en.json";
import { store, stored } from "../connection/browser_store.js";
import { LANGUAGES } from "../connection/api.js";

export type Catalogue = typeof EnglishCatalogue;
export type Group = keyof Catalogue;
/** Keys of all texts, such as `prices.set`. */
export type Key = { [G in Group]: `${G & string}.${keyof Catalogue[G] & string}` }[Group];
export type Parameters = Record<string, string | number>;
export type Language = keyof typeof LANGUAGES;
type Entry = string | Partial<Record<Intl.LDMLPluralRule, string>>;

/** Address of the built file: Vite would take a `new URL` with `import.meta.url` in it for a file to build. */
const BUILT = import.meta.url;
export const LANGUAGE_KEY = "poolkeeper.language";
const FALLBACK = "en";

type Texts = Record<string, Record<string, Entry>>;

interface InUse {
  language: Language;
  isWhole: boolean;
  entries: Map<string, Entry>;
  plurals: Intl.PluralRules;
  numbers: Intl.NumberFormat;
}

const inUse = signal<InUse>(ofParts(FALLBACK, [{}]));

function ofParts(language: Language, parts: readonly Texts[]): InUse {
  return {
    language,
    isWhole: parts.length > 1,
    plurals: new Intl.PluralRules(language),
    numbers: new Intl.NumberFormat(localeOf(language)),
    entries: new Map(parts.flatMap(entriesOf)),
  };
}

function entriesOf(part: Texts): [string, Entry][] {
  return Object.entries(part).flatMap(([group, texts]) =>
    Object.entries(texts).map(([name, entry]): [string, Entry] => [`${group}.${name}`, entry]),
  );
}

/** Return the text of a key. A number among the parameters is formatted, and `n` chooses the plural form. */
export function text(key: Key, parameters: Parameters = {}): string {
  const { entries, language } = inUse.value;
  const entry = entries.get(key);
  if (entry === undefined) throw new Error(`The catalogue "${language}" has no text "${key}".`);
  return filled(typeof entry === "string" ? entry : chosenForm(entry, parameters.n), parameters);
}

/** Return the text of a token in a group, or a fallback for a token that this page does not know. */
export function tokenText(
  group: Group,
  token: string,
  fallback = token.replaceAll("_", " "),
  parameters: Parameters = {},
): string {
  const entry = inUse.value.entries.get(`${group}.${token}`);
  return typeof entry === "string" ? filled(entry, parameters) : fallback;
}

export function hasText(key: string): key is Key {
  return inUse.value.entries.has(key);
}

/** Return the tag of the language in use. */
export function currentLanguage(): Language {
  return inUse.value.language;
}

/** Return whether the service's own sentences are in the language in use. */
export function isLanguageOfService(): boolean {
  return currentLanguage() === FALLBACK;
}

/** Return the locale for numbers and times: the browser's own variant of the language where it has one. */
export function currentLocale(preferred = globalThis.navigator?.languages ?? []): string {
  return localeOf(currentLanguage(), preferred);
}

function localeOf(language: Language, preferred: readonly string[] = globalThis.navigator?.languages ?? []): string {
  const [plain] = language.split("-");
  return preferred.find((tag) => tag.split("-")[0] === plain) ?? language;
}

/** Put a catalogue into use. */
export function useCatalogue(tag: Language, ...parts: Texts[]): void {
  inUse.value = ofParts(tag, parts);
}

/** Return the language to use: the stored one, else the first of the browser's that has a catalogue, else English. */
export function chosenLanguage(choice: string | null, preferred: readonly string[]): Language {
  const tags = Object.keys(LANGUAGES) as Language[];
  const matches = [choice, ...preferred].map(
    (preference) =>
      tags.find((tag) => tag === preference) ??
      tags.find((tag) => preference && tag.split("-")[0] === preference.split("-")[0]),
  );
  return matches.find((tag) => tag !== undefined) ?? FALLBACK;
}

/**
 * Read and use the catalogue of a language, by default the chosen one; null follows the browser. `isCurrent` tells
 * whether the language is still the chosen one when its texts arrive. The first time, the service's own language does
 * without the rest: the sentences of the service are part of it.
 */
export async function loadCatalogue(preference = storedLanguage(), isCurrent = () => true): Promise<void> {
  const tag = chosenLanguage(preference, navigator.languages);
  const isFirst = tag === FALLBACK && inUse.peek().entries.size === 0;
  const parts = await Promise.all([tag, ...(isFirst ? [] : [`${tag}.rest`])].map(readTexts));
  if (!isCurrent()) return;
  useCatalogue(tag, ...parts);
  document.documentElement.lang = tag;
}

/** Read what the catalogue in use lacks. */
export async function loadRest(): Promise<void> {
  const { language, isWhole } = inUse.peek();
  if (isWhole) return;
  const rest = entriesOf(await readTexts(`${language}.rest`));
  const current = inUse.peek();
  if (current.language !== language) return;
  inUse.value = { ...current, isWhole: true, entries: new Map([...current.entries, ...rest]) };
}

async function readTexts(name: string): Promise<Texts> {
  const answer = await fetch(new URL(`${name}.json`, BUILT));
  if (!answer.ok) throw new Error(`The texts of this page could not be read (HTTP ${answer.status}).`);
  return answer.json();
}

/** Return the stored language; null where the browser's own is followed. */
export function storedLanguage(): string | null {
  return stored(LANGUAGE_KEY);
}

/** Store the chosen language; null follows the browser. */
export function storeLanguage(tag: string | null): void {
  store(LANGUAGE_KEY, tag || null);
}

function chosenForm(forms: Exclude<Entry, string>, n: string | number | undefined): string {
  return forms[inUse.value.plurals.select(Number(n))] ?? forms.other ?? "";
}

function filled(template: string, parameters: Parameters): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = parameters[name];
    if (value === undefined) return placeholder;
    return typeof value === "number" ? inUse.value.numbers.format(value) : value;
  });
}
