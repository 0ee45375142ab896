import { Plus } from "lucide";
import type { ChannelDeliveryView, ChannelsAnswer, ChannelView } from "../../connection/api.js";
import { text, tokenText } from "../../language/catalogue.js";
import { formatTime } from "../../language/formats.js";
import { reasonsText } from "../../language/reasons.js";
import { Button } from "../../parts/button.js";
import { Card } from "../../parts/card.js";
import { ConfirmButton } from "../../parts/confirm_button.js";
import { Content } from "../../parts/content.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Status } from "../../parts/status.js";
import type { Column } from "../../parts/table/columns.js";
import { DataTable } from "../../parts/table/data_table.js";
import { Head } from "../../shell/head.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { ChannelDrawer } from "./drawer.js";
import { ServiceGlyph } from "./glyph.js";
import { serviceOf } from "./services.js";

type Refresh = () => Promise<void>;

/** Channels of the notifications and their newest deliveries. The address holds `edit`: a channel's number, or `new`. */
export default function NotificationsPage() {
  const { router } = useServices();
  const reading = useReading((client) => client.get("config/channels"), { key: "", on: ["channel", "run.state"] });
  const answer = reading.value.value;
  const edit = router.get("edit");
  const edited = answer?.channels.find(({ id }) => String(id) === edit);
  const close = () => router.set({ edit: "" }, { push: true });
  return (
    <>
      <Head title={text("pages.notifications")}>
        <span class="grow" />
        <Button kind="primary" icon={Plus} onPress={() => router.set({ edit: "new" }, { push: true })}>
          {text("channels.add")}
        </Button>
      </Head>
      <div class="body">
        <Content reading={reading}>
          {(value) => (
            <>
              <ChannelCard answer={value} refresh={reading.refresh} />
              {value.deliveries.length > 0 && <DeliveryCard answer={value} />}
            </>
          )}
        </Content>
      </div>
      {answer && (edit === "new" || edited) && (
        <ChannelDrawer
          key={edit}
          channel={edited}
          hasLibrary={answer.library}
          onClose={close}
          refresh={reading.refresh}
        />
      )}
    </>
  );
}

function ChannelCard({ answer, refresh }: { answer: ChannelsAnswer; refresh: Refresh }) {
  return (
    <Card title={text("channels.title")}>
      {answer.channels.length ? (
        <ul class="listing">
          {answer.channels.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} refresh={refresh} />
          ))}
        </ul>
      ) : (
        <EmptyText title={text("channels.none")} hint={text("channels.purpose")} />
      )}
    </Card>
  );
}

function ChannelRow({ channel, refresh }: { channel: ChannelView; refresh: Refresh }) {
  const { client, router, notices } = useServices();
  const { id, name, host, topics, last } = channel;
  const service = serviceOf(channel);
  const chosen = topics.map((topic) => tokenText("topics", topic)).join(", ") || text("channels.all_topics");
  const test = () =>
    notices.attempt("channels", async () => {
      await client.post("config/channels/test", { channel: id });
      await refresh();
    });
  const remove = () =>
    notices.attempt("channels", async () => {
      await client.post("config/channels/remove", { channel: id });
      await refresh();
    });
  return (
    <li>
      <ServiceGlyph name={service} />
      <div class="grow">
        <bdi>{name}</bdi>
        <p class="quiet">
          {[tokenText("channel_services", service), host, chosen].filter(Boolean).join(" · ")}
          {last ? <LastDelivery delivery={last} /> : ` · ${text("channels.never")}`}
        </p>
      </div>
      <Button size="small" label={text("channels.test_of", { name })} onPress={test}>
        {text("channels.test")}
      </Button>
      <Button
        size="small"
        label={text("channels.edit_of", { name })}
        onPress={() => router.set({ edit: String(id) }, { push: true })}
      >
        {text("channels.edit")}
      </Button>
      <ConfirmButton
        size="small"
        label={text("channels.remove_of", { name })}
        question={text("channels.question", { name })}
        effect={text("channels.question_body")}
        act={remove}
      >
        {text("channels.remove")}
      </ConfirmButton>
    </li>
  );
}

function LastDelivery({ delivery }: { delivery: ChannelDeliveryView }) {
  return (
    <>
      {" · "}
      <Outcome delivery={delivery} /> {formatTime(delivery.at)}
    </>
  );
}

function Outcome({ delivery: { taken } }: { delivery: ChannelDeliveryView }) {
  return <Status tone={taken ? "good" : "dead"}>{text(taken ? "channels.delivered" : "channels.failed")}</Status>;
}

function DeliveryCard({ answer: { channels, deliveries } }: { answer: ChannelsAnswer }) {
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  return (
    <Card title={text("channels.deliveries")}>
      <DataTable
        label={text("channels.deliveries")}
        rows={deliveries}
        columns={deliveryColumns(names)}
        idOf={({ at, channel }) => `${String(at)}-${String(channel)}`}
        nameOf={({ channel }) => names.get(channel) ?? text("channels.removed")}
        empty={null}
      />
    </Card>
  );
}

function deliveryColumns(names: ReadonlyMap<number, string>): Column<ChannelDeliveryView>[] {
  return [
    { id: "time", title: text("channels.time"), width: 168, rank: 3, cell: ({ at }) => formatTime(at) },
    {
      id: "name",
      title: text("channels.name"),
      width: 160,
      rank: 2,
      cell: ({ channel }) => <bdi>{names.get(channel) ?? text("channels.removed")}</bdi>,
    },
    { id: "message", title: text("channels.message"), width: 180, rank: 1, cell: messageText },
    { id: "outcome", title: text("channels.result"), width: 104, cell: (delivery) => <Outcome delivery={delivery} /> },
    { id: "problem", title: text("channels.problem"), least: 160, cell: problemText },
  ];
}

function messageText({ run, kind }: ChannelDeliveryView): string {
  if (run) return text("channels.of_run", { run: String(run) });
  return tokenText("message_kinds", kind.replaceAll(".", "_"));
}

function problemText({ attempts, problems, problem }: ChannelDeliveryView): string {
  const tries = attempts > 1 ? text("channels.attempts", { n: attempts }) : "";
  return [tries, reasonsText(problems, problem)].filter(Boolean).join(" ");
}
