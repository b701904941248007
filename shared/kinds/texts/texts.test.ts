import { describe, expect, it } from 'vitest';
import type { OpenApiSchema } from '../../kube-api/resource.ts';
import type { FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { OBJECT_META } from '../../kube-api/schema/metadata.ts';
import { describedSchema } from '../../kube-api/schema/with-descriptions.ts';
import { servedResources } from '../../kube-api/versions/served.ts';
import { KINDS } from '../index.ts';
import { TEXTS, textsOf } from './kind-texts.ts';

/** The schemas inside a schema by path; list items and map values count as the field itself. */
const fieldsOf = (schema: OpenApiSchema, at = ''): [path: string, schema: OpenApiSchema][] => {
  const { properties = {}, items, additionalProperties: values } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, field]): [string, OpenApiSchema][] => [
      [`${at}${name}`, field],
      ...fieldsOf(field, `${at}${name}.`),
    ]),
    ...(items ? fieldsOf(items, at) : []),
    ...(typeof values === 'object' ? fieldsOf(values, at) : []),
  ];
};

const textPaths = (fields: FieldTexts, at = ''): string[] =>
  Object.entries(fields).flatMap(([name, text]) => [
    `${at}${name}`,
    ...(typeof text === 'string' ? [] : textPaths(text[1], `${at}${name}.`)),
  ]);

const LONGEST = 300;

/** A sentence ends only before a space and a capital letter, so abbreviations inside it do not count. */
const sentences = (text: string): number => text.split(/[.!?] (?=[A-Z*])/).length;

/** The errors in a description. */
const faultsOf = (text = ''): string[] => [
  ...(text === '' ? ['is missing'] : []),
  ...(text.length > LONGEST ? [`has ${text.length} characters`] : []),
  ...(sentences(text) > 2 ? [`has ${sentences(text)} sentences`] : []),
  ...(text !== '' && !text.endsWith('.') ? ['does not end with a full stop'] : []),
  ...(/^(This (field|is)|The field|Specifies|Indicates|Represents)\b/.test(text) ? ['begins with empty words'] : []),
];

const served = servedResources(KINDS).map((resource) => ({
  resource,
  name: `${resource.kind} ${resource.group === '' ? '' : `${resource.group}/`}${resource.version}`,
}));

describe.each(served)('the texts of $name', ({ resource }) => {
  const described = describedSchema(resource, textsOf);

  it('describe the kind and each of its fields in at most two sentences', () => {
    const faults = [['the kind', described] as const, ...fieldsOf(described)].flatMap(([path, { description }]) =>
      faultsOf(description).map((fault) => `${path} ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});

describe.each(Object.entries(TEXTS))('the texts of %s', (kind, { fields, versions = {} }) => {
  const views = served
    .filter(({ resource }) => [resource.kind, `${resource.kind}.${resource.group}`].includes(kind))
    .map(({ resource }) => resource);
  const pathsOf = (resources: readonly (typeof views)[number][]) =>
    new Set(resources.flatMap(({ schema }) => fieldsOf(schema).map(([path]) => path)));

  it('are for fields that exist', () => {
    const known = pathsOf(views);
    expect(textPaths(fields).filter((path) => !known.has(path))).toEqual([]);
    for (const [version, over] of Object.entries(versions)) {
      const ofVersion = pathsOf(views.filter((view) => view.view?.version.name === version));
      expect(textPaths(over).filter((path) => !ofVersion.has(path))).toEqual([]);
    }
  });
});

it('describe the metadata of every object', () => {
  const faults = fieldsOf(OBJECT_META).flatMap(([path, { description }]) =>
    faultsOf(description).map((fault) => `${path} ${fault}`),
  );
  expect(faults).toEqual([]);
});
