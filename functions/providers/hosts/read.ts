import { type HostCluster, type HostMachine, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { hosts } from '../../../shared/providers/hosts/infrastructure.ts';
import { readProviderId } from '../../../shared/providers/hosts/names.ts';
import type { ConvergeInput, MachineRef } from '../../../shared/work/payloads.ts';
import { unlessOthers } from '../../cluster/owners.ts';
import { readClusterObject } from '../../cluster/snapshot.ts';
import { type MachineSnapshot, readMachine } from '../../machine/read-machine.ts';

export const keyOf = ({ metadata }: KubeObject) => ({ namespace: metadata.namespace ?? '', name: metadata.name });

/** A machine with the objects that the steps of this provider need. */
export interface HostSnapshot extends MachineSnapshot {
  /** Null if it does not exist, or another provider serves it. */
  hostMachine: HostMachine | null;
}

/** A machine with all its objects, or undefined if the Machine no longer exists. */
export const readHostMachine = async (objects: ObjectClient, ref: MachineRef): Promise<HostSnapshot | undefined> => {
  const snapshot = await readMachine(objects, ref);
  const { provider, object } = snapshot?.infrastructureMachine ?? {};
  return snapshot && { ...snapshot, hostMachine: provider === hosts ? (object as HostMachine) : null };
};

/**
 * The Host that a machine has chosen, if it is still the same object; for a moved machine, the Host on which it runs.
 */
export const readHost = async (objects: ObjectClient, { metadata, spec, status }: HostMachine) => {
  const name = status?.host?.name ?? readProviderId(spec.providerID)?.host;
  const found = name ? await objects.get(kinds.host, { namespace: metadata.namespace ?? '', name }) : undefined;
  return status?.host && found?.metadata.uid !== status.host.uid ? undefined : found;
};

/**
 * The HostCluster of a pass; undefined if the Cluster has no infrastructure or another one, or if another Cluster owns
 * it.
 */
export const readHostCluster = async (
  objects: ObjectClient,
  { cluster: ref }: ConvergeInput,
): Promise<HostCluster | undefined> => {
  const { kind, group } = kinds.hostCluster;
  const cluster = await readClusterObject(objects, ref);
  const reference = cluster?.spec.infrastructureRef;
  if (!cluster || reference?.kind !== kind || reference.apiGroup !== group) return undefined;
  return unlessOthers(
    await objects.get(kinds.hostCluster, { namespace: ref.namespace, name: reference.name }),
    cluster,
  );
};
