import { childrenOf, isTestCode, lineOf, type Node, type Source, walk } from './source.ts';

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 40;
/** Descriptions and simulations of AWS have long lists of members, which do not make them complicated. */
const MAX_FUNCTION_LINES_OF_INFRA = 60;
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const MEANINGLESS = /(^|[-/])(utils?|helpers?|common|misc|impl|(?<!secrets-)manager)(\.|-|\/)/;
const BARREL = 'shared/kinds/index.ts';

const isFunction = ({ type }: Node): boolean => FUNCTIONS.includes(type);

const isBlock = (node: Node): boolean => isFunction(node) || node.type === 'TemplateLiteral';

const linesOf = (source: Source, { start, end }: Node): number => lineOf(source, end) - lineOf(source, start) + 1;

/** The functions and multi-line texts directly inside a node. */
const innerBlocks = (node: Node): Node[] =>
  childrenOf(node).flatMap((child) => (isBlock(child) ? [child] : innerBlocks(child)));

/** A function's lines without those of the functions and texts in it: for a factory, only its own lines count. */
const ownLines = (source: Source, node: Node): number =>
  linesOf(source, node) - innerBlocks(node).reduce((sum, inner) => sum + linesOf(source, inner) - 1, 0);

const longFunctions = (source: Source): string[] => {
  const limit = source.path.startsWith('infra/') ? MAX_FUNCTION_LINES_OF_INFRA : MAX_FUNCTION_LINES;
  return [...walk(source.program)]
    .filter((node) => isFunction(node) && ownLines(source, node) > limit)
    .map((node) => `${source.path}:${lineOf(source, node.start)}: a function of ${ownLines(source, node)} lines`);
};

const textProblems = ({ path, text }: Source): string[] => {
  const lines = text.trimEnd().split('\n').length;
  const reminders = text
    .split('\n')
    .flatMap((line, index) => (/\b(TODO|FIXME)(?=[\s:(])/.test(line) ? [index + 1] : []));
  return [
    ...(lines > MAX_FILE_LINES ? [`${path}: ${lines} lines, more than ${MAX_FILE_LINES}`] : []),
    ...reminders.map((line) => `${path}:${line}: a reminder; do it, or write it into an issue`),
    ...(MEANINGLESS.test(path) ? [`${path}: the name says nothing about what is in it`] : []),
    ...(/(^|\/)index\.ts$/.test(path) && path !== BARREL ? [`${path}: no barrels but ${BARREL}`] : []),
  ];
};

/**
 * The places where a file breaks the rules of size and name. The length of functions is not limited in tests, whose
 * suites are functions.
 */
export const shapeProblems = (source: Source): string[] => [
  ...textProblems(source),
  ...(isTestCode(source) ? [] : longFunctions(source)),
];
