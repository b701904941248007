import { apiVersionOf } from '../decode.ts';
import type { KubeObject } from '../object.ts';
import type {
  ConvertObjects,
  CustomKind,
  OpenApiSchema,
  PrinterColumn,
  ResourceDefinition,
  ScaleSubresource,
} from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { prune } from '../schema/prune.ts';
import { makeValidateObject } from './admit-object.ts';
import { type ConversionPorts, makeConvert } from './conversion/convert.ts';
import { type CustomDefinition, conditionOf, type DefinedVersion } from './definition.ts';
import { withEmbeddedHead, withVisibleHead } from './typed-schema.ts';

/** The kinds that CustomResourceDefinitions describe, in all served versions. */

const HEAD = ['apiVersion', 'kind', 'metadata'];

const wholeSchema = ({ schema }: DefinedVersion): OpenApiSchema => schema?.openAPIV3Schema ?? { type: 'object' };

/** Without the parts that every object has, which the server adds. */
const bodySchema = (version: DefinedVersion): OpenApiSchema => {
  const { properties = {}, required, ...rest } = withEmbeddedHead(wholeSchema(version));
  const own = required?.filter((name) => !HEAD.includes(name)) ?? [];
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !HEAD.includes(name))),
    ...(own.length > 0 ? { required: own } : {}),
  };
};

const VERSION = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;
const STAGES = ['alpha', 'beta', undefined];

/** Sorts versions in clients' order of preference: v2, v1, v1beta1, v1alpha1, then others by name. */
export const byPreference = (a: string, b: string): number => {
  const [left, right] = [VERSION.exec(a), VERSION.exec(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : 1;
  const stage = STAGES.indexOf(right[2]) - STAGES.indexOf(left[2]);
  return stage || Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0);
};

const deprecationOf = ({ spec }: CustomDefinition, version: DefinedVersion): { deprecation?: string } => {
  if (!version.deprecated) return {};
  const { group, names, versions } = spec;
  const [better] = versions
    .filter(({ name, served, deprecated }) => served && !deprecated && byPreference(name, version.name) < 0)
    .toSorted((a, b) => byPreference(a.name, b.name));
  const use = better ? `; use ${group}/${better.name} ${names.kind}` : '';
  const usual = `${group}/${version.name} ${names.kind} is deprecated${use}`;
  return { deprecation: version.deprecationWarning ?? usual };
};

const scaleOf = ({ subresources }: DefinedVersion): { scale?: ScaleSubresource } =>
  subresources?.scale ? { scale: subresources.scale as ScaleSubresource } : {};

/** Creates a value at its first use, and only once. */
const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const columnsOf = ({ additionalPrinterColumns = [] }: DefinedVersion): readonly PrinterColumn[] =>
  additionalPrinterColumns;

/** Properties of all custom resources that no definition contains. */
export interface OfCustomKinds {
  /** The same as `clusterNameOf` in a ResourceDefinition. */
  clusterNameOf?(object: KubeObject): string | undefined;
  /** Without it, no conversion webhook can be called. */
  conversion?: ConversionPorts | undefined;
}

type Bodies = ReadonlyMap<string, () => OpenApiSchema>;

interface Shared {
  definition: CustomDefinition;
  ofAll: OfCustomKinds;
  bodies: Bodies;
  convert: ConvertObjects | undefined;
  served(): readonly ResourceDefinition[];
}

/** Conversion by a webhook, if the definition has one. Fields that the other version does not have are dropped. */
const convertOf = (
  definition: CustomDefinition,
  bodies: Bodies,
  ports: ConversionPorts | undefined,
): ConvertObjects | undefined => {
  if (definition.spec.conversion?.strategy !== 'Webhook') return undefined;
  const convert = makeConvert(definition, ports);
  return async (objects, apiVersion) => {
    const schema = bodies.get(apiVersion.split('/')[1] ?? '')?.();
    const converted = await convert(objects, apiVersion);
    return converted.map((object, index) =>
      schema && object !== objects[index] ? (prune(withMetadata(schema), object).value as KubeObject) : object,
    );
  };
};

const customOf = ({ definition, bodies, served, convert }: Shared, version: DefinedVersion): CustomKind => ({
  storageVersion: definition.spec.versions.find(({ storage }) => storage)?.name ?? version.name,
  labels: definition.metadata.labels ?? {},
  ...deprecationOf(definition, version),
  isTerminating: conditionOf(definition, 'Terminating')?.status === 'True',
  served,
  schemaOf: (name) => bodies.get(name)?.(),
  ...(convert ? { convert } : {}),
});

const resourceOf = (shared: Shared, version: DefinedVersion): ResourceDefinition => {
  const { definition, bodies } = shared;
  const { spec, status } = definition;
  const accepted = status?.acceptedNames ?? {};
  const { plural = '', kind = '' } = spec.names;
  const body = bodies.get(version.name) ?? (() => bodySchema(version));
  const validate = once(() => {
    const whole = wholeSchema(version);
    return makeValidateObject({
      schema: body(),
      whole,
      visible: withVisibleHead(whole),
      ...{ scale: scaleOf(version).scale },
    });
  });
  return {
    group: spec.group,
    version: version.name,
    kind,
    plural,
    singular: accepted.singular ?? kind.toLowerCase(),
    shortNames: accepted.shortNames ?? [],
    categories: accepted.categories ?? [],
    namespaced: spec.scope === 'Namespaced',
    statusSubresource: version.subresources?.status !== undefined,
    ...scaleOf(version),
    get schema(): OpenApiSchema {
      return body();
    },
    columns: columnsOf(version),
    selectableFields: (version.selectableFields ?? []).flatMap(({ jsonPath }) => jsonPath ?? []),
    builtIn: false,
    validateBody: (object, old) => validate()(object, old),
    ...(shared.ofAll.clusterNameOf ? { clusterNameOf: shared.ofAll.clusterNameOf } : {}),
    custom: customOf(shared, version),
  };
};

/**
 * The definitions of all served versions of a kind, the preferred one first. Schemas are processed when they are first
 * needed. Objects of all versions are stored under the same name (`withStoredVersions`). Pure.
 */
export const resourcesOf = (definition: CustomDefinition, ofAll: OfCustomKinds = {}): readonly ResourceDefinition[] => {
  const { versions } = definition.spec;
  const bodies = new Map(versions.map((version) => [version.name, once(() => bodySchema(version))]));
  const served = versions.filter((version) => version.served).toSorted((a, b) => byPreference(a.name, b.name));
  const convert = convertOf(definition, bodies, ofAll.conversion);
  const shared: Shared = { definition, ofAll, bodies, convert, served: () => resources };
  const resources = served.map((version) => resourceOf(shared, version));
  return resources;
};

/** `example.com/v1`, where an object of the kind is stored as the version of that name. */
export const storedApiVersion = ({ group, custom, version }: ResourceDefinition): string =>
  apiVersionOf({ group, version: custom?.storageVersion ?? version });
