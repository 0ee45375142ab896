import { text } from "../language/catalogue.js";
import { EmptyText } from "../parts/empty_text.js";
import { Head } from "../shell/head.js";

/** What stands in a page of a fleet where there is one gateway. */
export function NoFleet({ title }: { title: string }) {
  return (
    <>
      <Head title={title} />
      <div class="body">
        <section class="card">
          <EmptyText title={text("fleet.none")} hint={text("fleet.none_hint")} />
        </section>
      </div>
    </>
  );
}
