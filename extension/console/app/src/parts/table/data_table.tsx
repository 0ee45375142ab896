import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { fittingColumns, sortedRows, type Column } from "./columns.js";
import { rangeOf, withRows, type Selection } from "./selection.js";
import { TableHead } from "./table_head.js";
import { TableRow } from "./table_row.js";
import { useVirtualRows } from "./virtual_rows.js";

export interface DataTableProps<R> {
  label: string;
  rows: readonly R[];
  columns: readonly Column<R>[];
  idOf: (row: R) => string;
  /** Name of a row for its check box. */
  nameOf: (row: R) => string;
  /** Order as it stands in the address, with its change; without it the rows stay as given. */
  order?: { written: string; change: (written: string) => void };
  /** Whether the rows are in their order already: a long list is sorted in slices. */
  isOrdered?: boolean;
  /** Selected rows; without it there are no check boxes. */
  selection?: Signal<Selection>;
  /** Opens a row: by a press on it, or Enter in it. */
  onOpen?: (row: R) => void;
  /** Whether the drawer of a row is open. */
  isCurrent?: (row: R) => boolean;
  /** Whether a row is off: its text is gray. */
  isQuiet?: (row: R) => boolean;
  empty: ComponentChildren;
}

const CHECK_BOX = 38;

/**
 * Table that draws the rows in view. Arrow keys, `j` and `k` go from row to row, `x` selects a row, Shift+x all from the last one on,
 * Enter opens it. Columns give way by rank where room is short, so that the flexible one is never cut.
 */
export function DataTable<R>(props: DataTableProps<R>) {
  const { rows, columns, idOf, selection, empty } = props;
  const place = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const lastSelected = useRef<string | null>(null);
  const room = useRoom(place);
  const written = props.order?.written ?? "";
  // Once for new rows, not for each step of scrolling: ten thousand rows take a tenth of a second.
  const sorted = useMemo(
    () => sortedRows(rows, props.isOrdered ? [] : columns, written),
    [rows, written, columns.length],
  );
  const ids = useMemo(() => sorted.map(idOf), [sorted]);
  const shown = fittingColumns(columns, room - (selection ? CHECK_BOX : 0));
  const { start, end, above, below, show } = useVirtualRows(sorted.length, body);
  const focused = useFocusedRow(body, ids);
  const span = shown.length + (selection ? 1 : 0);

  const select = (id: string, isSelected: boolean, isRange: boolean) => {
    if (!selection) return;
    const range = isRange ? rangeOf(ids, lastSelected.current, id) : [id];
    selection.value = withRows(selection.peek(), range, isSelected);
    lastSelected.current = id;
  };
  const steer = (event: KeyboardEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>("tr[data-id]") : null;
    const id = row?.dataset.id;
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = ids.indexOf(id);
    const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    if (step) focusRow(at + step);
    else if (event.key.toLowerCase() === "x" && selection) select(id, !selection.peek().has(id), event.shiftKey);
    else if (event.key === "Enter" && event.target === row) props.onOpen?.(sorted[at]);
    else return;
    event.preventDefault();
  };
  const focusRow = (index: number) => {
    const id = ids[index];
    if (id === undefined) return;
    const focus = () => {
      const row = body.current?.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"]`);
      row?.focus();
      return Boolean(row);
    };
    // At once where the row is drawn: a second press of the key starts from it.
    if (focus()) return;
    show(index);
    requestAnimationFrame(focus);
  };

  if (!rows.length) return <div ref={place}>{empty}</div>;
  return (
    <div class="table-room" ref={place}>
      <table aria-label={props.label} aria-rowcount={sorted.length + 1}>
        <TableHead columns={shown} ids={ids} order={props.order} selection={selection} />
        <tbody ref={body} onKeyDown={steer} onFocusIn={focused.enter} onFocusOut={focused.leave}>
          {above > 0 && <Room height={above} span={span} />}
          {sorted.slice(start, end).map((row, index) => (
            <TableRow
              key={ids[start + index]}
              row={row}
              id={ids[start + index]}
              at={start + index}
              columns={shown}
              table={props}
              isFirst={start + index === 0}
              isSelected={selection?.value.has(ids[start + index]) ?? false}
              onSelect={select}
            />
          ))}
          {below > 0 && <Room height={below} span={span} />}
        </tbody>
      </table>
    </div>
  );
}

function Room({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden="true" class="room">
      <td colSpan={span} style={{ height: `${height}px` }} />
    </tr>
  );
}

/** Keep the keyboard in the table when the row that has it goes: with the row that takes its place. */
function useFocusedRow(body: { current: HTMLElement | null }, ids: readonly string[]) {
  const focused = useRef<{ id: string; at: number } | null>(null);
  useLayoutEffect(() => {
    const row = focused.current;
    if (!row || document.activeElement !== document.body || ids.includes(row.id)) return;
    const rows = [...(body.current?.querySelectorAll<HTMLElement>("tr[data-id]") ?? [])];
    const at = Number(rows[0]?.getAttribute("aria-rowindex") ?? 2) - 2;
    focused.current = null;
    (rows[Math.min(row.at - at, rows.length - 1)] ?? document.getElementById("page"))?.focus({ preventScroll: true });
  });
  return {
    enter: ({ target }: FocusEvent) => {
      const id = target instanceof Element ? target.closest<HTMLElement>("tr[data-id]")?.dataset.id : undefined;
      focused.current = id === undefined ? null : { id, at: ids.indexOf(id) };
    },
    leave: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) focused.current = null;
    },
  };
}

/** Width that the columns share. */
function useRoom(place: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(window.innerWidth);
  useLayoutEffect(() => {
    if (!place.current) return undefined;
    const observer = new ResizeObserver(([{ contentRect }]) => setWidth(contentRect.width));
    observer.observe(place.current);
    setWidth(place.current.clientWidth);
    return () => observer.disconnect();
  }, [place.current]);
  return width;
}
