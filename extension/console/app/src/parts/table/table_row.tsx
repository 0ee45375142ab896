import { text } from "../../language/catalogue.js";
import type { Column } from "./columns.js";
import type { DataTableProps } from "./data_table.js";

const CONTROLS = "a, button, input, select, label, summary";

export interface TableRowProps<R> {
  row: R;
  id: string;
  at: number;
  columns: readonly Column<R>[];
  table: DataTableProps<R>;
  isFirst: boolean;
  isSelected: boolean;
  onSelect: (id: string, isSelected: boolean, isRange: boolean) => void;
}

export function TableRow<R>({ row, id, at, columns, table, isFirst, isSelected, onSelect }: TableRowProps<R>) {
  const { onOpen, selection } = table;
  const press = ({ target }: MouseEvent) => {
    const isControl = target instanceof Element && target.closest(CONTROLS) !== null;
    if (!isControl && document.getSelection()?.isCollapsed !== false) onOpen?.(row);
  };
  return (
    <tr
      data-id={id}
      aria-rowindex={at + 2}
      aria-selected={selection ? isSelected : undefined}
      aria-current={table.isCurrent?.(row) || undefined}
      data-quiet={table.isQuiet?.(row) || undefined}
      data-opens={onOpen ? true : undefined}
      tabIndex={isFirst ? 0 : -1}
      onClick={press}
    >
      {selection && (
        <td class="check">
          <input
            type="checkbox"
            aria-label={text("table.select", { name: table.nameOf(row) })}
            checked={isSelected}
            onClick={(event) => onSelect(id, event.currentTarget.checked, event.shiftKey)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} data-align={column.align} class={column.width === undefined ? "flexible" : undefined}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}
