import { Linter } from "eslint";

/**
 * @typedef {import("eslint").Rule.Node} Node
 * @typedef {{line: number, text: string}} Found
 */

/** Words of a sentence, a capitalized word, or a word beside a value of a template. */
const READABLE = /\p{L}{2,}[\s,:]+\p{L}|\p{L}{2,}[.:!?…]$|^\s*\p{Lu}\p{Ll}{2,}|\s\p{L}{3,}$|^\p{L}{3,}\s/u;
/** Any word, where it is given to something that shows it. */
const WORD = /\p{L}{2,}/u;
const SHOWING = /^(text|textContent|label|title|placeholder|alt|ariaLabel|aria-(label|description|valuetext))$/;
/** Names of keys on a keyboard, of events and elements, of headers, and of standard values of the platform. */
const PLATFORM = new RegExp("^(Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End|Enter|Escape|Tab"
  + "|GET|POST|Accept|Content-Type|Content-Disposition|Retry-After)$");
/** Calls whose texts are not for people: selectors, errors for developers, style, keys of the catalogue. */
const MACHINE = new RegExp("^(querySelector(All)?|closest|matches|matchMedia|within|byId|Error|TypeError"
  + "|createElementNS|setProperty|text|phrase|tokenText|hasText|sentence)$");
/** Properties whose values are for the platform. */
const PLATFORM_PROPERTY =
  /^(class|className|style|d|points|transform|viewBox|preserveAspectRatio|aria-describedby|id)$/;

/**
 * Return the texts of a module that a person would read, and that the catalogue should hold.
 *
 * @param {string} source
 * @returns {Found[]}
 */
export function readableLiterals(source) {
  /** @type {Found[]} */
  const found = [];
  /**
   * @param {Node} node
   * @param {string} text
   */
  const judge = (node, text) => {
    if ((isShown(node) ? WORD : READABLE).test(text) && !PLATFORM.test(text.trim()) && !isForMachine(node)) {
      found.push({ line: node.loc?.start.line ?? 0, text: text.trim() });
    }
  };
  const create = () => ({
    /** @param {Node & import("estree").Literal} node */
    Literal: (node) => { if (typeof node.value === "string") judge(node, node.value); },
    /** @param {Node & import("estree").TemplateElement} node */
    TemplateElement: (node) => judge(node, node.value.cooked ?? ""),
  });
  const messages = new Linter().verify(source, [{
    plugins: { page: { rules: { literals: { create } } } }, rules: { "page/literals": "error" },
  }]);
  const fatal = messages.find((message) => message.fatal);
  if (fatal) throw new Error(fatal.message);
  return found;
}

/**
 * Return whether a literal is the whole, or a branch, of a value that is shown.
 *
 * @param {Node} node
 */
function isShown(node) {
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (parent.type === "Property") return parent.value === at && SHOWING.test(nameOf(parent.key));
    if (parent.type === "AssignmentExpression") return parent.right === at && SHOWING.test(nameOf(parent.left));
    if (parent.type === "CallExpression") return parent.callee !== at && showsArguments(parent, at);
    const passesOn = parent.type === "LogicalExpression" || parent.type === "TemplateLiteral"
      || parent.type === "ConditionalExpression" && parent.test !== at;
    if (!passesOn) return false;
  }
  return false;
}

/**
 * @param {import("estree").CallExpression} call
 * @param {Node} argument
 */
function showsArguments({ callee, arguments: [first] }, argument) {
  if (nameOf(callee) === "setAttribute") return argument !== first && SHOWING.test(nameOf(first));
  return /^(append|prepend|replaceChildren|createTextNode)$/.test(nameOf(callee));
}

/** @param {Node} node */
function isForMachine(node) {
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (parent.type === "ImportDeclaration" || parent.type === "ExportNamedDeclaration" && parent.source) return true;
    if (parent.type === "Property" && parent.value === at && PLATFORM_PROPERTY.test(nameOf(parent.key))) return true;
    if (parent.type === "AssignmentExpression" && PLATFORM_PROPERTY.test(nameOf(parent.left))) return true;
    if ((parent.type === "CallExpression" || parent.type === "NewExpression") && parent.callee !== at) {
      return MACHINE.test(nameOf(parent.callee));
    }
    if (parent.type.endsWith("Statement") || parent.type.endsWith("Function")) return false;
  }
  return false;
}

/**
 * @param {import("estree").Node} node
 * @returns {string}
 */
function nameOf(node) {
  if (node.type === "Identifier" || node.type === "PrivateIdentifier") return node.name;
  if (node.type === "MemberExpression") return nameOf(node.property);
  return node.type === "Literal" ? String(node.value) : "";
}
