import { Plus } from "lucide";
import type { FleetGatewayView } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { formatAge, formatTime, UNKNOWN } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Content } from "../../parts/content.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Status } from "../../parts/status.js";
import type { Column } from "../../parts/table/columns.js";
import { DataTable } from "../../parts/table/data_table.js";
import type { Fleet } from "../../session/fleet.js";
import { NoFleet } from "../../fleet/no_fleet.js";
import { Head } from "../../shell/head.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { useNow } from "../../shell/use_now.js";
import { GatewayDrawer } from "./drawer.js";
import { labelsText, stateOf, toneOf } from "./model.js";

/** Gateways of the fleet. The address holds `edit`: the name of a gateway, or `new`. */
export default function FleetPage() {
  const { fleet } = useServices();
  return fleet ? <Gateways fleet={fleet} /> : <NoFleet title={text("pages.fleet")} />;
}

function Gateways({ fleet }: { fleet: Fleet }) {
  const { router } = useServices();
  const now = useNow();
  // Gateways have no events of their own: they are read twice a minute.
  const reading = useReading(
    async (client) => {
      const answer = await client.get("fleet/gateways");
      fleet.gateways.value = answer.gateways;
      return answer;
    },
    { key: String(now) },
  );
  const edit = router.get("edit");
  const stored = reading.value.value?.gateways.find(({ name }) => name === edit);
  const open = (name: string) => router.set({ edit: name }, { push: true });
  return (
    <>
      <Head title={text("pages.fleet")}>
        <span class="grow" />
        <Button kind="primary" icon={Plus} onPress={() => open("new")}>
          {text("fleet.add")}
        </Button>
      </Head>
      <div class="body">
        <section class="card" aria-label={text("pages.fleet")}>
          <Content reading={reading}>
            {({ gateways }) => (
              <DataTable
                label={text("pages.fleet")}
                rows={gateways}
                columns={gatewayColumns(now)}
                idOf={({ name }) => name}
                nameOf={({ name }) => name}
                order={{ written: router.get("sort"), change: (sort) => router.set({ sort }) }}
                onOpen={({ name }) => open(name)}
                isCurrent={({ name }) => name === edit}
                isQuiet={({ enabled }) => !enabled}
                empty={<EmptyText title={text("fleet.no_gateway")} hint={text("fleet.no_gateway_hint")} />}
              />
            )}
          </Content>
        </section>
      </div>
      {(edit === "new" || stored) && (
        <GatewayDrawer
          key={edit}
          stored={stored}
          refresh={reading.refresh}
          onClose={() => router.set({ edit: "" }, { push: true })}
        />
      )}
    </>
  );
}

function gatewayColumns(now: number): Column<FleetGatewayView>[] {
  return [
    {
      id: "name",
      title: text("fleet.gateway"),
      least: 110,
      sortBy: ({ name }) => name,
      cell: ({ name }) => <bdi>{name}</bdi>,
    },
    {
      id: "state",
      title: text("fleet.state"),
      width: 136,
      sortBy: stateOf,
      cell: (gateway) => (
        <span title={gateway.problem}>
          <Status tone={toneOf(gateway)}>{text(`fleet.state_${stateOf(gateway)}`)}</Status>
        </span>
      ),
    },
    { id: "url", title: text("fleet.url"), width: 280, rank: 5, cell: ({ url }) => <bdi class="mono">{url}</bdi> },
    {
      id: "labels",
      title: text("fleet.labels"),
      width: 170,
      rank: 2,
      cell: ({ labels }) => <bdi>{labelsText(labels)}</bdi>,
    },
    {
      id: "egress",
      title: text("fleet.egress"),
      width: 110,
      rank: 1,
      cell: ({ egress }) => <bdi>{egress || UNKNOWN}</bdi>,
    },
    { id: "release", title: text("fleet.release"), width: 100, rank: 4, cell: ({ release }) => release || UNKNOWN },
    {
      id: "seen",
      title: text("fleet.seen"),
      width: 120,
      rank: 3,
      sortBy: ({ seenAt }) => seenAt,
      cell: ({ seenAt }) => <span title={formatTime(seenAt)}>{seenAt ? formatAge(now - seenAt) : UNKNOWN}</span>,
    },
  ];
}
