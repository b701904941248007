import { REGISTRATION_PORT } from '../../bootstrap/rke2/paths.ts';
import type { Cluster, Machine, RKE2ControlPlane } from '../../kinds/index.ts';
import { isControlPlaneMachine } from '../../plan/labels.ts';
import { isTrue } from '../../plan/status/conditions.ts';

type AddressType = 'InternalIP' | 'ExternalIP';

/** The address types of a server that each method uses, best first. */
const BY_MACHINE: Readonly<Record<string, readonly AddressType[]>> = {
  'internal-first': ['InternalIP', 'ExternalIP'],
  'internal-only-ips': ['InternalIP'],
  'external-only-ips': ['ExternalIP'],
};

const addressOf = ({ status }: Machine, types: readonly AddressType[]): string | undefined =>
  types.flatMap((wanted) => (status?.addresses ?? []).filter(({ type }) => type === wanted))[0]?.address;

/** A server accepts machines once its node exists. */
const isServing = ({ metadata, status }: Machine): boolean =>
  isControlPlaneMachine({ metadata }) && !metadata.deletionTimestamp && status?.nodeRef !== undefined;

/**
 * The hosts at which further machines register, according to `spec.registrationMethod`; empty while unknown. Their
 * order changes only with the machines, because the data of pools and a status depend on it.
 */
export const registrationHosts = (
  { spec }: RKE2ControlPlane,
  cluster: Pick<Cluster, 'spec'>,
  machines: readonly Machine[],
): string[] => {
  const method = spec.registrationMethod || 'control-plane-endpoint';
  if (method === 'address') return spec.registrationAddress ? [spec.registrationAddress] : [];
  const types = BY_MACHINE[method];
  if (!types) return cluster.spec.controlPlaneEndpoint?.host ? [cluster.spec.controlPlaneEndpoint.host] : [];
  const found = machines.filter(isServing).map((machine) => addressOf(machine, types));
  return found.filter((address) => address !== undefined).sort();
};

const isReady = ({ status }: Machine): boolean => isTrue(status?.conditions, 'NodeReady');

/**
 * The host at which a machine registers. As in upstream, that is a server whose node is ready, if there is one: a
 * server that does not respond keeps its node until it is replaced. Otherwise it is the first host.
 */
export const registrationHost = (
  controlPlane: RKE2ControlPlane,
  cluster: Pick<Cluster, 'spec'>,
  machines: readonly Machine[],
): string | undefined =>
  [machines.filter(isReady), machines].flatMap((some) => registrationHosts(controlPlane, cluster, some))[0];

/** `https://host:9345`; an IPv6 address in brackets. */
export const registrationUrl = (host: string): string =>
  `https://${host.includes(':') ? `[${host}]` : host}:${REGISTRATION_PORT}`;
