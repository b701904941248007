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
 * Returns a definition that reads and writes objects without conversion, so that owners, namespaces and definitions can
 * be deleted even if a conversion webhook does not answer. Returns kinds without such a webhook unchanged.
 */
export const asStored = <T extends KubeObject>(resource: ResourceDefinition<T>): ResourceDefinition<T> => {
  const { custom } = resource;
  if (!custom?.convert) return resource;
  const found = known.get(custom) ?? make(resource as unknown as ResourceDefinition, custom);
  known.set(custom, found);
  return found as unknown as ResourceDefinition<T>;
};
