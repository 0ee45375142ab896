import js from "@eslint/js";
import globals from "globals";
import typescript from "typescript-eslint";

export default typescript.config(
  { ignores: ["node_modules/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  ...typescript.configs.strict,
  { languageOptions: { globals: globals.browser } },
  {
    rules: {
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-empty-function": "off",
      // Arguments that a type asks for, such as those of uPlot.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "arrow-body-style": ["error", "as-needed"],
      // `??`, `?.` and default values count as branches.
      complexity: ["error", 15],
      "default-case-last": "error",
      eqeqeq: "error",
      "max-depth": ["error", 3],
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", { max: 90, skipBlankLines: true, skipComments: true }],
      "no-alert": "error",
      "no-console": "error",
      "no-else-return": "error",
      "no-eval": "error",
      "no-implicit-coercion": "error",
      "no-lonely-if": "error",
      "no-param-reassign": "error",
      "no-return-assign": "error",
      "no-shadow": "error",
      "no-unneeded-ternary": "error",
      "no-useless-return": "error",
      "object-shorthand": "error",
      "prefer-template": "error",
      radix: "error",
      // Text enters the page as text: nothing parses markup.
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "srcdoc"].map((property) => ({ property })),
        { object: "document", property: "write" },
      ],
      "no-restricted-syntax": [
        "error",
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: "Text enters the page as text." },
      ],
    },
  },
);
