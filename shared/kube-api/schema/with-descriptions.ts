import type { OpenApiSchema, ResourceDefinition } from '../resource.ts';
import type { FieldText, FieldTexts, KindTexts } from './field-texts.ts';

/** Returns the descriptions of a kind by its name and group, or undefined if there are none. */
export type TextsOf = (kind: string, group: string) => KindTexts | undefined;

/** Loads the descriptions on first use: few requests need them, and they are long. */
export type LoadTexts = () => Promise<TextsOf>;

const partsOf = (text: FieldText): readonly [text: string, fields: FieldTexts] =>
  typeof text === 'string' ? [text, {}] : text;

/** Fields inside list items and map values, at any depth, are looked up as fields of the field itself. */
const describeInside = (schema: OpenApiSchema, fields: FieldTexts): OpenApiSchema => {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && { properties: describeFields(properties, fields) }),
    ...(items && { items: describeInside(items, fields) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: describeInside(additionalProperties, fields),
    }),
  };
};

const describeFields = (
  properties: Readonly<Record<string, OpenApiSchema>>,
  fields: FieldTexts,
): Record<string, OpenApiSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const text = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (text === undefined) return [name, field];
      const [description, inner] = partsOf(text);
      return [name, { ...describeInside(field, inner), description }];
    }),
  );

/** Returns a copy of the schema with these descriptions. Fields without one keep their own. Pure. */
export const withDescriptions = (schema: OpenApiSchema, text: string, fields: FieldTexts): OpenApiSchema => ({
  ...describeInside(schema, fields),
  description: text,
});

/**
 * Merges the descriptions of a further version over those of the stored one. A description without inner fields keeps
 * the existing inner fields. Pure.
 */
export const mergeTexts = (fields: FieldTexts, over: FieldTexts): FieldTexts => ({
  ...fields,
  ...Object.fromEntries(
    Object.entries(over).map(([name, text]): [string, FieldText] => {
      const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (known === undefined) return [name, text];
      const [description, inner] = partsOf(text);
      const merged = mergeTexts(partsOf(known)[1], inner);
      return [name, Object.keys(merged).length === 0 ? description : [description, merged]];
    }),
  ),
});

/** The descriptions of one served version of a kind. */
const fieldTextsOf = ({ fields, versions }: KindTexts, version: string, stored: boolean): FieldTexts => {
  const over = stored ? undefined : versions?.[version];
  return over === undefined ? fields : mergeTexts(fields, over);
};

/** The schema of a served version with descriptions, as OpenAPI documents and CustomResourceDefinitions show it. */
export const describedSchema = (resource: ResourceDefinition, textsOf: TextsOf): OpenApiSchema => {
  // Descriptions are looked up by name, and a custom kind may have the name of another kind.
  const texts = resource.custom ? undefined : textsOf(resource.kind, resource.group);
  if (!texts) return resource.schema;
  return withDescriptions(resource.schema, texts.text, fieldTextsOf(texts, resource.version, !resource.view));
};
