import type { OpenApiSchema, ResourceDefinition } from '../resource.ts';
import type { FieldText, FieldTexts, KindTexts } from './field-texts.ts';

/** Returns the texts of a kind by its name and its group, or nothing if there are none. */
export type TextsOf = (kind: string, group: string) => KindTexts | undefined;

/** Loads the texts when they are first needed: few requests need them, and they are long. */
export type LoadTexts = () => Promise<TextsOf>;

const partsOf = (text: FieldText): readonly [text: string, fields: FieldTexts] =>
  typeof text === 'string' ? [text, {}] : text;

/** The fields of a map or of the items of a list, at any depth, count as those of the field itself. */
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

/** A copy of a schema with the texts as the descriptions of its fields. A field without a text keeps what it has. Pure. */
export const withDescriptions = (schema: OpenApiSchema, text: string, fields: FieldTexts): OpenApiSchema => ({
  ...describeInside(schema, fields),
  description: text,
});

/**
 * The texts of a further version: those of the stored version, replaced by `over` path by path. A text without inner
 * fields keeps the inner fields of the replaced one. Pure.
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

/** The texts of one served version of a kind. */
const fieldTextsOf = ({ fields, versions }: KindTexts, version: string, stored: boolean): FieldTexts => {
  const over = stored ? undefined : versions?.[version];
  return over === undefined ? fields : mergeTexts(fields, over);
};

/** The schema of a served version with descriptions, as OpenAPI documents and CustomResourceDefinitions show it. */
export const describedSchema = (resource: ResourceDefinition, textsOf: TextsOf): OpenApiSchema => {
  // Texts are found only by the name of the kind, and a definition may use any name.
  const texts = resource.custom ? undefined : textsOf(resource.kind, resource.group);
  if (!texts) return resource.schema;
  return withDescriptions(resource.schema, texts.text, fieldTextsOf(texts, resource.version, !resource.view));
};
