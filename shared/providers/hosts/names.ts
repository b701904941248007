/** The finalizers that keep the objects until their hosts are released. */
export const HOSTS_FINALIZER = {
  cluster: 'hostcluster.infrastructure.windlass.dev',
  machine: 'hostmachine.infrastructure.windlass.dev',
  /** On a Host while a machine has claimed it. */
  host: 'host.infrastructure.windlass.dev',
} as const;

/** The label of a Host with its failure domain. */
export const ZONE_LABEL = 'topology.kubernetes.io/zone';

const PREFIX = 'host://';

/**
 * Identifies one use of a host: the next machine on it has another id, so that it is not confused with the node of the
 * previous one.
 */
export const providerIdOf = (namespace: string, host: string, machineUid: string): string =>
  `${PREFIX}${namespace}/${host}/${machineUid}`;

/** The parts of one of our provider ids; undefined for any other. */
export const readProviderId = (id: string | undefined): { host: string; machineUid: string } | undefined => {
  const [, host, machineUid] = id?.startsWith(PREFIX) ? id.slice(PREFIX.length).split('/') : [];
  return host && machineUid ? { host, machineUid } : undefined;
};
