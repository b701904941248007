import type { Cluster } from '../../shared/kinds/index.ts';
import type { InfrastructureCluster } from '../../shared/kinds/infrastructure.ts';
import { hasMemories } from '../../shared/plan/memory/memory.ts';
import type { Infrastructure } from '../../shared/providers/infrastructure.ts';
import { memoryOf } from '../../shared/providers/memory.ts';
import { INFRASTRUCTURES } from '../../shared/providers/registry.ts';
import { isOwnedBy } from './owners.ts';
import type { ObjectReads } from './snapshot.ts';

/** The infrastructure object of a cluster with its provider. */
export interface ProvidedCluster {
  provider: Infrastructure;
  object: InfrastructureCluster;
}

/**
 * How likely machines are in this infrastructure: most of all if the controllers have recorded something about it, which
 * nobody else can; then if its spec names resources.
 */
const likelihood = ({ provider, object }: ProvidedCluster): number => {
  const memory = memoryOf(provider.cluster);
  if (memory && hasMemories(memory, object)) return 2;
  return provider.namesResources?.(object) ? 1 : 0;
};

/**
 * The infrastructure of the first of these providers that has any that the Cluster owns, whatever it refers to; null if
 * there is none. Only it says in which region and account the machines of the cluster are. A user may have changed the
 * reference several times: of several, the one is returned in which machines most likely are. Costs one query for each
 * provider.
 */
export const findOwnedInfrastructure = async (
  objects: Pick<ObjectReads, 'listOfCluster'>,
  cluster: Cluster,
  providers: readonly Infrastructure[] = INFRASTRUCTURES,
): Promise<ProvidedCluster | null> => {
  const { namespace = '', name } = cluster.metadata;
  for (const provider of providers) {
    const all = await objects.listOfCluster(provider.cluster, namespace, name);
    const owned = all.filter((one) => isOwnedBy(one, cluster)).map((object) => ({ provider, object }));
    const [first] = owned.sort((one, other) => likelihood(other) - likelihood(one));
    if (first) return first;
  }
  return null;
};
