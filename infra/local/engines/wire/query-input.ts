/**
 * Query strings as objects, by schema: `Filter.1.Name=vpc-id&Filter.1.Value.1=vpc-0` becomes
 * `{Filters: [{Name: 'vpc-id', Values: ['vpc-0']}]}`. EC2 flattens all lists and capitalises names; the older query
 * protocol puts `member` (or the list's own word) before the number.
 */
import type { NormalizedSchema } from '@smithy/core/schema';
import { scalarFrom } from './scalars.ts';

interface Tree {
  text?: string;
  readonly children: Map<string, Tree>;
}

const branch = (): Tree => ({ children: new Map() });

const treeOf = (form: URLSearchParams): Tree => {
  const root = branch();
  for (const [path, text] of form) {
    let at = root;
    for (const part of path.split('.')) {
      const next = at.children.get(part) ?? branch();
      at.children.set(part, next);
      at = next;
    }
    at.text = text;
  }
  return root;
};

const traitsOf = (schema: NormalizedSchema): Record<string, unknown> =>
  schema.getMergedTraits() as Record<string, unknown>;

const textTrait = (schema: NormalizedSchema, trait: string): string | undefined => {
  const value = traitsOf(schema)[trait];
  return typeof value === 'string' ? value : undefined;
};

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

const memberKey = (name: string, schema: NormalizedSchema, ec2: boolean): string => {
  const xmlName = textTrait(schema, 'xmlName') ?? name;
  return ec2 ? (textTrait(schema, 'ec2QueryName') ?? capitalised(xmlName)) : xmlName;
};

const numbered = (tree: Tree): Tree[] =>
  [...tree.children]
    .filter(([key]) => /^\d+$/.test(key))
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, child]) => child);

const readStruct = (schema: NormalizedSchema, tree: Tree, ec2: boolean): object => {
  const out: Record<string, unknown> = {};
  for (const [name, member] of schema.structIterator()) {
    const child = tree.children.get(memberKey(name, member, ec2));
    if (child) out[name] = readTree(member, child, ec2);
  }
  return out;
};

const readList = (schema: NormalizedSchema, tree: Tree, ec2: boolean): unknown[] => {
  const member = schema.getValueSchema();
  const flat = ec2 || traitsOf(schema).xmlFlattened !== undefined;
  const items = flat ? tree : (tree.children.get(textTrait(member, 'xmlName') ?? 'member') ?? branch());
  return numbered(items).map((item) => readTree(member, item, ec2));
};

const readMap = (schema: NormalizedSchema, tree: Tree, ec2: boolean): object => {
  const key = textTrait(schema.getKeySchema(), 'xmlName') ?? 'key';
  const value = textTrait(schema.getValueSchema(), 'xmlName') ?? 'value';
  const entries = traitsOf(schema).xmlFlattened !== undefined ? tree : (tree.children.get('entry') ?? branch());
  return Object.fromEntries(
    numbered(entries).map((entry) => [
      entry.children.get(key)?.text ?? '',
      readTree(schema.getValueSchema(), entry.children.get(value) ?? branch(), ec2),
    ]),
  );
};

const readTree = (schema: NormalizedSchema, tree: Tree, ec2: boolean): unknown => {
  if (schema.isStructSchema()) return readStruct(schema, tree, ec2);
  if (schema.isListSchema()) return readList(schema, tree, ec2);
  if (schema.isMapSchema()) return readMap(schema, tree, ec2);
  return scalarFrom(schema, tree.text ?? '');
};

/** The input of an operation out of a form. Parameters that the schema does not know are left out. */
export const readQuery = (schema: NormalizedSchema, form: URLSearchParams, ec2: boolean): object =>
  schema.isStructSchema() ? readStruct(schema, treeOf(form), ec2) : {};
