import { posix } from 'node:path';
import { importsOf, isTestCode, type Node, type Source, walk } from './source.ts';

/** Nodes with a name `status` that is no status of an object, but for example that of a condition. */
const WORDS = ['Literal', 'ConditionalExpression', 'LogicalExpression', 'MemberExpression'];

const nameOf = (node: unknown): string | undefined => (node as { name?: string } | null)?.name;

const unwrapped = (node: Node): Node => (node.type === 'TSAsExpression' ? unwrapped(node.expression as Node) : node);

/** A copy of an object with another status: `{ ...machine, status: … }`. An object with a `type` is a condition. */
const isWithStatus = (node: Node): boolean => {
  if (node.type !== 'ObjectExpression') return false;
  const parts = node.properties as Node[];
  const own = parts.filter(({ type }) => type === 'Property');
  const status = own.find(({ key }) => nameOf(key) === 'status');
  const isCopy = parts.some(({ type }) => type === 'SpreadElement') && !own.some(({ key }) => nameOf(key) === 'type');
  return isCopy && status !== undefined && !WORDS.includes(unwrapped(status.value as Node).type);
};

interface Declaration {
  name: string;
  node: Node;
}

const declarationsOf = ({ program }: Source): Declaration[] =>
  (program.body as Node[]).flatMap((statement) => {
    const declaration = (statement.declaration ?? statement) as Node;
    if (declaration.type !== 'VariableDeclaration') return [];
    return (declaration.declarations as Node[]).map((node) => ({ name: nameOf(node.id) ?? '', node }));
  });

const isFunction = ({ init }: Node): boolean => (init as Node | null)?.type === 'ArrowFunctionExpression';

const identifiersIn = (node: Node): Set<string> =>
  new Set([...walk(node)].flatMap((one) => (one.type === 'Identifier' ? (nameOf(one) ?? []) : [])));

/** The imports of a file, as `path#name`. */
const importedBy = (source: Source): Map<string, string> =>
  new Map(importsOf(source).flatMap(({ target, names }) => names.map((name) => [name, `${target}#${name}`] as const)));

/** The places where statuses are computed; kinds and the API server itself convert statuses and write none. */
const DECIDING = /^shared\/(?:plan|providers)\//;

/** The functions that return an object with another status, directly or through others: `path#name`. */
export const statusWriters = (sources: readonly Source[]): Set<string> => {
  const all = sources
    .filter((source) => DECIDING.test(source.path) && !isTestCode(source))
    .flatMap((source) => {
      const imported = importedBy(source);
      const functions = declarationsOf(source).filter(({ node }) => isFunction(node));
      return functions.map(({ name, node }) => {
        const used = [...identifiersIn(node)].filter((one) => one !== name);
        const uses = used.map((one) => imported.get(one) ?? `${source.path}#${one}`);
        return { id: `${source.path}#${name}`, isDirect: [...walk(node)].some(isWithStatus), uses };
      });
    });
  const found = new Set(all.flatMap(({ id, isDirect }) => (isDirect ? [id] : [])));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { id, uses } of all) if (uses.some((one) => found.has(one))) found.add(id);
  }
  return found;
};

const isMutating = (node: Node): boolean =>
  node.type === 'CallExpression' && nameOf((node.callee as Node).property) === 'mutate';

/** The folders of functions/ with a file that writes a status to the store. */
export const statusFolders = (sources: readonly Source[]): string[] => {
  const writers = statusWriters(sources);
  const writing = sources.filter((source) => {
    if (!source.path.startsWith('functions/') || isTestCode(source)) return false;
    const nodes = [...walk(source.program)];
    const isWriter = nodes.some(isWithStatus) || [...importedBy(source).values()].some((id) => writers.has(id));
    return isWriter && nodes.some(isMutating);
  });
  return [...new Set(writing.map(({ path }) => posix.dirname(path)))].sort();
};
