import type { RegistryOptions } from './registry/registry.ts';
import type { ResourceDefinition } from './resource.ts';
import { qualified } from './status-error.ts';
import { asStored } from './versions/as-stored.ts';

type Known = Pick<RegistryOptions, 'resources' | 'furtherResources'>;

/**
 * One definition of each kind in its preferred version, including custom resources. Objects that a webhook would
 * convert are returned as stored: code for objects of any kind only needs their metadata.
 */
export const allResources = async ({ resources, furtherResources }: Known): Promise<ResourceDefinition[]> => {
  const all = [...resources, ...((await furtherResources?.()) ?? [])];
  const byName = new Map<string, ResourceDefinition>();
  for (const resource of all) if (!byName.has(qualified(resource))) byName.set(qualified(resource), asStored(resource));
  return [...byName.values()];
};

/** The first of `allResources` that matches; custom resources are read only if no other one matches. */
export const findResource = async (
  { resources, furtherResources }: Known,
  fits: (resource: ResourceDefinition) => boolean,
): Promise<ResourceDefinition | undefined> => {
  const found = resources.find(fits) ?? (await furtherResources?.())?.find(fits);
  return found && asStored(found);
};
