/**
 * Entry of the document: words in place of the page where a frame forbids what it needs, its origin or forms; else the
 * module of the page.
 *
 * Theory of operation: a frame with `sandbox` but without `allow-same-origin` has an opaque origin. A browser loads no
 * module, style sheet or catalogue for it, so this is a classic script with texts of its own, which the service serves
 * to any origin. A frame without `allow-forms` drops every form before its `submit` event. A normal frame passes both.
 */

import { frame as english } from "../../../../texts/en.json";
import { frame as chinese } from "../../../../texts/zh-CN.json";

const TEXTS: Record<string, typeof english> = { en: english, "zh-CN": chinese };
const LINK_TOKENS = ["allow-popups", "allow-popups-to-escape-sandbox"];

function formsWork(): boolean {
  const form = document.createElement("form");
  let works = false;
  form.hidden = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    works = true;
  });
  document.body.append(form);
  form.requestSubmit();
  form.remove();
  return works;
}

/** Return whether a link may open a tab that is not sandboxed; a frame that cannot know it may not. */
function mayOpenTab(): boolean {
  for (let view: Window = window; view !== view.parent; view = view.parent) {
    const sandbox = (view.frameElement as HTMLIFrameElement | null)?.sandbox;
    if (!sandbox) return false;
    if (sandbox.length > 0 && !LINK_TOKENS.every((token) => sandbox.contains(token))) return false;
  }
  return window.origin !== "null";
}

function storedLanguage(): string | null {
  try {
    return window.localStorage.getItem("poolkeeper.language");
  } catch {
    return null;
  }
}

/** Return the texts in the language of the page, chosen as `language/catalogue.ts` does. */
function textsOfPage(): typeof english {
  const tags = Object.keys(TEXTS);
  const matches = [storedLanguage(), ...navigator.languages].map(
    (preference) =>
      tags.find((tag) => tag === preference) ??
      tags.find((tag) => preference && tag.split("-")[0] === preference.split("-")[0]),
  );
  const tag = matches.find(Boolean) ?? "en";
  document.documentElement.lang = tag;
  return TEXTS[tag];
}

function refuse(): void {
  const texts = textsOfPage();
  const main = document.createElement("main");
  const reason = document.createElement("p");
  const place = document.createElement("p");
  reason.textContent = texts.forbids;
  if (mayOpenTab()) {
    const link = document.createElement("a");
    Object.assign(link, { href: location.href, target: "_blank", rel: "noopener" });
    link.textContent = texts.open;
    place.append(link);
  } else {
    const address = document.createElement("code");
    address.textContent = location.href;
    place.append(texts.address, document.createElement("br"), address);
  }
  main.append(reason, place);
  main.style.setProperty("font", "16px/1.5 system-ui, sans-serif");
  main.style.setProperty("margin", "2rem");
  document.body.replaceChildren(main);
}

if (window.origin === "null" || (window !== window.top && !formsWork())) refuse();
else {
  const { src } = document.currentScript as HTMLScriptElement;
  const page = document.createElement("script");
  Object.assign(page, { type: "module", src: new URL("shared.js", src).href });
  document.head.append(page);
}
