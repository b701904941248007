import { describe, expect, it } from 'vitest';
import type { FieldText, FieldTexts, KindTexts } from '../../kube-api/schema/field-texts.ts';
import { awsClusterTexts } from '../aws-cluster/texts.ts';
import { awsClusterControllerIdentityTexts } from '../aws-cluster-controller-identity/texts.ts';
import { awsClusterRoleIdentityTexts } from '../aws-cluster-role-identity/texts.ts';
import { awsClusterStaticIdentityTexts } from '../aws-cluster-static-identity/texts.ts';
import { awsClusterTemplateTexts } from '../aws-cluster-template/texts.ts';
import { awsMachineTexts } from '../aws-machine/texts.ts';
import { awsMachinePoolTexts } from '../aws-machine-pool/texts.ts';
import { awsMachineTemplateTexts } from '../aws-machine-template/texts.ts';
import { kinds } from '../index.ts';

/** The parts of a structural schema that a description must match. */
interface Schema {
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  default?: unknown;
  enum?: readonly unknown[];
}

interface Field {
  path: string;
  text: string | undefined;
  schema: Schema;
}

const parts = (text: FieldText | undefined): readonly [string | undefined, FieldTexts] =>
  typeof text === 'string' || text === undefined ? [text, {}] : text;

/** List items and map values count as the field itself. */
const inner = ({ items, additionalProperties, ...schema }: Schema): Schema => {
  if (items) return inner(items);
  return typeof additionalProperties === 'object' ? inner(additionalProperties) : schema;
};

const fieldsOf = (schema: Schema, texts: FieldTexts, prefix = ''): Field[] =>
  Object.entries(inner(schema).properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const [text, fields] = parts(texts[name]);
    return [{ path, text, schema: property }, ...fieldsOf(property, fields, `${path}.`)];
  });

const names = (text: string, value: unknown): boolean => new RegExp(`(^|[\\s(])${value}($|[\\s,.;:)])`).test(text);

/**
 * Windlass rejects some load balancer types that the schema allows. Status fields have no defaults or choices to
 * explain.
 */
const isExempt = ({ path, text = '' }: Field): boolean =>
  /loadBalancerType$/.test(path) || path.startsWith('status.') || text.startsWith('Stored and not acted on');

describe.each<[keyof typeof kinds, KindTexts]>([
  ['awsCluster', awsClusterTexts],
  ['awsClusterTemplate', awsClusterTemplateTexts],
  ['awsMachine', awsMachineTexts],
  ['awsMachineTemplate', awsMachineTemplateTexts],
  ['awsMachinePool', awsMachinePoolTexts],
  ['awsClusterControllerIdentity', awsClusterControllerIdentityTexts],
  ['awsClusterRoleIdentity', awsClusterRoleIdentityTexts],
  ['awsClusterStaticIdentity', awsClusterStaticIdentityTexts],
])('the texts of %s', (kind, texts) => {
  const fields = fieldsOf(kinds[kind].schema as Schema, texts.fields);

  it('describe every field', () => {
    expect(fields.filter(({ text }) => text === undefined).map(({ path }) => path)).toEqual([]);
    expect(fields.length).toBeGreaterThan(5);
  });

  it('name the default that the schema sets', () => {
    const wrong = fields
      .filter((field) => field.schema.default !== undefined && !isExempt(field))
      .filter(({ text = '', schema }) => !new RegExp(`[Dd]efaults to ${schema.default}\\b`).test(text));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('name every value that the schema allows', () => {
    const missing = fields
      .filter((field) => !isExempt(field))
      .flatMap(({ path, text = '', schema }) =>
        (inner(schema).enum ?? []).filter((value) => value && !names(text, value)).map((value) => `${path}: ${value}`),
      );
    expect(missing).toEqual([]);
  });
});
