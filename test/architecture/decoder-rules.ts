import { childrenOf, importsOf, isTestCode, type Node, placeOf, type Source } from './source.ts';

/** The folders that are deployed; the logs of all others are read only by the user who runs them. */
const CONCERNED = /^(shared|functions)\//;

/** The folder that parses text from external sources. */
const DECODERS = /^shared\/decode\//;

/** Files that call a parser directly, with the reason why none of its text is exposed. */
const EXEMPT: Readonly<Record<string, string>> = {
  'shared/providers/aws/api/port-cache.ts': 'reads its own keys',
  'shared/kube-api/registry/admission.ts': 'copies a value by its JSON',
  'shared/kube-api/apply/path-element.ts': 'reads paths that it has checked',
  'shared/kube-api/protobuf/decode.ts': 'reads managed fields, and answers the caller',
  'shared/kube-api/server/body.ts': 'cuts the document off the message',
  'shared/kube-api/versions/convert.ts': 'copies a value by its JSON, and skips what is none',
  'shared/bootstrap/golden/readable.ts': 'is for tests',
  'shared/providers/aws/network/bastion/launch.ts': 'reads what the controllers have written',
};

/** Functions of the library `yaml` that take text. */
const YAML_READERS = ['parse', 'parseDocument', 'parseAllDocuments', 'Parser', 'Composer'];

const isJsonParse = ({ type, callee }: Node): boolean => {
  const { type: kind, object, property } = (callee ?? {}) as Node;
  const names = [object, property].map((node) => String((node as Node | undefined)?.name));
  return type === 'CallExpression' && kind === 'MemberExpression' && names.join('.') === 'JSON.parse';
};

/** A `try` whose `catch` does not use the error. */
const forgets = ({ type, handler }: Node): boolean =>
  type === 'TryStatement' && (handler as Node | null)?.param === null;

/** Calls of JSON.parse whose error is visible. */
function* seenParses(node: Node, isForgotten = false): Generator<Node> {
  if (isJsonParse(node) && !isForgotten) yield node;
  for (const child of childrenOf(node)) {
    yield* seenParses(child, isForgotten || (forgets(node) && child === node.block));
  }
}

/** The places where a file parses text with a parser whose error quotes it. */
export const decoderProblems = (source: Source): string[] => {
  const { path } = source;
  if (!CONCERNED.test(path) || DECODERS.test(path) || isTestCode(source) || EXEMPT[path]) return [];
  const readers = importsOf(source)
    .filter(({ target, names, typeOnly }) => {
      const isLibrary = target === 'yaml' || target === 'shared/kube-api/yaml.ts';
      return isLibrary && !typeOnly && names.some((name) => YAML_READERS.includes(name));
    })
    .map(({ node }) => node);
  return [...readers, ...seenParses(source.program)].map(
    (node) => `${placeOf(source, node)}: reads text with a parser whose error quotes it: take shared/decode`,
  );
};

/** The exemptions that are no longer needed. */
export const needlessExemptions = (sources: readonly Source[]): string[] => {
  const known = new Set(sources.map(({ path }) => path));
  return Object.keys(EXEMPT).filter((path) => !known.has(path));
};
