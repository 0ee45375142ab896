import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { PageClient } from "../connection/page_client.js";
import { loadRest, text } from "../language/catalogue.js";
import { Button } from "../parts/button.js";
import { EmptyText } from "../parts/empty_text.js";
import { SignInDialog, SignInPage } from "../session/sign_in.js";
import type { Session } from "../session/session.js";
import { Head } from "./head.js";
import { NoticeList, Toasts } from "./notice_list.js";
import { FIRST_PAGES, pageRow, type PageName } from "./pages.js";
import { Palette } from "./palette.js";
import { ServicesContext, useServices, type Services } from "./services.js";
import { BottomBar, SideBar } from "./side_bar.js";

/** Everything that the document shows. */
export function Shell({ session }: { session: Session }) {
  const state = session.state.value;
  const services = session.services.value;
  if (state === "starting") return null;
  if (!services || state === "signed_out") {
    return (
      <>
        <NoticeList notices={session.notices} />
        {state === "late" ? <Opening /> : <SignInPage session={session} />}
      </>
    );
  }
  return (
    <ServicesContext.Provider value={services}>
      <Frame services={services} />
      {state === "expired" && <SignInDialog session={session} />}
    </ServicesContext.Provider>
  );
}

/** What stands in place of the pages while the service, or its gateway, lets the first answers wait. */
function Opening() {
  return (
    <main class="sign-in">
      <section class="card opening">
        <h1>{text("shell.opening")}</h1>
        <p class="quiet">{text("shell.opening_hint")}</p>
      </section>
    </main>
  );
}

function Frame({ services }: { services: Services }) {
  const name = services.router.page.value;
  const place = useRef<HTMLElement>(null);
  const before = useRef(name);
  useEffect(() => {
    document.title = name ? `${text(`pages.${name}`)} · Poolkeeper` : "Poolkeeper";
    if (before.current !== name) place.current?.focus({ preventScroll: true });
    before.current = name;
  });
  return (
    <div class="shell">
      <a class="skip-link" href="#page">
        {text("shell.skip")}
      </a>
      <SideBar />
      <main id="page" ref={place} tabIndex={-1}>
        <NoticeList notices={services.notices} />
        {name ? <PageView key={name} name={name} /> : <UnknownPage />}
      </main>
      <BottomBar />
      <Toasts notices={services.notices} />
      <Palette />
    </div>
  );
}

/** One showing of a page: its module is loaded when it is first shown, and its reads end when it is left. */
function PageView({ name }: { name: PageName }) {
  const services = useServices();
  const { client, live, notices } = services;
  const leaving = useMemo(() => new AbortController(), []);
  const own = useMemo(
    () => ({ ...services, client: new PageClient(client, leaving.signal, (isLate) => live.waitForGateway(isLate)) }),
    [services],
  );
  const page = useSignal<ComponentType | null>(null);
  const isFailed = useSignal(false);
  const load = async () => {
    isFailed.value = false;
    try {
      const [module] = await Promise.all([pageRow(name).load(), FIRST_PAGES.includes(name) ? null : loadRest()]);
      page.value = module.default;
    } catch {
      isFailed.value = true;
      // Events that were missed meanwhile are told as "reload" when the connection is back.
      client.hasMissed = true;
    }
  };
  useEffect(() => {
    void load();
    const stop = live.on(["reload"], () => isFailed.peek() && load());
    return () => {
      stop();
      leaving.abort();
      notices.clear("page", "link");
      services.commands.value = [];
    };
  }, []);
  if (isFailed.value) return <FailedPage name={name} retry={load} />;
  const Content = page.value;
  return (
    <ServicesContext.Provider value={own}>
      {Content ? <Content /> : <p class="visually-hidden">{text("shell.loading")}</p>}
    </ServicesContext.Provider>
  );
}

function FailedPage({ name, retry }: { name: PageName; retry: () => Promise<void> }) {
  return (
    <>
      <Head title={text(`pages.${name}`)} />
      <div class="body">
        <EmptyText title={text("shell.load_failed")} hint={text("shell.load_failed_hint")} isProblem>
          <Button kind="primary" onPress={retry}>
            {text("shell.retry")}
          </Button>
        </EmptyText>
      </div>
    </>
  );
}

function UnknownPage() {
  return (
    <>
      <Head title={text("shell.not_found")} />
      <div class="body">
        <p>
          <a href="inspection" class="link">
            {text("shell.to_inspection")}
          </a>
        </p>
      </div>
    </>
  );
}
