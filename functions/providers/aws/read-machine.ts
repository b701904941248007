import type { AWSCluster, AWSMachine } from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { aws } from '../../../shared/providers/aws/infrastructure.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import { type MachineSnapshot, readMachine } from '../../machine/read-machine.ts';
import { findAwsCluster, servedByAws } from './owned-cluster.ts';

/** A machine with the objects that the AWS steps need. */
export interface AwsMachineSnapshot extends Omit<MachineSnapshot, 'infrastructureMachine' | 'infrastructureCluster'> {
  awsMachine: AWSMachine | null;
  /** For a machine in deletion, one that the Cluster owns if it refers to infrastructure of another provider. */
  awsCluster: AWSCluster | null;
}

/** Null for objects that another provider serves, without a look at what else the Cluster owns. */
export const awsSnapshot = (snapshot: MachineSnapshot): AwsMachineSnapshot => {
  const { infrastructureMachine: machine, infrastructureCluster: cluster, ...rest } = snapshot;
  return {
    ...rest,
    awsMachine: machine?.provider === aws ? (machine.object as AWSMachine) : null,
    awsCluster: servedByAws(cluster),
  };
};

/**
 * A machine with all its objects, or undefined if the Machine no longer exists. Costs one more query if the machine is
 * being deleted and another provider serves its cluster.
 */
export const readAwsMachine = async (
  objects: ObjectClient,
  ref: MachineRef,
): Promise<AwsMachineSnapshot | undefined> => {
  const snapshot = await readMachine(objects, ref);
  if (!snapshot) return undefined;
  const found = awsSnapshot(snapshot);
  return snapshot.machine.metadata.deletionTimestamp
    ? { ...found, awsCluster: await findAwsCluster(objects, snapshot) }
    : found;
};
