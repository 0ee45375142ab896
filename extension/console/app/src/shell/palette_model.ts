/** What the palette finds: pages, actions, and whatever a page adds. */

import type { IconNode } from "lucide";

export interface Command {
  id: string;
  label: string;
  icon?: IconNode;
  /** Words beside the label that find it as well. */
  words?: string;
  act: () => unknown;
}

/** Characters at the end of a key by which an account is found; the rest of a pasted key is never sent. */
const TAIL = 4;
const KEY = /^[\w.-]{20,}$/;

/** Return what to look for: of something as long as a key only its end. */
export function searchOf(typed: string): string {
  const words = typed.trim();
  return KEY.test(words) ? words.slice(-TAIL) : words;
}

/** Return the commands that hold every word, those whose label begins with the first word before the others. */
export function matching(commands: readonly Command[], search: string): Command[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = commands.filter(({ label, words: more = "" }) => {
    const text = `${label} ${more}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const begins = ({ label }: Command) => words.length > 0 && label.toLowerCase().startsWith(words[0]);
  return [...hits.filter(begins), ...hits.filter((command) => !begins(command))];
}
