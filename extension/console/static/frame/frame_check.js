/**
 * Words in place of the page where a frame forbids what it needs: its origin, or forms.
 *
 * Theory of operation: a frame with `sandbox` but without `allow-same-origin` has an opaque origin. A browser loads no
 * module, style sheet or catalogue for it, so this is a classic script with texts of its own, which the service serves
 * to any origin. A frame without `allow-forms` drops every form before its `submit` event. A normal frame passes both.
 */

{
  const LINK_TOKENS = ["allow-popups", "allow-popups-to-escape-sandbox"];
  /** @type {Record<string, Record<string, string>>} */
  const catalogues = Reflect.get(globalThis, "poolkeeperFrameTexts") ?? {};

  const formsWork = () => {
    const form = document.createElement("form");
    form.hidden = true;
    let works = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      works = true;
    });
    document.body.append(form);
    form.requestSubmit();
    form.remove();
    return works;
  };

  /** Return whether a link may open a tab that is not sandboxed; a frame that cannot know it may not. */
  const mayOpenTab = () => {
    for (let view = /** @type {Window} */ (window); view !== view.parent; view = view.parent) {
      const sandbox = /** @type {HTMLIFrameElement | null} */ (view.frameElement)?.sandbox;
      if (!sandbox) return false;
      if (sandbox.length > 0 && !LINK_TOKENS.every((token) => sandbox.contains(token))) return false;
    }
    return window.origin !== "null";
  };

  const storedLanguage = () => {
    try {
      return window.localStorage.getItem("poolkeeper.language");
    } catch {
      return null;
    }
  };

  /** Return the texts in the language of the page, chosen as `language/catalogue.js` does. */
  const wordsOfPage = () => {
    const known = Object.keys(catalogues);
    const tag = [storedLanguage(), ...navigator.languages].map((wanted) => known.find((each) => each === wanted)
      ?? known.find((each) => wanted && each.split("-")[0] === wanted.split("-")[0])).find(Boolean) ?? "en";
    document.documentElement.lang = tag;
    return catalogues[tag] ?? {};
  };

  const refuse = () => {
    const words = wordsOfPage();
    const main = document.createElement("main");
    const told = document.createElement("p");
    const place = document.createElement("p");
    told.textContent = words["frame.forbids"] ?? "";
    if (mayOpenTab()) {
      const link = document.createElement("a");
      Object.assign(link, { href: location.href, target: "_blank", rel: "noopener" });
      link.textContent = words["frame.open"] ?? "";
      place.append(link);
    } else {
      const address = document.createElement("code");
      address.textContent = location.href;
      place.append(words["frame.address"] ?? "", document.createElement("br"), address);
    }
    main.append(told, place);
    main.style.setProperty("font", "16px/1.5 system-ui, sans-serif");
    main.style.setProperty("margin", "2rem");
    document.body.replaceChildren(main);
    document.documentElement.dataset.frame = "refused";
  };

  if (window.origin === "null" || window !== window.top && !formsWork()) refuse();
}
