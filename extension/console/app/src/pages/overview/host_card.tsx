import { hostName } from "../../accounts/host_name.js";
import { WORST_FIRST } from "../../accounts/status.js";
import type { OverviewAnswer } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { formatCount } from "../../language/formats.js";
import { Card } from "../../parts/card.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Status } from "../../parts/status.js";
import type { ReadingView } from "../../shell/reading.js";
import { hostRows, type HostRow } from "./model.js";
import { Part } from "./part.js";

const MOST_SHOWN = 8;
const TONES = WORST_FIRST.toReversed();

/** Hosts with the most unhealthy accounts, each with who has to act on them. */
export function HostCard({ reading }: { reading: ReadingView<OverviewAnswer> }) {
  return (
    <Card title={text("overview.hosts")}>
      <Part reading={reading}>
        {(pool) => {
          const rows = hostRows(pool);
          const rest = pool.hostsLeftOff + Math.max(rows.length - MOST_SHOWN, 0);
          if (!rows.length) return <EmptyText title={text("overview.no_accounts")} />;
          return (
            <div class="padded stack">
              <ul class="hosts">
                {rows.slice(0, MOST_SHOWN).map((row) => (
                  <Host key={row.id} row={row} />
                ))}
              </ul>
              {rest > 0 && <p class="quiet">{text("overview.more_hosts", { n: rest })}</p>}
              <p class="chips">
                {TONES.map((tone) => (
                  <Status key={tone} tone={tone}>
                    {text(`overview.tone_${tone}`)}
                  </Status>
                ))}
              </p>
            </div>
          );
        }}
      </Part>
    </Card>
  );
}

function Host({ row: { host, source, href, healthy, total, counts } }: { row: HostRow }) {
  const parts = TONES.filter((tone) => counts[tone] > 0);
  const words = parts.map((tone) => `${text(`overview.tone_${tone}`)} ${formatCount(counts[tone])}`).join(", ");
  return (
    <li>
      <a class="cut" href={href} title={`${hostName(host)}, ${text(`overview.${source as "oauth"}`)}`}>
        <bdi>{host || hostName(host)}</bdi> {source === "oauth" && <small>{text("accounts.tab_oauth")}</small>}
      </a>
      <span class="health-bar" role="img" aria-label={words} title={words}>
        {parts.map((tone) => (
          <span key={tone} data-tone={tone} style={{ flexGrow: counts[tone] }} />
        ))}
      </span>
      <span class="quiet number">
        {formatCount(healthy)}/{formatCount(total)}
      </span>
    </li>
  );
}
