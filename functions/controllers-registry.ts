import { firstStatus } from '../shared/distributions/first-status.ts';
import { KINDS } from '../shared/kinds/index.ts';
import { type Catalog, createCatalog } from '../shared/kube-api/custom/catalog.ts';
import { finishDefinitions } from '../shared/kube-api/custom/removal.ts';
import { withStoredVersions } from '../shared/kube-api/custom/stored-versions.ts';
import { createRegistry } from '../shared/kube-api/registry/create-registry.ts';
import type { Registry, RegistryOptions } from '../shared/kube-api/registry/registry.ts';
import type { CallWebhook } from '../shared/kube-api/webhooks/invocation.ts';
import { clusterOfCustom } from '../shared/outside/kinds.ts';
import { makeCheckDelete } from './api/topology/check-delete.ts';

interface Given extends Pick<RegistryOptions, 'storage' | 'clock' | 'random' | 'ownership'> {
  /** Calls webhooks that convert custom resources between versions. */
  callConversion?: CallWebhook;
}

/**
 * The registry through which controllers read and write. Controllers may write what users may not, but they delete
 * nothing that is still in use: the sweep deletes the contents of a deleted namespace, and objects that have lost their
 * owner.
 */
export const createControllersRegistry = ({
  callConversion: call,
  ...given
}: Given): Registry & { catalog: Catalog } => {
  const storage = withStoredVersions(given.storage);
  const conversion = call && { call, random: given.random };
  const catalog = createCatalog(storage, { clusterNameOf: clusterOfCustom, conversion });
  const registry = createRegistry({
    ...given,
    storage,
    resources: KINDS,
    furtherResources: async () => (await catalog.current()).resources,
    firstStatus,
    checkDelete: makeCheckDelete(storage),
  });
  return {
    ...registry,
    catalog,
    collectGarbage: async (budget, before) => {
      const removed = await finishDefinitions({ registry, catalog, clock: given.clock, budget, before, touched: [] });
      const { touched, failures, left } = await registry.collectGarbage(budget, before);
      return { touched: [...removed.touched, ...touched], failures: [...removed.failures, ...failures], left };
    },
  };
};
