import { text } from "../../language/catalogue.js";
import { Card } from "../../parts/card.js";
import type { ColorBook } from "../../parts/color_book.js";
import { LazyChart } from "../../parts/lazy_chart.js";
import { Segmented } from "../../parts/segmented.js";
import { pageAddress } from "../../shell/pages.js";
import { useServices } from "../../shell/services.js";
import { axisName, partName } from "../../usage/periods.js";
import { DIMENSIONS, selectionOf, type Shown } from "../../usage/selection.js";
import { formatOf, latencySeries, MEASURES, seriesOf, type Measure } from "../../usage/series.js";
import type { Usage } from "./read_usage.js";

export interface ChartCardProps {
  usage: Usage;
  measure: Measure;
  shown: Shown;
  colors: ColorBook;
}

/** A measure over time, by a dimension. */
export function ChartCard({ usage: { series, by }, measure, shown, colors }: ChartCardProps) {
  const { router } = useServices();
  const isLatency = measure === "latency";
  const title = text(`usage_measure.${measure}`);
  const named =
    by === "none" || isLatency
      ? title
      : text("usage.of_dimension", { measure: title, by: text(`usage_by.${by}`).toLowerCase() });
  const hrefOf = (index: number) => {
    const part = { start: series.starts[index], end: series.starts[index + 1] ?? series.end };
    return pageAddress("requests", { ...selectionOf((name) => router.get(name)), period: "", ...part });
  };
  return (
    <Card
      title={named}
      controls={
        <Segmented
          label={text("usage.by")}
          value={by}
          segments={DIMENSIONS.map((value) => ({ value, label: text(`usage_by.${value}`) }))}
          onChange={(value) => router.set({ by: value, explain: "" }, { push: true })}
        />
      }
    >
      <div class="padded stack">
        <div>
          <Segmented
            label={text("usage.measure")}
            value={measure}
            segments={MEASURES.map((value) => ({ value, label: text(`usage_measure.${value}`) }))}
            onChange={(value) => router.set({ measure: value }, { push: true })}
          />
        </div>
        <LazyChart
          key={measure + by}
          title={named}
          times={series.starts}
          series={isLatency ? latencySeries(series) : seriesOf(series, measure, shown, colors)}
          kind={isLatency ? "lines" : "columns"}
          format={formatOf(measure)}
          formatTime={(time) => partName(time, series.length)}
          formatTick={(time) => axisName(time, { start: series.starts[0], end: series.end })}
          gaps={series.gaps}
          hrefOf={hrefOf}
        />
      </div>
    </Card>
  );
}
