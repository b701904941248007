import type { V1Node } from '@kubernetes/client-node';
import { describeAwsError } from '../../../shared/aws/errors.ts';
import { recordEvent } from '../../../shared/events/record.ts';
import { goneNodes, type Orphan, orphanNodes } from '../../../shared/providers/aws/plan/drift/orphan-nodes.ts';
import { WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { otherNodeController } from '../cloud-controller.ts';
import { readWorkloadTarget } from '../kubeconfig-secret.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ProbeDependencies } from './dependencies.ts';

/**
 * Deletes nodes whose machine and instance are both gone, as the node lifecycle controller of a cloud controller manager
 * does, where the cluster has none. EC2 is asked only where there are nodes without a machine, and where it does not
 * answer nothing is deleted.
 */
export const removeOrphans = async (
  deps: ProbeDependencies,
  snapshot: ClusterSnapshot,
  nodes: readonly V1Node[],
): Promise<void> => {
  const orphans = orphanNodes(nodes, snapshot.machines, snapshot.awsMachines.values());
  if (orphans.length === 0) return;
  const target = await readWorkloadTarget(deps.objects, snapshot.cluster);
  if (!target) return;
  const client = deps.connect(target);
  try {
    if (await otherNodeController(deps.objects, client, snapshot.cluster)) return;
    for (const gone of await askEc2(deps, snapshot, orphans)) {
      await client.deleteNode(gone.node);
      await tell(deps, snapshot, gone);
    }
  } catch (error) {
    // It has answered the probe a moment ago; the next pass says what became of it, and looks again.
    if (!(error instanceof WorkloadUnreachableError)) throw error;
  } finally {
    await client.close();
  }
};

const askEc2 = async (
  { scopeOf, fleet, clock, log }: ProbeDependencies,
  { infrastructure }: ClusterSnapshot,
  orphans: readonly Orphan[],
): Promise<Orphan[]> => {
  try {
    const ids = orphans.map(({ instanceId }) => instanceId);
    const states = await fleet(await scopeOf(infrastructure)).statesOf(ids);
    return goneNodes(orphans, states, clock.now());
  } catch (error) {
    // Nothing depends on it: the next pass asks again.
    log.warn('EC2 did not say what became of instances without a machine', { reason: describeAwsError(error) });
    return [];
  }
};

const tell = (
  { objects, clock }: ProbeDependencies,
  { cluster }: ClusterSnapshot,
  { node, instanceId }: Orphan,
): Promise<void> => {
  const message = `Deleted Node ${node}: it has no Machine, and instance ${instanceId} is gone`;
  return recordEvent(
    objects,
    { regarding: cluster, type: 'Normal', reason: 'DeletedNode', message, component: 'cluster-workload' },
    clock,
  );
};
