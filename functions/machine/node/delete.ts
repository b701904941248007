import { TransientError } from '../../../shared/errors.ts';
import { recordEvent } from '../../../shared/events/record.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { isOverdue } from '../../../shared/plan/machines/waiting.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { readKubeconfig } from '../../cluster/kubeconfig-secret.ts';
import { readControlPlane } from '../../cluster/snapshot.ts';
import { type MachineSnapshot, machineKey, readMachine } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';

const DEFAULT_TIMEOUT_SECONDS = 10;

/** Upstream's rule: with the whole cluster, or its control plane, on its way out nobody is left who needs the node gone. */
const isNodeDeletionAllowed = async (
  { objects }: NodeDependencies,
  { machine, cluster }: MachineSnapshot,
): Promise<boolean> => {
  if (!machine.status?.nodeRef || !cluster || cluster.metadata.deletionTimestamp) return false;
  const { controlPlane } = await readControlPlane(objects, cluster);
  return controlPlane !== null && !controlPlane.metadata.deletionTimestamp;
};

/**
 * Deletes the node of a machine whose instance is gone. Gives up after `nodeDeletionTimeoutSeconds` (0: never) with a
 * warning: an API server that does not answer must not keep a machine for ever.
 */
export const deleteNode =
  (deps: NodeDependencies) =>
  async ({ machine: ref }: MachineInput) => {
    const { objects, clock } = deps;
    const snapshot = await readMachine(objects, ref);
    if (!snapshot || !(await isNodeDeletionAllowed(deps, snapshot))) return { deleted: false };
    const { machine } = snapshot;
    const deleting = { type: 'Deleting', status: 'True', reason: 'DeletingNode', message: '' } as const;
    await objects.mutate(kinds.machine, machineKey(ref), (current) =>
      withObservation(current, { deleting }, clock.now()),
    );
    const problem = await tryDelete(deps, snapshot);
    if (!problem) return { deleted: true };
    const timeout = machine.spec.deletion?.nodeDeletionTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
    if (timeout === 0 || !isOverdue(machine.metadata.deletionTimestamp, timeout, clock.now())) {
      throw new TransientError(problem);
    }
    const message = `Node ${machine.status?.nodeRef?.name} was not deleted within ${timeout} s: ${problem}`;
    await recordEvent(
      objects,
      { regarding: machine, type: 'Warning', reason: 'FailedDeleteNode', message, component: 'machine-node' },
      clock,
    );
    return { deleted: false };
  };

/** Undefined when the node is gone, else why it could not be deleted. */
const tryDelete = async (
  { objects, connect }: NodeDependencies,
  { machine }: MachineSnapshot,
): Promise<string | undefined> => {
  const kubeconfig = await readKubeconfig(objects, machine.metadata.namespace ?? '', machine.spec.clusterName);
  if (!kubeconfig) return 'the kubeconfig Secret does not exist';
  const client = connect(kubeconfig);
  try {
    await client.deleteNode(machine.status?.nodeRef?.name ?? '');
    return undefined;
  } catch (error) {
    if (error instanceof WorkloadUnreachableError) return error.message;
    throw error;
  } finally {
    await client.close();
  }
};
