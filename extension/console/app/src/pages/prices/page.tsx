import { Plus, Scale } from "lucide";
import { text } from "../../language/catalogue.js";
import { Button } from "../../parts/button.js";
import { Content } from "../../parts/content.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Segmented } from "../../parts/segmented.js";
import { DataTable } from "../../parts/table/data_table.js";
import { Head, HeadSearch } from "../../shell/head.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { priceColumns } from "./columns.js";
import { CompareDrawer } from "./compare_drawer.js";
import { PriceDrawer } from "./drawer.js";
import { inView, newPrice, rowsOf, VIEWS, type PriceRow, type Prices } from "./model.js";
import { readPrices } from "./read_prices.js";

/**
 * Prices in use, the models without one on top. The address holds `search`, `view`, `sort`, and what is open: `edit`, a
 * row or `new`, or `compare`.
 */
export default function PricesPage() {
  const { router } = useServices();
  const search = router.get("search").slice(0, 200);
  const view = VIEWS.find((name) => name === router.get("view")) ?? "all";
  const edit = router.get("edit");
  const reading = useReading((client) => readPrices(client, search, Date.now()), { key: search, on: ["price"] });
  const prices = reading.value.value;
  const rows = prices ? rowsOf(prices, search) : [];
  const edited = edit === "new" ? newPrice() : rows.find(({ id }) => id === edit);
  const close = () => router.set({ edit: "", compare: "" }, { push: true });
  return (
    <>
      <Head title={text("pages.prices")}>
        <Segmented
          label={text("prices.view")}
          value={view}
          segments={VIEWS.map((value) => ({
            value,
            label: text(`prices.view_${value}`),
            count: inView(rows, value).length,
          }))}
          onChange={(value) => router.set({ view: value === "all" ? "" : value })}
        />
        <HeadSearch label={text("prices.search")} value={search} onSearch={(words) => router.set({ search: words })} />
        <span class="grow" />
        <Button
          icon={Scale}
          label={text("prices.compare")}
          onPress={() => router.set({ compare: "litellm", edit: "" }, { push: true })}
        >
          <span class="wide-only">{text("prices.compare")}</span>
        </Button>
        <Button kind="primary" icon={Plus} onPress={() => router.set({ edit: "new", compare: "" }, { push: true })}>
          {text("prices.add")}
        </Button>
      </Head>
      <div class="body">
        <section class="card" aria-label={text("prices.in_use")}>
          <Content reading={reading}>{(value) => <PriceTable prices={value} />}</Content>
        </section>
        <p class="quiet">
          {prices && text("prices.built_in", { version: prices.answer.builtIn })} {text("prices.per_million")}{" "}
          {text("prices.rerate_hint")}
        </p>
      </div>
      {edited && <PriceDrawer key={edited.id} price={edited} onClose={close} refresh={reading.refresh} />}
      {router.get("compare") && <CompareDrawer onClose={close} refresh={reading.refresh} />}
    </>
  );
}

function PriceTable({ prices }: { prices: Prices }) {
  const { router } = useServices();
  const search = router.get("search");
  const view = VIEWS.find((name) => name === router.get("view")) ?? "all";
  const open = ({ id }: PriceRow) => router.set({ edit: id, compare: "" }, { push: true });
  const none = {
    all: search ? "prices.not_found" : "prices.no_usage",
    own: "prices.none",
    unpriced: "prices.all_priced",
  };
  return (
    <DataTable
      label={text("prices.in_use")}
      rows={inView(rowsOf(prices, search), view)}
      columns={priceColumns(open)}
      idOf={({ id }) => id}
      nameOf={({ model }) => model}
      order={{ written: router.get("sort"), change: (sort) => router.set({ sort }) }}
      onOpen={open}
      isCurrent={({ id }) => id === router.get("edit")}
      empty={<EmptyText title={text(none[view] as "prices.none")} />}
    />
  );
}
