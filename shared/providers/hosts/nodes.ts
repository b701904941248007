import type { V1Node } from '@kubernetes/client-node';
import type { HostMachine } from '../../kinds/index.ts';
import { findNode } from '../../plan/machines/node.ts';
import type { NodeAddress, NodePatch } from '../../plan/machines/node-patch.ts';
import { ZONE_LABEL } from './names.ts';

/** The taint with which a kubelet with `cloud-provider: external` joins. Whoever initializes the node removes it. */
const CLOUD_TAINT = 'node.cloudprovider.kubernetes.io/uninitialized';

const addressOf = ({ status }: HostMachine, wanted: string): string | undefined =>
  status?.addresses?.find(({ type }) => type === wanted)?.address;

/**
 * The node on a host, initialized or not: the one with its provider id, or else one without a provider id that has the
 * host's name, in kubelet's form.
 */
export const findNodeOfHost = (nodes: readonly V1Node[], machine: HostMachine): V1Node | undefined => {
  if (!machine.spec.providerID) return undefined;
  const known = findNode(nodes, machine.spec.providerID);
  const name = addressOf(machine, 'Hostname')?.toLowerCase();
  return (
    known ?? nodes.find(({ spec, metadata }) => !spec?.providerID && name !== undefined && metadata?.name === name)
  );
};

/** The node of a host, while it has no provider id or waits for a cloud controller. */
export const findUninitialized = (nodes: readonly V1Node[], machine: HostMachine): V1Node | undefined => {
  const node = findNodeOfHost(nodes, machine);
  const isTainted = node?.spec?.taints?.some(({ key }) => key === CLOUD_TAINT);
  return node && (isTainted || !node.spec?.providerID) ? node : undefined;
};

export const nodeAddressesOf = ({ status }: HostMachine): NodeAddress[] | undefined =>
  status?.addresses && status.addresses.length > 0 ? [...status.addresses] : undefined;

/**
 * The changes of a node that no cloud controller initializes: sets the provider id and the zone, and removes the taint.
 */
export const initializationOf = (
  { metadata, spec }: V1Node,
  { spec: { providerID }, status }: HostMachine,
): NodePatch => ({
  // Taints can only be replaced as a complete list, so none must have been added by others in the meantime.
  resourceVersion: metadata?.resourceVersion,
  ...(spec?.providerID ? {} : { providerID }),
  ...(status?.host?.zone ? { labels: { [ZONE_LABEL]: status.host.zone } } : {}),
  taints: (spec?.taints ?? []).filter(({ key }) => key !== CLOUD_TAINT),
});
