import { text } from "../../language/catalogue.js";
import { formatCount } from "../../language/formats.js";
import { Card } from "../../parts/card.js";
import { Content } from "../../parts/content.js";
import { EmptyText } from "../../parts/empty_text.js";
import { LazyChart } from "../../parts/lazy_chart.js";
import { pageAddress } from "../../shell/pages.js";
import type { ReadingView } from "../../shell/reading.js";
import { axisName, partName } from "../../usage/periods.js";
import { outcomeSeries } from "../../usage/series.js";
import type { Traffic } from "./traffic.js";

/** Requests of today; a part leads to its requests. */
export function TrafficCard({ reading }: { reading: ReadingView<Traffic> }) {
  return (
    <Card title={text("overview.requests_today")}>
      <Content reading={reading}>
        {({ summary, series }) =>
          summary.totals.requests ? (
            <div class="padded">
              <LazyChart
                title={text("overview.requests_today")}
                times={series.starts}
                series={outcomeSeries(series)}
                kind="columns"
                format={formatCount}
                formatTime={(time) => partName(time, series.length)}
                formatTick={(time) => axisName(time, { start: series.starts[0], end: series.end })}
                gaps={series.gaps}
                hrefOf={(index) =>
                  pageAddress("requests", { start: series.starts[index], end: series.starts[index + 1] ?? series.end })
                }
              />
            </div>
          ) : (
            <EmptyText title={text("overview.no_usage")}>
              <a class="button" href="usage">
                {text("pages.usage")}
              </a>
            </EmptyText>
          )
        }
      </Content>
    </Card>
  );
}
