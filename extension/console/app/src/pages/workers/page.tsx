import type { WorkerView } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { formatAge, formatCount, formatTime } from "../../language/formats.js";
import { Content } from "../../parts/content.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Meter } from "../../parts/meter.js";
import { Badge } from "../../parts/status.js";
import type { Column } from "../../parts/table/columns.js";
import { DataTable } from "../../parts/table/data_table.js";
import { Head } from "../../shell/head.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { useNow } from "../../shell/use_now.js";
import { NoFleet } from "../../fleet/no_fleet.js";

/** Workers of the fleet that live, with the gateways that each works on. */
export default function WorkersPage() {
  const { fleet } = useServices();
  return fleet ? (
    <Workers names={new Map(fleet.gateways.value.map(({ id, name }) => [id, name]))} />
  ) : (
    <NoFleet title={text("pages.workers")} />
  );
}

function Workers({ names }: { names: Map<number, string> }) {
  const now = useNow();
  const reading = useReading((client) => client.get("fleet/workers"), { key: String(now) });
  return (
    <>
      <Head title={text("pages.workers")} />
      <div class="body">
        <section class="card" aria-label={text("pages.workers")}>
          <Content reading={reading}>
            {({ workers }) => (
              <DataTable
                label={text("pages.workers")}
                rows={workers}
                columns={workerColumns(names, now)}
                idOf={({ id }) => id}
                nameOf={({ name }) => name}
                empty={<EmptyText title={text("workers.none")} hint={text("workers.none_hint")} />}
              />
            )}
          </Content>
        </section>
      </div>
    </>
  );
}

function workerColumns(names: Map<number, string>, now: number): Column<WorkerView>[] {
  return [
    { id: "name", title: text("workers.worker"), least: 110, cell: ({ name }) => <bdi>{name}</bdi> },
    { id: "slots", title: text("workers.slots"), width: 180, cell: (worker) => <Slots worker={worker} /> },
    {
      id: "gateways",
      title: text("workers.gateways"),
      width: 300,
      rank: 5,
      cell: ({ visits }) => (
        <bdi>{visits.map((id) => names.get(id) ?? `#${id}`).join(", ") || text("workers.idle")}</bdi>
      ),
    },
    {
      id: "capacity",
      title: text("workers.capacity"),
      width: 130,
      rank: 3,
      align: "end",
      cell: ({ capacity }) => formatCount(capacity),
    },
    { id: "version", title: text("workers.version"), width: 100, rank: 1, cell: ({ version }) => version },
    {
      id: "started",
      title: text("runs.started"),
      width: 120,
      rank: 2,
      cell: ({ startedAt }) => <span title={formatTime(startedAt)}>{formatAge(now - startedAt)}</span>,
    },
    {
      id: "seen",
      title: text("fleet.seen"),
      width: 120,
      rank: 4,
      cell: ({ seenAt }) => <span title={formatTime(seenAt)}>{formatAge(now - seenAt)}</span>,
    },
  ];
}

function Slots({ worker: { visits, slots, isFull } }: { worker: WorkerView }) {
  const words = text("run.done", { done: visits.length, total: slots });
  return (
    <span class="row">
      <span class="number">{words}</span>
      <Meter percent={slots ? (100 * visits.length) / slots : 0} title={words} />
      {isFull && <Badge tone="wait">{text("workers.full")}</Badge>}
    </span>
  );
}
