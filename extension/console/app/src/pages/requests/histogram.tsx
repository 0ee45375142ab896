import { text } from "../../language/catalogue.js";
import { formatCount } from "../../language/formats.js";
import { LazyChart } from "../../parts/lazy_chart.js";
import { useServices } from "../../shell/services.js";
import { axisName, partName } from "../../usage/periods.js";
import { outcomeSeries } from "../../usage/series.js";
import type { Requests } from "./read_requests.js";

const HEIGHT = 96;

/** Requests over the period; a part of it narrows the list to its time. */
export function Histogram({ requests: { series } }: { requests: Requests }) {
  const { router } = useServices();
  const { starts, end, length, gaps } = series;
  return (
    <div class="padded">
      <LazyChart
        title={text("usage.over_time", { measure: text("usage.requests") })}
        times={starts}
        series={outcomeSeries(series)}
        kind="columns"
        height={HEIGHT}
        format={formatCount}
        formatTime={(time) => partName(time, length)}
        formatTick={(time) => axisName(time, { start: starts[0], end })}
        gaps={gaps}
        isLegendHidden
        hrefOf={(index) => router.addressWith({ period: "", start: starts[index], end: starts[index + 1] ?? end })}
      />
    </div>
  );
}
