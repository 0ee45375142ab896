import { text } from "../language/catalogue.js";
import type { CostLine, CostTable } from "./cost_parts.js";

const HEADS = ["kind", "tokens", "rate", "cost"] as const;

/** Parts of a cost with their sum. */
export function CostTableView({ caption, table: { lines, total } }: { caption: string; table: CostTable }) {
  if (!total) return <p class="quiet">{text("requests.no_tokens")}</p>;
  return (
    <table class="cost-table" aria-label={caption}>
      <thead>
        <tr>
          {HEADS.map((name) => (
            <th key={name} scope="col">
              {text(`cost_column.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </tbody>
      <tfoot>
        <Line line={total} />
      </tfoot>
    </table>
  );
}

function Line({ line: { name, note, count, rate, cost } }: { line: CostLine }) {
  return (
    <tr>
      <th scope="row">
        {name} {note && <small class="quiet">{note}</small>}
      </th>
      <td>{count}</td>
      <td>{rate}</td>
      <td>{cost}</td>
    </tr>
  );
}
