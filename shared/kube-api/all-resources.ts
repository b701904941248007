import type { RegistryOptions } from './registry.ts';
import type { ResourceDefinition } from './resource.ts';
import { qualified } from './status-error.ts';

type Known = Pick<RegistryOptions, 'resources' | 'furtherResources'>;

/** One definition of each kind, in its preferred version, those that clients have defined among them. */
export const allResources = async ({ resources, furtherResources }: Known): Promise<ResourceDefinition[]> => {
  const all = [...resources, ...((await furtherResources?.()) ?? [])];
  const byName = new Map<string, ResourceDefinition>();
  for (const resource of all) if (!byName.has(qualified(resource))) byName.set(qualified(resource), resource);
  return [...byName.values()];
};

/** The definition that fits, perhaps of a kind that clients have defined, which are read only if no other fits. */
export const findResource = async (
  { resources, furtherResources }: Known,
  fits: (resource: ResourceDefinition) => boolean,
): Promise<ResourceDefinition | undefined> => resources.find(fits) ?? (await furtherResources?.())?.find(fits);
