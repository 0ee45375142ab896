import { currentLocale, text } from "../../language/catalogue.js";
import { formatCount } from "../../language/formats.js";
import { Card } from "../../parts/card.js";

const MONDAY = Date.UTC(2024, 0, 1);
const DAY = 24 * 3_600_000;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Requests by weekday and hour: a table whose cells are as dark as they are full. */
export function HeatCard({ heat }: { heat: readonly (readonly number[])[] }) {
  const most = Math.max(...heat.flat(), 1);
  const days = new Intl.DateTimeFormat(currentLocale(), { weekday: "short", timeZone: "UTC" });
  return (
    <Card title={text("usage.heat")}>
      <div class="padded heat">
        <table aria-label={text("usage.heat")}>
          <thead>
            <tr>
              <td />
              {HOURS.map((hour) => (
                <th key={hour} scope="col">
                  <span class={hour % 3 ? "visually-hidden" : undefined}>{hour}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {heat.map((row, day) => (
              <tr key={day}>
                <th scope="row">{days.format(MONDAY + day * DAY)}</th>
                {row.map((count, hour) => (
                  <td key={hour} title={formatCount(count)}>
                    <span class="visually-hidden">{formatCount(count)}</span>
                    <span class="heat-cell" style={{ opacity: count / most }} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
