/** Writes the reference of the kinds as Markdown. Pure: the same kinds and texts give the same pages. */
import { isDeepStrictEqual } from 'node:util';
import { KINDS } from '../../../shared/kinds/index.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { describedSchema, type TextsOf } from '../../../shared/kube-api/schema/with-descriptions.ts';
import { servedResources } from '../../../shared/kube-api/versions/served.ts';
import { type FieldRow, fieldRows } from './reference-fields.ts';

const GENERATED = '<!-- npm run docs writes this page from the schemas and texts in shared/kinds: do not edit it. -->';

/** Escapes the characters with a special meaning in Markdown. */
const escaped = (text: string): string => text.replace(/[\\|*_<]/g, '\\$&');

const code = (text: string): string => (text === '' ? '' : `\`${text}\``);

const table = (rows: readonly FieldRow[]): string[] => [
  '| Field | Type | Default | Required | Description |',
  '|---|---|---|---|---|',
  ...rows.map(
    ({ path, type, text, required, ...row }) =>
      `| \`${path}\` | ${escaped(type)} | ${code(row.default)} | ${required ? 'yes' : ''} | ${escaped(text)} |`,
  ),
];

const apiVersionText = ({ group, version }: ResourceDefinition): string =>
  group === '' ? version : `${group}/${version}`;

/** The fields of another version that the stored version does not have, or describes differently. */
const ownRows = (rows: readonly FieldRow[], stored: readonly FieldRow[]): FieldRow[] => {
  const known = new Map(stored.map((row) => [row.path, row]));
  return rows.filter((row) => !isDeepStrictEqual(known.get(row.path), row));
};

const isInside = (path: string, outer: string): boolean =>
  path.startsWith(outer) && /^[.[{]/.test(path.slice(outer.length));

const versionSection = (view: ResourceDefinition, stored: readonly FieldRow[], textsOf: TextsOf): string[] => {
  const rows = fieldRows(describedSchema(view, textsOf));
  const own = ownRows(rows, stored);
  const present = new Set(rows.map(({ path }) => path));
  const missing = stored.filter(({ path }) => !present.has(path)).map(({ path }) => path);
  const outermost = missing.filter((path) => !missing.some((other) => isInside(path, other)));
  const gone = outermost.length === 0 ? [] : ['', `Without ${outermost.map(code).join(', ')}.`];
  const title = ['', `## ${apiVersionText(view)}`, ''];
  if (own.length === 0) return [...title, 'The same fields.', ...gone];
  return [...title, 'Further fields, and those that differ:', '', ...table(own), ...gone];
};

const exampleLine = (examples: readonly string[]): string[] =>
  examples.length === 0
    ? []
    : ['', `Examples: ${examples.map((file) => `[${file}](../../examples/${file})`).join(', ')}.`];

/** A manifest of `examples/`, by the name of its file. */
export type Examples = ReadonlyMap<string, string>;

const MOST_EXAMPLES = 3;

/** The shortest manifests with an object of the kind. */
const examplesOf = ({ group, kind }: ResourceDefinition, examples: Examples): string[] =>
  [...examples]
    .filter(([, manifest]) =>
      new RegExp(`^apiVersion: ${group && `${group}/`}v\\w+\nkind: ${kind}$`, 'm').test(manifest),
    )
    .sort(([a, first], [b, second]) => first.length - second.length || (a < b ? -1 : 1))
    .slice(0, MOST_EXAMPLES)
    .map(([file]) => file);

/** The page of one kind: its description, its versions, and its fields in each version. */
export const kindPage = (resource: ResourceDefinition, textsOf: TextsOf, examples: Examples): string => {
  const { kind, plural, shortNames, namespaced } = resource;
  const [stored = resource, ...others] = servedResources([resource]);
  const schema = describedSchema(stored, textsOf);
  const rows = fieldRows(schema);
  const names = [plural, ...shortNames].map(code).join(', ');
  return [
    GENERATED,
    '',
    `# ${kind}`,
    '',
    escaped(schema.description ?? ''),
    '',
    `${namespaced ? 'Namespaced' : 'Cluster-scoped'}, served as ${[stored, ...others].map((view) => code(apiVersionText(view))).join(', ')}. Names for kubectl: ${names}.`,
    ...exampleLine(examplesOf(resource, examples)),
    '',
    `## ${apiVersionText(stored)}`,
    '',
    ...table(rows),
    ...others.flatMap((view) => versionSection(view, rows, textsOf)),
    '',
  ].join('\n');
};

/** The name of a page; includes the group if another kind of the same name comes first. */
export const pageName = ({ singular, group }: ResourceDefinition): string => {
  const first = KINDS.find((one) => one.singular === singular);
  return first && first.group !== group ? `${singular}.${group}.md` : `${singular}.md`;
};

/** The page that lists all kinds. */
export const indexPage = (resources: readonly ResourceDefinition[], textsOf: TextsOf): string => {
  const sorted = resources.toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
  return [
    GENERATED,
    '',
    '# Reference of the kinds',
    '',
    'Every kind that the API serves, with its fields. `kubectl explain` shows the same texts. A field is required when the object that contains it is given; `[]` stands for the items of a list and `{}` for the values of a map. Every object also has `apiVersion`, `kind` and `metadata`.',
    '',
    '| Kind | API version | Description |',
    '|---|---|---|',
    ...sorted.map((resource) => {
      const { description = '' } = describedSchema(resource, textsOf);
      return `| [${resource.kind}](${pageName(resource)}) | \`${apiVersionText(resource)}\` | ${escaped(description)} |`;
    }),
    '',
  ].join('\n');
};
