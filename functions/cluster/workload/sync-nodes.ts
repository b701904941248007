import type { V1Node } from '@kubernetes/client-node';
import { describeError } from '../../../shared/decode/describe-error.ts';
import { ConflictError } from '../../../shared/errors.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import { copiesIn } from '../../../shared/plan/machines/copies.ts';
import { findNode } from '../../../shared/plan/machines/node.ts';
import { nodePatch } from '../../../shared/plan/machines/node-metadata.ts';
import { revisionOf } from '../../../shared/plan/rollout/desired-set.ts';
import { isObjectPaused } from '../../../shared/plan/status/paused.ts';
import { mapConcurrently } from '../../../shared/store/concurrency.ts';
import { type WorkloadClient, WorkloadRefusedError } from '../../../shared/workload/client.ts';
import { type ClusterSnapshot, isControlledBy } from '../snapshot.ts';
import type { ProbeDependencies } from './dependencies.ts';

/** The number of nodes that are written concurrently: a rollout marks hundreds of nodes in one pass. */
const AT_ONCE = 10;

/** Whether a machine's set has an older revision than its deployment. */
const isOutdated = ({ sets, deployments }: ClusterSnapshot, machine: Machine): boolean => {
  const set = sets.find((candidate) => isControlledBy(machine, candidate));
  const deployment = set && deployments.find((candidate) => isControlledBy(set, candidate));
  return set !== undefined && deployment !== undefined && revisionOf(set) < revisionOf(deployment);
};

/**
 * Synchronizes labels, annotations and taints from the machines of a cluster to their nodes. Only nodes that differ are
 * written. A node that another client has just changed, or that the API server refuses to change, for example because
 * of a webhook, is left to the next pass, which the sweep requests. Throws WorkloadUnreachableError.
 */
export const syncNodes = async (
  { log, synced: also }: Pick<ProbeDependencies, 'log' | 'synced'>,
  client: Pick<WorkloadClient, 'patchNode'>,
  snapshot: ClusterSnapshot,
  nodes: readonly V1Node[],
): Promise<void> => {
  const copies = copiesIn(snapshot.machines);
  const patches = snapshot.machines.flatMap((machine) => {
    const node = findNode(nodes, machine.spec.providerID);
    if (!node?.metadata?.name || isObjectPaused(machine) || copies.has(machine.metadata.uid ?? '')) return [];
    const interruptible = snapshot.infrastructureMachines.get(machine.metadata.name)?.facts.interruptible === true;
    const patch = nodePatch(machine, node, { interruptible, outdated: isOutdated(snapshot, machine), also });
    return patch ? [{ name: node.metadata.name, patch }] : [];
  });
  await mapConcurrently(patches, AT_ONCE, async ({ name, patch }) => {
    try {
      await client.patchNode(name, patch);
    } catch (error) {
      if (error instanceof ConflictError) return;
      if (!(error instanceof WorkloadRefusedError)) throw error;
      log.warn('a node does not follow its machine', { node: name, ...describeError(error) });
    }
  });
};
