/** Rows of a table in their order, by TanStack Table. */

import { createTable, getCoreRowModel, getSortedRowModel, type ColumnDef } from "@tanstack/table-core";
import { parseOrder, type Column } from "./columns.js";

const COLLATOR = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Return the rows in an order as it stands in the address; rows without a value come last in both directions. */
export function sortedRows<R>(rows: readonly R[], columns: readonly Column<R>[], written: string): R[] {
  const order = parseOrder(written);
  const sortable = columns.filter(({ sortBy }) => sortBy);
  if (!order || !sortable.some(({ id }) => id === order.id)) return [...rows];
  const table = createTable<R>({
    data: [...rows],
    columns: sortable.map(definitionOf),
    state: { sorting: [order], columnPinning: { left: [], right: [] } },
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
    onStateChange: () => {},
    renderFallbackValue: null,
  });
  return table.getRowModel().rows.map(({ original }) => original);
}

function definitionOf<R>({ id, sortBy }: Column<R>): ColumnDef<R> {
  return {
    id,
    accessorFn: (row) => sortBy?.(row) ?? undefined,
    sortUndefined: "last",
    sortDescFirst: false,
    sortingFn: (a, b) => compared(a.getValue(id), b.getValue(id)),
  };
}

function compared(a: unknown, b: unknown): number {
  return typeof a === "number" && typeof b === "number" ? a - b : COLLATOR.compare(String(a), String(b));
}
