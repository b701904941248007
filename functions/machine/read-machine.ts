import type { Distribution } from '../../shared/distributions/distribution.ts';
import { distributionIn } from '../../shared/distributions/registry.ts';
import type { BootstrapConfig } from '../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Machine } from '../../shared/kinds/index.ts';
import type { Reference } from '../../shared/kinds/reference.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { LABEL } from '../../shared/plan/labels.ts';
import type { Infrastructure } from '../../shared/providers/infrastructure.ts';
import { INFRASTRUCTURES, infrastructureOf, type ProvidedMachine, provided } from '../../shared/providers/registry.ts';
import type { MachineRef } from '../../shared/work/payloads.ts';
import { isHeldOutside } from '../cluster/held-outside.ts';
import { findOwnedInfrastructure, type ProvidedCluster } from '../cluster/owned-infrastructure.ts';
import { isControlledBy, isOfAnotherMachine, unlessOthers } from '../cluster/owners.ts';

/**
 * A machine with the objects that its steps need, read at the start of each step. An object that another Machine
 * controls counts as missing: this machine must not use, report or delete it, even if its references name it.
 */
export interface MachineSnapshot {
  machine: Machine;
  /** Null if the object to which the machine refers does not exist. */
  config: BootstrapConfig | null;
  /** The distribution of the machine's bootstrap configuration; undefined if it has none. */
  distribution: Distribution | undefined;
  /**
   * Null if no provider serves it, or if the object to which the machine refers does not exist. For a machine in
   * deletion, it is then one that the machine controls, because that may still have an instance.
   */
  infrastructureMachine: ProvidedMachine | null;
  cluster: Cluster | null;
  /**
   * Null if the Cluster refers to none that exists. For a machine in deletion, it is then one that the Cluster owns.
   */
  infrastructureCluster: ProvidedCluster | null;
  /** The objects to which the machine refers but that another Machine controls; undefined if there are none. */
  taken?: readonly TakenObject[];
}

export interface TakenObject {
  /** The field with the reference. */
  field: 'spec.infrastructureRef' | 'spec.bootstrap.configRef';
  object: KubeObject;
}

const takenOf = (
  machine: Machine,
  infrastructure: KubeObject | undefined,
  config: KubeObject | undefined,
): TakenObject[] => {
  const named: { field: TakenObject['field']; object: KubeObject | undefined }[] = [
    { field: 'spec.infrastructureRef', object: infrastructure },
    { field: 'spec.bootstrap.configRef', object: config },
  ];
  return named.flatMap(({ field, object }) =>
    object && isOfAnotherMachine(object, machine) ? [{ field, object }] : [],
  );
};

/** The Machine, if it is still the same object. */
export const readMachineObject = async (objects: ObjectClient, ref: MachineRef): Promise<Machine | undefined> => {
  const machine = await objects.get(kinds.machine, ref);
  return machine?.metadata.uid === ref.uid ? machine : undefined;
};

/** Whether the machine belongs to a control plane. */
export const isControlPlaneMachine = ({ metadata }: Machine): boolean => LABEL.controlPlane in (metadata.labels ?? {});

const readInfrastructureMachine = async (
  objects: ObjectClient,
  namespace: string,
  reference: Reference,
): Promise<ProvidedMachine | null> => {
  const provider = infrastructureOf('machine', reference);
  const object = provider && (await objects.get(provider.machine, { namespace, name: reference.name ?? '' }));
  return object ? provided(provider, object) : null;
};

/** Whether the object must not be forgotten: as long as it has its finalizer, an instance may exist for it. */
const isHeld = (machine: Machine, infrastructure: ProvidedMachine): boolean => {
  const { provider, object } = infrastructure;
  const { machine: finalizer } = provider.finalizers;
  if (finalizer === undefined) return isHeldOutside(machine, infrastructure);
  return object.metadata.finalizers?.includes(finalizer) === true;
};

/**
 * The infrastructure of these providers that a machine controls and that must still be removed, whatever the machine
 * refers to; null if there is none. Costs one query for each provider. A user may have changed
 * `spec.infrastructureRef`. In upstream, the garbage collector deletes such an object, and its own controller terminates
 * the instance.
 */
export const findHeld = async (
  objects: ObjectClient,
  machine: Machine,
  providers: readonly Infrastructure[] = INFRASTRUCTURES,
): Promise<ProvidedMachine | null> => {
  const { namespace = '' } = machine.metadata;
  for (const provider of providers) {
    const all = await objects.listOfCluster(provider.machine, namespace, machine.spec.clusterName);
    const found = all.filter((one) => isControlledBy(one, machine)).map((one) => provided(provider, one));
    const held = found.find((one) => isHeld(machine, one));
    if (held) return held;
  }
  return null;
};

/** What the steps of a machine work on, given what it refers to. */
const infrastructureOfMachine = async (
  objects: ObjectClient,
  machine: Machine,
  referred: ProvidedMachine | null,
): Promise<ProvidedMachine | null> => {
  if (!machine.metadata.deletionTimestamp || (referred && isHeld(machine, referred))) return referred;
  return (await findHeld(objects, machine)) ?? referred;
};

const readInfrastructureCluster = async (
  objects: ObjectClient,
  cluster: Cluster,
  { metadata: { deletionTimestamp } }: Machine,
): Promise<ProvidedCluster | null> => {
  const { infrastructureRef: reference } = cluster.spec;
  const provider = infrastructureOf('cluster', reference);
  const key = { namespace: cluster.metadata.namespace ?? '', name: reference?.name ?? '' };
  const object = provider && unlessOthers(await objects.get(provider.cluster, key), cluster);
  if (object) return { provider, object };
  return deletionTimestamp ? findOwnedInfrastructure(objects, cluster) : null;
};

/**
 * A machine with all its objects, or undefined if the Machine is gone. Costs two calls, because concurrent reads are
 * batched; and one more for each provider if the machine is being deleted and nothing holds its infrastructure.
 */
export const readMachine = async (objects: ObjectClient, ref: MachineRef): Promise<MachineSnapshot | undefined> => {
  const { namespace } = ref;
  const [machine, named] = await Promise.all([
    readMachineObject(objects, ref),
    objects.get(kinds.cluster, { namespace, name: ref.clusterName }),
  ]);
  if (!machine) return undefined;
  const cluster = named?.metadata.uid === ref.clusterUid ? named : undefined;
  const { configRef } = machine.spec.bootstrap;
  const distribution = distributionIn(cluster, 'config', configRef);
  const [config, referred, infrastructureCluster] = await Promise.all([
    configRef && distribution ? objects.get(distribution.config, { namespace, name: configRef.name }) : undefined,
    readInfrastructureMachine(objects, namespace, machine.spec.infrastructureRef),
    cluster ? readInfrastructureCluster(objects, cluster, machine) : null,
  ]);
  const taken = takenOf(machine, referred?.object, config);
  const isTaken = (field: TakenObject['field']): boolean => taken.some((one) => one.field === field);
  const own = isTaken('spec.infrastructureRef') ? null : referred;
  return {
    machine,
    config: isTaken('spec.bootstrap.configRef') ? null : (config ?? null),
    distribution,
    infrastructureMachine: await infrastructureOfMachine(objects, machine, own),
    taken,
    cluster: cluster ?? null,
    infrastructureCluster,
  };
};

/** The object key for a reference to a machine. */
export const machineKey = ({ namespace, name }: MachineRef) => ({ namespace, name });

/** The cluster in a reference to a machine. */
export const clusterOf = ({ namespace, clusterName, clusterUid }: MachineRef) => ({
  namespace,
  name: clusterName,
  uid: clusterUid,
});
