import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** What pages have in common and the first one does without: half of all. */
const OF_PAGES =
  /[\\/]@tanstack[\\/]|[\\/]src[\\/](?:parts[\\/]table|run_settings|actions[\\/](?:change|command|loss|outcome)|usage[\\/]cost)/;

const isShared = (id: string) =>
  !OF_PAGES.test(id) &&
  !/[\\/]src[\\/](?:main\.tsx|pages[\\/])|[\\/]uplot[\\/]|[\\/]src[\\/]parts[\\/]chart[\\/]/.test(id);

/** Few files with stable names: a plugin's host routes each of them by one path, which is fixed when it is built. */
export default defineConfig({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("../built", import.meta.url)),
    emptyOutDir: true,
    target: "es2023",
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: { app: fileURLToPath(new URL("src/main.tsx", import.meta.url)) },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: ({ name, facadeModuleId }) =>
          `${/[\\/]pages[\\/](\w+)[\\/]/.exec(facadeModuleId ?? "")?.[1] ?? name}.js`,
        assetFileNames: "app[extname]",
        codeSplitting: {
          groups: [
            { name: "shared", test: isShared, priority: 1 },
            { name: "pages", test: OF_PAGES },
          ],
        },
      },
    },
  },
});
