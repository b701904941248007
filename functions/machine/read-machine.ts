import type { Distribution } from '../../shared/distributions/distribution.ts';
import { distributionOf } from '../../shared/distributions/registry.ts';
import type { BootstrapConfig } from '../../shared/kinds/contract-objects.ts';
import { type AWSCluster, type AWSMachine, type Cluster, kinds, type Machine } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/client.ts';
import { infrastructureName } from '../../shared/providers/registry.ts';
import type { MachineRef } from '../../shared/work/payloads.ts';

/** A machine with the objects that its steps need, read at the start of each step. */
export interface MachineSnapshot {
  machine: Machine;
  /** Null: there is none of the name that the machine refers to. */
  config: BootstrapConfig | null;
  /** Of the machine's bootstrap configuration; undefined where it has none, or one of a kind that is not built here. */
  distribution: Distribution | undefined;
  infrastructure: AWSMachine | null;
  cluster: Cluster | null;
  awsCluster: AWSCluster | null;
}

/** The Machine object, if it is still the one that is meant. */
export const readMachineObject = async (objects: ObjectClient, ref: MachineRef): Promise<Machine | undefined> => {
  const machine = await objects.get(kinds.machine, ref);
  return machine?.metadata.uid === ref.uid ? machine : undefined;
};

/** Everything of a machine, or undefined when the Machine is gone. Two calls: what is asked for at once is read at once. */
export const readMachine = async (objects: ObjectClient, ref: MachineRef): Promise<MachineSnapshot | undefined> => {
  const { namespace } = ref;
  const [machine, named] = await Promise.all([
    readMachineObject(objects, ref),
    objects.get(kinds.cluster, { namespace, name: ref.clusterName }),
  ]);
  if (!machine) return undefined;
  const cluster = named?.metadata.uid === ref.clusterUid ? named : undefined;
  const { configRef } = machine.spec.bootstrap;
  const distribution = distributionOf('config', configRef);
  const infrastructureOfMachine = infrastructureName('machine', machine.spec.infrastructureRef);
  const awsName = infrastructureName('cluster', cluster?.spec.infrastructureRef);
  const [config, infrastructure, awsCluster] = await Promise.all([
    configRef && distribution ? objects.get(distribution.config, { namespace, name: configRef.name }) : undefined,
    infrastructureOfMachine ? objects.get(kinds.awsMachine, { namespace, name: infrastructureOfMachine }) : undefined,
    awsName ? objects.get(kinds.awsCluster, { namespace, name: awsName }) : undefined,
  ]);
  return {
    machine,
    config: config ?? null,
    distribution,
    infrastructure: infrastructure ?? null,
    cluster: cluster ?? null,
    awsCluster: awsCluster ?? null,
  };
};

/** The object key of a machine's reference. */
export const machineKey = ({ namespace, name }: MachineRef) => ({ namespace, name });

/** The cluster of a machine's reference. */
export const clusterOf = ({ namespace, clusterName, clusterUid }: MachineRef) => ({
  namespace,
  name: clusterName,
  uid: clusterUid,
});
