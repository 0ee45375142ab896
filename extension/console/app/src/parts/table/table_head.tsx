import type { Signal } from "@preact/signals";
import { ChevronDown, ChevronUp } from "lucide";
import { text } from "../../language/catalogue.js";
import { Icon } from "../icon.js";
import { nextOrder, parseOrder, type Column } from "./columns.js";
import { stateOf, withRows, type Selection } from "./selection.js";
import { assign } from "../assign.js";

export interface TableHeadProps<R> {
  columns: readonly Column<R>[];
  ids: readonly string[];
  order?: { written: string; change: (written: string) => void };
  selection?: Signal<Selection>;
}

export function TableHead<R>({ columns, ids, order, selection }: TableHeadProps<R>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection && (
          <th scope="col" class="check">
            <SelectAll ids={ids} selection={selection} />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} order={order} />
        ))}
      </tr>
    </thead>
  );
}

function HeadCell<R>({ column, order }: { column: Column<R>; order: TableHeadProps<R>["order"] }) {
  const { id, title, width, align, sortBy } = column;
  const current = parseOrder(order?.written ?? "");
  const direction = current?.id === id ? (current.desc ? "descending" : "ascending") : undefined;
  const style = width === undefined ? undefined : { width: `${width}px` };
  return (
    <th scope="col" aria-sort={direction} data-align={align} style={style}>
      {sortBy && order ? (
        <button type="button" class="sort" onClick={() => order.change(nextOrder(order.written, id))}>
          {title}
          {direction && <Icon of={direction === "ascending" ? ChevronUp : ChevronDown} size={12} />}
        </button>
      ) : (
        title
      )}
    </th>
  );
}

function SelectAll({ ids, selection }: { ids: readonly string[]; selection: Signal<Selection> }) {
  const state = stateOf(selection.value, ids);
  return (
    <input
      type="checkbox"
      aria-label={text("table.select_all")}
      checked={state === "all"}
      indeterminate={state === "some"}
      onChange={() => assign(selection, withRows(selection.peek(), ids, state !== "all"))}
    />
  );
}
