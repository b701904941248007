/** Objects as XML, by schema, in the form of the query protocols. */
import type { NormalizedSchema } from '@smithy/core/schema';
import { scalarText } from './scalars.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  '\r': '&#xD;',
};

/** Text that is safe between tags and in attributes. */
export const escapeXml = (text: string): string => text.replace(/[<>&"\r]/g, (character) => ESCAPES[character] ?? '');

const element = (name: string, inner: string): string => `<${name}>${inner}</${name}>`;

const xmlNameOf = (schema: NormalizedSchema, otherwise: string): string => {
  const { xmlName } = schema.getMergedTraits() as { xmlName?: string };
  return xmlName ?? otherwise;
};

const isFlat = (schema: NormalizedSchema): boolean =>
  (schema.getMergedTraits() as { xmlFlattened?: 1 }).xmlFlattened !== undefined;

const writeList = (name: string, schema: NormalizedSchema, values: readonly unknown[]): string => {
  const member = schema.getValueSchema();
  const itemName = isFlat(schema) ? name : xmlNameOf(member, 'member');
  const items = values.map((value) => writeMember(itemName, member, value)).join('');
  return isFlat(schema) ? items : element(name, items);
};

const writeMap = (name: string, schema: NormalizedSchema, values: object): string => {
  const [key, value] = [schema.getKeySchema(), schema.getValueSchema()];
  const entryName = isFlat(schema) ? name : 'entry';
  const entries = Object.entries(values)
    .map(([k, v]) =>
      element(entryName, writeMember(xmlNameOf(key, 'key'), key, k) + writeMember(xmlNameOf(value, 'value'), value, v)),
    )
    .join('');
  return isFlat(schema) ? entries : element(name, entries);
};

const writeMember = (name: string, schema: NormalizedSchema, value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (schema.isStructSchema()) return element(name, writeMembers(schema, value));
  if (schema.isListSchema()) return writeList(name, schema, value as readonly unknown[]);
  if (schema.isMapSchema()) return writeMap(name, schema, value as object);
  return element(name, escapeXml(scalarText(value)));
};

/** The members of a structure, one after the other, without an element around them. */
export const writeMembers = (schema: NormalizedSchema, value: unknown): string => {
  if (!schema.isStructSchema()) return '';
  const from = (value ?? {}) as Record<string, unknown>;
  let out = '';
  for (const [name, member] of schema.structIterator()) out += writeMember(xmlNameOf(member, name), member, from[name]);
  return out;
};
