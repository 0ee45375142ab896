import js from "@eslint/js";
import jsdoc from "eslint-plugin-jsdoc";
import globals from "globals";

const PAGE = "extension/console/static/**/*.js";
const CHECKS = "tests/page/**/*.js";

const ANY = { message: "Name the type, or use `unknown` and narrow it.", skipRootChecking: false };

export default [
  { ignores: ["**/node_modules/", "**/_generated_*"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  jsdoc.configs["flat/recommended-typescript-flavor-error"],
  { settings: { jsdoc: { preferredTypes: { any: ANY, "*": ANY } } } },
  { files: [PAGE], languageOptions: { globals: globals.browser } },
  { files: [CHECKS], languageOptions: { globals: globals.node } },
  {
    rules: {
      "array-callback-return": "error",
      "arrow-body-style": ["error", "as-needed"],
      // `??`, `?.` and default values count as branches.
      "complexity": ["error", 15],
      "consistent-return": "error",
      "curly": ["error", "multi-line"],
      "default-case-last": "error",
      "eqeqeq": "error",
      "func-style": ["error", "declaration", { allowArrowFunctions: true }],
      "max-len": ["error", { code: 120 }],
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", 60],
      "max-depth": ["error", 3],
      "no-alert": "error",
      "no-console": "error",
      "no-constructor-return": "error",
      "no-duplicate-imports": "error",
      "no-else-return": "error",
      "no-eval": "error",
      "no-extend-native": "error",
      "no-implicit-coercion": "error",
      "no-implied-eval": "error",
      "no-lonely-if": "error",
      "no-new-func": "error",
      "no-param-reassign": "error",
      "no-promise-executor-return": "error",
      "no-return-assign": "error",
      "no-self-compare": "error",
      "no-sequences": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-undef-init": "error",
      "no-unneeded-ternary": "error",
      "no-unused-expressions": "error",
      "no-use-before-define": ["error", { functions: false, classes: false }],
      "no-useless-assignment": "error",
      "no-useless-computed-key": "error",
      "no-useless-concat": "error",
      "no-useless-rename": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "no-warning-comments": ["error", { terms: ["@ts-ignore", "@ts-nocheck"], location: "anywhere" }],
      "object-shorthand": "error",
      "prefer-arrow-callback": "error",
      "prefer-const": "error",
      "prefer-object-spread": "error",
      "prefer-promise-reject-errors": "error",
      "prefer-rest-params": "error",
      "prefer-template": "error",
      "radix": "error",
      "require-atomic-updates": "error",
      "symbol-description": "error",
      // Text enters the page as text: nothing parses markup.
      "no-restricted-properties": ["error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "srcdoc"].map((property) => ({ property })),
        { object: "document", property: "write" }],
      // Types and names say most; a description is written where it adds something.
      "jsdoc/require-jsdoc": "off",
      "jsdoc/require-param-description": "off",
      "jsdoc/require-property-description": "off",
      "jsdoc/require-returns": "off",
      "jsdoc/require-returns-description": "off",
      "jsdoc/require-template-description": "off",
      "jsdoc/tag-lines": ["error", "any", { startLines: null }],
      "jsdoc/require-param": ["error", { checkDestructured: false }],
      "jsdoc/check-param-names": ["error", { checkDestructured: false }],
    },
  },
  {
    files: [PAGE],
    rules: {
      "jsdoc/require-jsdoc": ["error", {
        publicOnly: true, require: { ClassDeclaration: true, FunctionDeclaration: true },
      }],
    },
  },
];
