import { useSignal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { useServices } from "../shell/services.js";

/** Return a component whose code is loaded when it is first drawn. A failure becomes a notice, and the next drawing tries again. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ComponentChildren = null,
): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const { notices } = useServices();
    const content = useSignal(loaded);
    useEffect(() => {
      if (loaded) return;
      void notices.attempt("page", async () => {
        loaded = await load();
        content.value = loaded;
      });
    }, []);
    const Content = content.value;
    return Content ? <Content {...props} /> : <>{meanwhile}</>;
  };
}
