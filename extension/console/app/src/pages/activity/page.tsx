import { Download, X } from "lucide";
import { useSignal } from "@preact/signals";
import { LossDialog } from "../../actions/loss_dialog.js";
import type { ActionsAnswer } from "../../connection/api.js";
import { saveFile } from "../../connection/save_file.js";
import { text } from "../../language/catalogue.js";
import { formatDate, formatTime, formatWeekday } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Card } from "../../parts/card.js";
import { Chip } from "../../parts/chip.js";
import { Content } from "../../parts/content.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Segmented } from "../../parts/segmented.js";
import { Head, HeadSearch } from "../../shell/head.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { LineRow } from "./line_row.js";
import { csvOf, daysOf, FACETS, isOf, linesOf, PERIODS, searched, sinceOf, type Line } from "./model.js";

const LIMIT = 2000;
/** Filters that links of other pages set; the service applies them. */
const FILTERS = ["batch", "run", "account", "since", "actor", "action", "cause", "result"] as const;

/**
 * Changes of accounts, a line a command. The address holds `period`, `search`, `show` (a facet), `open` (lines whose
 * actions are in sight), `before` (an action from which on older ones are shown), and the filters above.
 */
export default function ActivityPage() {
  const { router } = useServices();
  const filters = FILTERS.map((name) => [name, router.get(name)] as const).filter(([, value]) => value);
  const period = PERIODS.find((name) => name === router.get("period")) ?? (filters.length ? "all" : "7d");
  const before = router.get("before");
  const search = router.get("search").slice(0, 200);
  const reading = useReading(
    (client) => {
      const since = sinceOf(period, Date.now());
      const query = { limit: LIMIT, ...(since ? { since } : {}), ...Object.fromEntries(filters) };
      return client.get("pool/actions", { ...query, ...(before ? { before } : {}) });
    },
    { key: JSON.stringify([period, before, filters]), on: ["action", "batch"] },
  );
  const deleted = useReading((client) => client.get("pool/restore"), { on: ["action", "batch"] });
  const kept = deleted.value.value?.files.map(({ account }) => account) ?? [];
  const lines = reading.value.value ? searched(linesOf(reading.value.value, kept), search) : [];
  const facet = FACETS.find((name) => name === router.get("show")) ?? "all";
  const shown = lines.filter((line) => isOf(line, facet));
  return (
    <>
      <Head title={text("pages.activity")}>
        <HeadSearch
          label={text("activity.search")}
          value={search}
          onSearch={(words) => router.set({ search: words })}
        />
        <span class="grow" />
        <Segmented
          label={text("activity.period")}
          value={period}
          segments={PERIODS.map((value) => ({ value, label: text(`activity.period_${value}`) }))}
          onChange={(value) => router.set({ period: value, since: "", before: "" })}
        />
        <Button
          icon={Download}
          label={text("activity.export")}
          isDisabled={!shown.length}
          onPress={() =>
            saveFile({ name: "activity.csv", content: new Blob([csvOf(shown)], { type: "text/csv;charset=utf-8" }) })
          }
        />
      </Head>
      <div class="body">
        <div class="chips" role="group" aria-label={text("activity.show")}>
          {FACETS.map((name) => (
            <Chip
              key={name}
              label={text(`activity.show_${name}`)}
              count={lines.filter((line) => isOf(line, name)).length}
              isOn={facet === name}
              onPress={() => router.set({ show: name === "all" ? "" : name })}
            />
          ))}
          {filters.map(([name, value]) => (
            <Button
              key={name}
              size="small"
              icon={X}
              label={text("activity.drop_filter", { name: text(`activity.filter_${name}`) })}
              onPress={() => router.set({ [name]: "", before: "" })}
            >
              {text(`activity.filter_${name}`)}: {name === "since" ? formatTime(Number(value)) : value}
            </Button>
          ))}
        </div>
        <Content reading={reading}>{(answer) => <Days lines={shown} answer={answer} />}</Content>
      </div>
      <LossDialog />
    </>
  );
}

function Days({ lines, answer }: { lines: readonly Line[]; answer: ActionsAnswer }) {
  const { router } = useServices();
  const open = useSignal<ReadonlySet<string>>(new Set(router.list("open")));
  const isAlone = router.get("batch") !== "";
  if (!lines.length) {
    const isNone = answer.total === 0 && !router.query.value.size;
    return (
      <section class="card">
        <EmptyText title={text(isNone ? "activity.none" : "activity.none_found")} hint={text("activity.purpose")} />
      </section>
    );
  }
  const toggle = (id: string) => {
    const ids = new Set(open.peek());
    if (!ids.delete(id)) ids.add(id);
    open.value = ids;
    router.set({ open: [...open.peek()] });
  };
  const last = answer.actions.at(-1);
  return (
    <>
      {daysOf(lines).map(([day, members]) => (
        <Card key={day} title={formatDate(day)} note={formatWeekday(day)}>
          <ul class="listing">
            {members.map((line) => (
              <LineRow
                key={line.id}
                line={line}
                isOpen={isAlone !== open.value.has(line.id)}
                onToggle={() => toggle(line.id)}
              />
            ))}
          </ul>
        </Card>
      ))}
      {last && answer.total > answer.actions.length && (
        <div class="row">
          <span class="quiet">{text("activity.part", { shown: answer.actions.length, n: answer.total })}</span>
          <Button onPress={() => router.set({ before: last.id }, { push: true })}>{text("activity.older")}</Button>
        </div>
      )}
    </>
  );
}
