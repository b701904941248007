import type { CustomResourceDefinition } from '../../../shared/kube-api/custom-resource-definition.ts';
import type { OpenApiSchema } from '../../../shared/kube-api/resource.ts';

/** All descriptions in a schema. */
const descriptionsIn = (schema: OpenApiSchema): string[] => {
  const { description, properties = {}, items, additionalProperties: values } = schema;
  return [
    ...(description ? [description] : []),
    ...Object.values(properties).flatMap(descriptionsIn),
    ...(items ? descriptionsIn(items) : []),
    ...(typeof values === 'object' ? descriptionsIn(values) : []),
  ];
};

/** The descriptions of all fields in the definitions, without duplicates. */
export const descriptionsOf = (definitions: readonly CustomResourceDefinition[]): string[] => [
  ...new Set(
    definitions.flatMap(({ spec }) => spec.versions.flatMap(({ schema }) => descriptionsIn(schema.openAPIV3Schema))),
  ),
];

/** All sequences of `length` words in a text, ignoring its markup. */
const runsOf = (text: string, length: number): string[] => {
  const words = text.toLowerCase().match(/[a-z0-9-]+/g) ?? [];
  return words.slice(0, Math.max(0, words.length - length + 1)).map((_, at) => words.slice(at, at + length).join(' '));
};

/** The texts in `ours` that share a sequence of `length` words with a text in `theirs`. */
export const copied = (ours: readonly string[], theirs: readonly string[], length: number): string[] => {
  const known = new Set(theirs.flatMap((text) => runsOf(text, length)));
  return ours.filter((text) => runsOf(text, length).some((run) => known.has(run)));
};
