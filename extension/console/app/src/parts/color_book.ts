/**
 * Colors of series by name. A name keeps the color that it got when it was first shown, whatever its rank: the book is
 * stored in this browser.
 */

import { store, stored } from "../connection/browser_store.js";

export const COLORS = ["c1", "c2", "c3", "c4", "c5", "c6", "c7"] as const;
export type Color = (typeof COLORS)[number];
export type ColorBook = Readonly<Record<string, Color>>;

const STORED = "poolkeeper.colors";
/** Names that the book holds; of more, those shown longest ago are dropped. */
const MOST_NAMES = 200;

/** Return the book with a color for each name: of the colors free among these names, the first. */
export function withColors(book: ColorBook, names: readonly string[]): ColorBook {
  const colors = new Map(names.filter((name) => book[name]).map((name) => [name, book[name]]));
  for (const name of names) {
    if (colors.has(name)) continue;
    const taken = new Set(colors.values());
    colors.set(name, COLORS.find((color) => !taken.has(color)) ?? COLORS[colors.size % COLORS.length]);
  }
  const others = Object.entries(book).filter(([name]) => !colors.has(name));
  return Object.fromEntries([...others, ...colors].slice(-MOST_NAMES));
}

/** Return the color of each name, and remember it. */
export function colorsOf(names: readonly string[]): ColorBook {
  const book = withColors(storedBook(), names);
  store(STORED, JSON.stringify(book));
  return book;
}

function storedBook(): ColorBook {
  try {
    return Object.fromEntries(
      Object.entries(JSON.parse(stored(STORED) ?? "{}")).filter(([, color]) => COLORS.includes(color as Color)),
    ) as ColorBook;
  } catch {
    return {};
  }
}
