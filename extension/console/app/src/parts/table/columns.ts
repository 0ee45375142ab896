import type { ComponentChildren } from "preact";

/** Column of a table. Exactly one has no `width`: it takes the room that the others leave, and is never cut. */
export interface Column<R> {
  id: string;
  title: string;
  /** Width in pixels. */
  width?: number;
  /** Least width of the flexible column, in pixels. */
  least?: number;
  /** Which column gives way first where room is short: the lowest number. Without one it stays. */
  rank?: number;
  align?: "end";
  /** Value to sort by; a column without it cannot be sorted. Rows without a value come last. */
  sortBy?: (row: R) => string | number | null;
  cell: (row: R) => ComponentChildren;
}

const LEAST = 160;
const COLLATOR = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Return the columns that have room side by side, in their order. */
export function fittingColumns<R>(columns: readonly Column<R>[], room: number): Column<R>[] {
  const shown = [...columns];
  const needed = () => shown.reduce((sum, { width, least = LEAST }) => sum + (width ?? least), 0);
  const byRank = columns.filter(({ rank }) => rank !== undefined).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  for (const column of byRank) {
    if (needed() <= room) break;
    shown.splice(shown.indexOf(column), 1);
  }
  return shown;
}

/** Order of rows as it stands in an address: a column, or `column.desc`; empty for the order as given. */
export interface Order {
  id: string;
  desc: boolean;
}

export function parseOrder(written: string): Order | null {
  if (!written) return null;
  const desc = written.endsWith(".desc");
  return { id: desc ? written.slice(0, -".desc".length) : written, desc };
}

/** Return the order after a press on the head of a column: up, down, as given. */
export function nextOrder(written: string, id: string): string {
  if (written === id) return `${id}.desc`;
  return written === `${id}.desc` ? "" : id;
}

/** Return the rows in an order as it stands in the address; rows without a value come last in both directions. */
export function sortedRows<R>(rows: readonly R[], columns: readonly Column<R>[], written: string): R[] {
  const order = parseOrder(written);
  const sortBy = columns.find(({ id }) => id === order?.id)?.sortBy;
  if (!order || !sortBy) return [...rows];
  const valued = rows.map((row) => ({ row, value: sortBy(row) }));
  valued.sort((a, b) => compared(a.value, b.value, order.desc ? -1 : 1));
  return valued.map(({ row }) => row);
}

function compared(a: string | number | null, b: string | number | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return sign * (typeof a === "number" && typeof b === "number" ? a - b : COLLATOR.compare(String(a), String(b)));
}
