import type { KubeObject } from '../object.ts';
import type { CustomKind, ResourceDefinition } from '../resource.ts';

const known = new WeakMap<CustomKind, ResourceDefinition>();

const make = (resource: ResourceDefinition, { convert: _, conversions: __, ...custom }: CustomKind) => ({
  ...resource,
  schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const,
  validateBody: undefined,
  scale: undefined,
  selectableFields: undefined,
  custom: { ...custom, isAsStored: true },
});

/**
 * The definition by which objects are read, marked, released and removed without being converted: owners, namespaces and
 * definitions go whether or not a webhook answers. The same value for kinds that no webhook converts.
 */
export const asStored = <T extends KubeObject>(resource: ResourceDefinition<T>): ResourceDefinition<T> => {
  const { custom } = resource;
  if (!custom?.convert) return resource;
  const found = known.get(custom) ?? make(resource as unknown as ResourceDefinition, custom);
  known.set(custom, found);
  return found as unknown as ResourceDefinition<T>;
};
