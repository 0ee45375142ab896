import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, type Rolldown } from "vite";

/** Files that show the first pages; the texts of all other code are loaded with it. */
const FIRST = ["shared.js", "overview.js", "inspection.js", "chart.js"];
/** Groups that only other languages need: the service phrases these itself. */
const OF_SERVICE = new Set(["reason", "hold_reason", "term", "error", "error_hint"]);
const OWN_LANGUAGE = "en.json";
/** What pages have in common and the first ones do without. */
const OF_PAGES = /[\\/]src[\\/](?:run_settings[\\/]settings_fields|actions[\\/]loss|usage[\\/]cost)/;
/** Modules with a file of their own: the entry, pages with all that only they use, and charts. */
const APART = /[\\/]src[\\/](?:frame|pages|actions[\\/](?:change|command)|parts[\\/]chart)|[\\/](?:uplot|texts)[\\/]/;

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

type Texts = Record<string, Record<string, unknown>>;

/** Write each catalogue in two parts: texts of the first pages, and the rest of those that the console shows. */
function texts(): Plugin {
  const folder = source("../../texts/");
  return {
    name: "texts",
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file): file is Rolldown.OutputChunk => "moduleIds" in file);
      const usedBy = (files: Rolldown.OutputChunk[]) =>
        usesOf(files.flatMap(({ moduleIds }) => moduleIds.map((id) => this.getModuleInfo(id)?.code ?? "")).join("\n"));
      const isUsed = usedBy(chunks);
      const isUsedFirst = usedBy(chunks.filter(({ fileName }) => FIRST.includes(fileName)));
      for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
        const catalogue: Texts = JSON.parse(readFileSync(`${folder}${name}`, "utf-8"));
        const isFirst = (group: string, key: string) => !OF_SERVICE.has(group) && isUsedFirst(group, key);
        const emit = (fileName: string, isIn: (group: string, key: string) => boolean) =>
          this.emitFile({ type: "asset", fileName, source: JSON.stringify(partOf(catalogue, isIn)) });
        emit(name, isFirst);
        const isShown = (group: string, key: string) =>
          isUsed(group, key) && !(name === OWN_LANGUAGE && OF_SERVICE.has(group));
        emit(name.replace(".json", ".rest.json"), (group, key) => isShown(group, key) && !isFirst(group, key));
      }
    },
  };
}

function partOf(catalogue: Texts, isIn: (group: string, key: string) => boolean): Texts {
  const groups = Object.entries(catalogue).map(
    ([group, entries]) =>
      [group, Object.fromEntries(Object.entries(entries).filter(([key]) => isIn(group, key)))] as const,
  );
  return Object.fromEntries(groups.filter(([, entries]) => Object.keys(entries).length));
}

/** Return whether code uses a key: by its name, a template of its group, or the tokens of its group. */
function usesOf(code: string): (group: string, key: string) => boolean {
  const names = new Set(code.match(/(?<=["'`])[a-z_]+\.\w+(?=["'`])/g));
  const starts = [...new Set([...(code.match(/(?<=`)[a-z_]+\.\w*(?=\$\{)/g) ?? [])])];
  const groups = new Set(code.match(/(?<=tokenText\(\s*["'`])\w+/g));
  return (group, key) =>
    groups.has(group) || names.has(`${group}.${key}`) || starts.some((start) => `${group}.${key}`.startsWith(start));
}

/** Few files with stable names: a plugin's host routes each of them by one path, which is fixed when it is built. */
export default defineConfig({
  base: "./",
  plugins: [texts()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: source("../built"),
    emptyOutDir: true,
    target: "es2023",
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: { app: source("src/frame/frame_check.ts"), shared: source("src/main.tsx") },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: ({ name, facadeModuleId }) =>
          `${/[\\/]pages[\\/](\w+)[\\/]page/.exec(facadeModuleId ?? "")?.[1] ?? name}.js`,
        assetFileNames: "app[extname]",
        codeSplitting: {
          groups: [
            { name: "shared", test: (id) => !APART.test(id) && !OF_PAGES.test(id), priority: 1 },
            { name: "pages", test: OF_PAGES },
          ],
        },
      },
    },
  },
});
