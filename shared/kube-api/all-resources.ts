import type { RegistryOptions } from './registry.ts';
import type { ResourceDefinition } from './resource.ts';
import { qualified } from './status-error.ts';
import { asStored } from './versions/as-stored.ts';

type Known = Pick<RegistryOptions, 'resources' | 'furtherResources'>;

/**
 * One definition of each kind, in its preferred version, those that clients have defined among them. Objects that a webhook
 * would convert are as they are stored: whoever deals with objects of any kind needs their metadata only.
 */
export const allResources = async ({ resources, furtherResources }: Known): Promise<ResourceDefinition[]> => {
  const all = [...resources, ...((await furtherResources?.()) ?? [])];
  const byName = new Map<string, ResourceDefinition>();
  for (const resource of all) if (!byName.has(qualified(resource))) byName.set(qualified(resource), asStored(resource));
  return [...byName.values()];
};

/** As `allResources`, the definition that fits; those that clients have defined are read only if no other fits. */
export const findResource = async (
  { resources, furtherResources }: Known,
  fits: (resource: ResourceDefinition) => boolean,
): Promise<ResourceDefinition | undefined> => {
  const found = resources.find(fits) ?? (await furtherResources?.())?.find(fits);
  return found && asStored(found);
};
