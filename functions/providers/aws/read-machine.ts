import type { AWSCluster, AWSMachine } from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { aws } from '../../../shared/providers/aws/infrastructure.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import { type MachineSnapshot, readMachine } from '../../machine/read-machine.ts';

/** A machine with the objects that the AWS steps need. */
export interface AwsMachineSnapshot extends Omit<MachineSnapshot, 'infrastructureMachine' | 'infrastructureCluster'> {
  awsMachine: AWSMachine | null;
  awsCluster: AWSCluster | null;
}

/** Null for objects that another provider serves. */
export const awsSnapshot = (snapshot: MachineSnapshot): AwsMachineSnapshot => {
  const { infrastructureMachine: machine, infrastructureCluster: cluster, ...rest } = snapshot;
  return {
    ...rest,
    awsMachine: machine?.provider === aws ? (machine.object as AWSMachine) : null,
    awsCluster: cluster?.provider === aws ? (cluster.object as AWSCluster) : null,
  };
};

/** A machine with all its objects, or undefined if the Machine no longer exists. */
export const readAwsMachine = async (
  objects: ObjectClient,
  ref: MachineRef,
): Promise<AwsMachineSnapshot | undefined> => {
  const snapshot = await readMachine(objects, ref);
  return snapshot && awsSnapshot(snapshot);
};
