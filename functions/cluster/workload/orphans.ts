import type { V1Node } from '@kubernetes/client-node';
import { describeError } from '../../../shared/decode/describe-error.ts';
import { goneNodes, type Orphan, orphanNodes } from '../../../shared/plan/drift/orphan-nodes.ts';
import type { Infrastructure } from '../../../shared/providers/infrastructure.ts';
import { INFRASTRUCTURES } from '../../../shared/providers/registry.ts';
import {
  type WorkloadClient,
  WorkloadRefusedError,
  WorkloadUnreachableError,
} from '../../../shared/workload/client.ts';
import { otherNodeController } from '../cloud-controller.ts';
import { readWorkloadTarget } from '../kubeconfig-secret.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ProbeDependencies } from './dependencies.ts';
import { workloadRecorder } from './reasons.ts';

/**
 * Deletes nodes whose machine and instance no longer exist, as the node lifecycle controller of a cloud controller
 * manager does, if the cluster has none. The provider is called only if there are nodes without a machine; if it does
 * not answer, nothing is deleted. Resolves to the names of the deleted nodes.
 */
export const removeOrphans = async (
  deps: ProbeDependencies,
  snapshot: ClusterSnapshot,
  nodes: readonly V1Node[],
): Promise<ReadonlySet<string>> => {
  const deleted = new Set<string>();
  const orphans = INFRASTRUCTURES.flatMap((provider) => orphansOf(provider, snapshot, nodes));
  if (orphans.length === 0) return deleted;
  const target = await readWorkloadTarget(deps.objects, snapshot.cluster);
  if (!target) return deleted;
  const client = deps.connect(target);
  try {
    if (await otherNodeController(deps.objects, client, snapshot.cluster)) return deleted;
    for (const gone of await findGone(deps, snapshot, orphans)) {
      if (!(await tryDelete(deps, client, gone))) continue;
      deleted.add(gone.node);
      await workloadRecorder(deps).normal(snapshot.cluster, 'DeletedNode', messageOf(gone));
    }
  } catch (error) {
    // It has just answered the probe; the next pass reports the loss, and tries again.
    if (!(error instanceof WorkloadUnreachableError)) throw error;
  } finally {
    await client.close();
  }
  return deleted;
};

/**
 * Whether the node was deleted. A refusal, for example by a webhook, concerns only this node; the next pass tries
 * again.
 */
const tryDelete = async ({ log }: ProbeDependencies, client: WorkloadClient, { node }: Orphan): Promise<boolean> => {
  try {
    await client.deleteNode(node);
    return true;
  } catch (error) {
    if (!(error instanceof WorkloadRefusedError)) throw error;
    log.warn('a node without a machine could not be deleted', { node, ...describeError(error) });
    return false;
  }
};

/** A node without a machine, and the provider of its instance. */
interface ProvidedOrphan extends Orphan {
  provider: Infrastructure;
}

const orphansOf = (
  provider: Infrastructure,
  { machines, infrastructureMachines }: ClusterSnapshot,
  nodes: readonly V1Node[],
): ProvidedOrphan[] => {
  const infrastructure = [...infrastructureMachines.values()].map(({ object }) => object);
  const orphans = orphanNodes(nodes, machines, infrastructure, provider.instanceOfNode);
  return orphans.map((orphan) => ({ ...orphan, provider }));
};

const findGone = async (
  deps: ProbeDependencies,
  snapshot: ClusterSnapshot,
  orphans: readonly ProvidedOrphan[],
): Promise<Orphan[]> => {
  const found = await Promise.all(
    [...Map.groupBy(orphans, ({ provider }) => provider)].map(([provider, own]) =>
      askFor(deps, snapshot, provider, own),
    ),
  );
  return found.flat();
};

const askFor = async (
  { clock, log, providers }: ProbeDependencies,
  snapshot: ClusterSnapshot,
  { name }: Infrastructure,
  orphans: readonly Orphan[],
): Promise<Orphan[]> => {
  const infrastructure = snapshot.provider?.name === name ? snapshot.infrastructureCluster : null;
  try {
    const ids = orphans.map(({ instanceId }) => instanceId);
    const fates = await providers[name]?.fatesOf(infrastructure, ids);
    return fates ? goneNodes(orphans, fates, clock.now()) : [];
  } catch (error) {
    // Nothing depends on the answer: the next pass asks again.
    log.warn('the state of instances without a machine could not be read', describeError(error));
    return [];
  }
};

const messageOf = ({ node, instanceId }: Orphan): string =>
  `Deleted Node ${node}: it has no Machine, and instance ${instanceId} no longer exists`;
