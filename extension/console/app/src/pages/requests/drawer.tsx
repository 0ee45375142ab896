import type { UsageView } from "../../connection/api.js";
import type { Client } from "../../connection/client.js";
import { text } from "../../language/catalogue.js";
import { Content } from "../../parts/content.js";
import { Drawer, DrawerPart } from "../../parts/drawer.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Facts } from "../../parts/facts.js";
import { pageAddress } from "../../shell/pages.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { costLines } from "../../usage/cost_parts.js";
import { CostTableView } from "../../usage/cost_table.js";
import { costNotes, costText, factsOf } from "./model.js";
import { readRequest, type Names } from "./read_requests.js";

const LONGEST_SEARCH = 200;

export interface RequestDrawerProps {
  place: { at: number; seq: number };
  names: Names | null;
  onClose: () => void;
}

/** One request: what is known of it, and the parts of its cost. */
export function RequestDrawer({ place, names, onClose }: RequestDrawerProps) {
  const reading = useReading((client) => readExplained(client, place), { on: ["price"] });
  const request = reading.value.value?.request;
  return (
    <Drawer
      title={<bdi>{request ? request.model || text("usage.no_name") : text("requests.one")}</bdi>}
      head={request && <b class="number">{text("requests.cost_is", { cost: costText(request) })}</b>}
      onClose={onClose}
    >
      <Content reading={reading}>
        {({ request: row, explanation }) =>
          row && explanation ? (
            <>
              <DrawerPart title={text("requests.why")}>
                <CostTableView caption={text("requests.why")} table={costLines(row, explanation.prices[0])} />
                {costNotes(row, explanation).map((note) => (
                  <p key={note} class="quiet">
                    <bdi>{note}</bdi>
                  </p>
                ))}
                <a class="link" href={pageAddress("prices", { search: row.model.slice(0, LONGEST_SEARCH) })}>
                  {text("requests.to_price")}
                </a>
              </DrawerPart>
              <RequestFacts request={row} names={names} />
            </>
          ) : (
            <EmptyText title={text("requests.gone")} />
          )
        }
      </Content>
    </Drawer>
  );
}

async function readExplained(client: Client, place: RequestDrawerProps["place"]) {
  const request = await readRequest(client, place);
  const explanation = request && (await client.get("../usage/explanation", { seq: place.seq }));
  return { request, explanation };
}

function RequestFacts({ request, names }: { request: UsageView; names: Names | null }) {
  const { router } = useServices();
  const linked = ({ value, by, name }: ReturnType<typeof factsOf>[number]) =>
    by ? (
      <a
        class="link"
        href={router.addressWith({ [by]: name ?? "", request: "" })}
        title={text("requests.only", { name: value })}
      >
        <bdi>{value}</bdi>
      </a>
    ) : (
      value
    );
  return (
    <DrawerPart title={text("requests.one")}>
      <Facts rows={factsOf(request, names).map((fact) => [fact.label, linked(fact)])} />
    </DrawerPart>
  );
}
