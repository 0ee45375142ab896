/** Ids of selected rows. */
export type Selection = ReadonlySet<string>;

/** Return the selection with rows added, or taken out. */
export function withRows(selection: Selection, ids: readonly string[], isSelected: boolean): Selection {
  const next = new Set(selection);
  for (const id of ids) {
    if (isSelected) next.add(id);
    else next.delete(id);
  }
  return next;
}

/** Return the ids between two rows in the order shown, both included; without the first only the last. */
export function rangeOf(ids: readonly string[], from: string | null, to: string): string[] {
  const [start, end] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)];
  if (start < 0 || end < 0) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/** Return whether all rows shown are selected, none, or some. */
export function stateOf(selection: Selection, ids: readonly string[]): "all" | "none" | "some" {
  const count = ids.filter((id) => selection.has(id)).length;
  if (count === 0) return "none";
  return count === ids.length ? "all" : "some";
}
