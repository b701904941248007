import type { V1Node } from '@kubernetes/client-node';
import type { AWSMachine } from '../../../kinds/index.ts';
import { findNode } from '../../../plan/machines/node.ts';
import type { NodeAddress, NodePatch } from '../../../plan/machines/node-patch.ts';

/** The taint with which a kubelet with `cloud-provider: external` joins. Whoever initializes the node removes it. */
const CLOUD_TAINT = 'node.cloudprovider.kubernetes.io/uninitialized';

/** The annotation in which a kubelet with `--node-ip` records its preferred address. */
const PROVIDED_IP = 'alpha.kubernetes.io/provided-node-ip';

const listed = (text = ''): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const isTainted = ({ spec }: V1Node): boolean => spec?.taints?.some(({ key }) => key === CLOUD_TAINT) === true;

const addressesOf = ({ status }: AWSMachine, wanted: string): string[] =>
  (status?.addresses ?? []).flatMap(({ type, address }) => (type === wanted ? [address] : []));

const hostOf = (name: string): string => name.split('.')[0] ?? '';

/** The AWS provider's rule: the name of a node is a private DNS name of the instance, or its id. */
export const bearsNameOf =
  (infrastructure: AWSMachine) =>
  ({ metadata }: V1Node): boolean => {
    const name = metadata?.name ?? '';
    const { instanceID } = infrastructure.spec;
    return addressesOf(infrastructure, 'InternalDNS').includes(name) || (!!instanceID && hostOf(name) === instanceID);
  };

/** The addresses with which a kubelet was started, or that it reports itself. */
const ownAddressesOf = ({ metadata, status }: V1Node): string[] => [
  ...listed(metadata?.annotations?.[PROVIDED_IP]),
  ...(status?.addresses ?? []).flatMap(({ type, address }) => (type === 'InternalIP' ? [address] : [])),
];

/**
 * A node is named `ip-10-0-0-7` with another domain, or without one, if the DHCP options of the VPC specify that: EC2
 * then reports the name with its own domain, but the instance metadata have the other one. A machine in another network
 * may have the same host name, so no address of the node may be foreign.
 */
const bearsHostNameOf = (infrastructure: AWSMachine) => {
  const hosts = addressesOf(infrastructure, 'InternalDNS').map(hostOf);
  const known = new Set((infrastructure.status?.addresses ?? []).map(({ address }) => address));
  return (node: V1Node): boolean =>
    hosts.includes(hostOf(node.metadata?.name ?? '')) && ownAddressesOf(node).every((address) => known.has(address));
};

/**
 * The node of an instance, initialized or not: the one with its provider id, or else one without a provider id whose
 * name identifies this instance. If there is more than one, the result is unknown.
 */
export const findNodeOfInstance = (nodes: readonly V1Node[], infrastructure: AWSMachine): V1Node | undefined => {
  if (!infrastructure.spec.providerID) return undefined;
  const known = findNode(nodes, infrastructure.spec.providerID);
  if (known) return known;
  const unclaimed = nodes.filter((node) => !node.spec?.providerID);
  const exact = unclaimed.filter(bearsNameOf(infrastructure));
  const named = exact.length > 0 ? exact : unclaimed.filter(bearsHostNameOf(infrastructure));
  return named.length === 1 ? named[0] : undefined;
};

/** The node of an instance, while it waits to be initialized. */
export const findUninitialized = (nodes: readonly V1Node[], infrastructure: AWSMachine): V1Node | undefined => {
  const node = findNodeOfInstance(nodes, infrastructure);
  return node && isTainted(node) ? node : undefined;
};

/** us-east-1a and us-west-2-lax-1a are in us-east-1 and us-west-2. */
const regionOf = (zone: string): string => zone.match(/^[a-z]+(?:-[a-z]+)+-\d+/)?.[0] ?? zone;

/** The AWS provider's rules, in its order: a private DNS name is also a host name. */
const candidatesOf = (infrastructure: AWSMachine): NodeAddress[] => {
  const types = [
    ['InternalIP', 'InternalIP'],
    ['ExternalIP', 'ExternalIP'],
    ['InternalDNS', 'InternalDNS'],
    ['InternalDNS', 'Hostname'],
    ['ExternalDNS', 'ExternalDNS'],
  ] as const;
  return types.flatMap(([source, type]) => addressesOf(infrastructure, source).map((address) => ({ type, address })));
};

const firstOfEachType = (addresses: readonly NodeAddress[]): NodeAddress[] =>
  addresses.filter(({ type }, index) => addresses.findIndex((one) => one.type === type) === index);

/**
 * The primary address of each type, unless the kubelet was started with others, for example one for each IP family:
 * these are then the only addresses of their type. Undefined if the instance lacks one of them.
 */
const withProvided = (candidates: readonly NodeAddress[], provided: string | undefined): NodeAddress[] | undefined => {
  const primary = firstOfEachType(candidates);
  if (!provided) return primary;
  const wanted = listed(provided);
  if (!wanted.every((text) => candidates.some(({ address }) => address === text))) return undefined;
  const enforced = wanted.flatMap((text) => candidates.filter(({ address }) => address === text));
  const types = new Set(enforced.map(({ type }) => type));
  return [...enforced, ...primary.filter(({ type }) => !types.has(type))];
};

const labelsOf = (type: string, zone: string, region: string): Record<string, string> => ({
  'node.kubernetes.io/instance-type': type,
  'beta.kubernetes.io/instance-type': type,
  'topology.kubernetes.io/zone': zone,
  'failure-domain.beta.kubernetes.io/zone': zone,
  'topology.kubernetes.io/region': region,
  'failure-domain.beta.kubernetes.io/region': region,
});

/**
 * The addresses that a node controller sets on the node of this instance; undefined as long as EC2 has returned none. A
 * text says why the node can never be initialized.
 */
export const nodeAddressesOf = (node: V1Node, infrastructure: AWSMachine): NodeAddress[] | string | undefined => {
  const all = candidatesOf(infrastructure);
  if (all.length === 0) return undefined;
  const provided = node.metadata?.annotations?.[PROVIDED_IP];
  return withProvided(all, provided) ?? `the instance has no address ${provided}, with which its kubelet was started`;
};

/** What else a node controller changes on the node: it sets the provider id and labels, and removes the taint. */
export const initializationOf = (
  { metadata, spec }: V1Node,
  infrastructure: AWSMachine,
  region: string | undefined,
): NodePatch => {
  const { providerID = '', instanceType } = infrastructure.spec;
  const zone = providerID.split('/').at(-2) ?? '';
  return {
    // Taints can only be replaced as a complete list, so none must have been added by others in the meantime.
    resourceVersion: metadata?.resourceVersion,
    ...(spec?.providerID ? {} : { providerID }),
    labels: labelsOf(instanceType, zone, region ?? regionOf(zone)),
    taints: (spec?.taints ?? []).filter(({ key }) => key !== CLOUD_TAINT),
  };
};
