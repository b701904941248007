/** Environment variables of the functions, read once at cold start by an entry point and passed on as plain values. */

/** Names of all environment variables that the stack sets and the functions read. */
export const ENV = {
  table: 'WINDLASS_TABLE',
  sealKey: 'WINDLASS_SEAL_KEY_ARN',
  convergeCluster: 'WINDLASS_CONVERGE_CLUSTER_ARN',
  provisionMachine: 'WINDLASS_PROVISION_MACHINE_ARN',
  removeMachine: 'WINDLASS_REMOVE_MACHINE_ARN',
  convergePool: 'WINDLASS_CONVERGE_POOL_ARN',
  /** Comma-separated patterns of IAM principal ARNs that are cluster admins; `*` matches any characters. */
  adminPrincipals: 'WINDLASS_ADMIN_PRINCIPALS',
  /** The same for those who have `edit`, and those who have `view`, in all namespaces. */
  editorPrincipals: 'WINDLASS_EDITOR_PRINCIPALS',
  viewerPrincipals: 'WINDLASS_VIEWER_PRINCIPALS',
  /** Comma-separated ids of the AWS accounts whose principals may be given rights. */
  trustedAccounts: 'WINDLASS_TRUSTED_ACCOUNTS',
  /**
   * Comma-separated expressions for the labels and annotations that are copied from machines to nodes, in addition to
   * the built-in ones.
   */
  syncMachineLabels: 'WINDLASS_SYNC_MACHINE_LABELS',
  syncMachineAnnotations: 'WINDLASS_SYNC_MACHINE_ANNOTATIONS',
  /** Comma-separated names of the instance profiles that machines may have. */
  instanceProfiles: 'WINDLASS_INSTANCE_PROFILES',
  /** The AWS account of the stack, twelve digits. */
  accountId: 'WINDLASS_ACCOUNT_ID',
  /** The share of AWS's rate limits, in percent, that the functions use once AWS has refused calls. */
  awsRateShare: 'WINDLASS_AWS_RATE_SHARE',
  /** A fault of more than this share of the fleet, in percent, replaces nothing. */
  fleetBrake: 'WINDLASS_FLEET_BRAKE',
  /** The value of the signed header x-k8s-aws-id that binds a token to this installation. */
  clusterId: 'WINDLASS_CLUSTER_ID',
  /**
   * The number of watches that one principal may have open concurrently, and the number for all callers of one
   * function.
   */
  watchesPerPrincipal: 'WINDLASS_WATCHES_PER_PRINCIPAL',
  watches: 'WINDLASS_WATCHES',
  /** `true`: clients that follow redirects are sent to the function `watch` with their watches. */
  redirectWatches: 'WINDLASS_REDIRECT_WATCHES',
  /** Comma-separated counts that limit each new namespace: `count/<resource>.<group>=<number>`. */
  namespaceQuota: 'WINDLASS_NAMESPACE_QUOTA',
  /** `true`: the workflows serve clusters on hosts as well. */
  hosts: 'WINDLASS_HOSTS',
  /** Minutes between two sweeps. */
  sweepMinutes: 'WINDLASS_SWEEP_MINUTES',
  /** The number of parts in which the fleet is swept. */
  sweepShards: 'WINDLASS_SWEEP_SHARDS',
  /** The ARN of the table, if it is exported regularly. */
  exportedTable: 'WINDLASS_EXPORTED_TABLE_ARN',
  /** The address of the API on the internet, with a slash at its end. */
  apiUrl: 'WINDLASS_API_URL',
  /** `true` if the functions that connect to clusters are in a VPC. */
  functionsInVpc: 'WINDLASS_FUNCTIONS_IN_VPC',
} as const;

export type ConfigKey = keyof typeof ENV;

/**
 * Set on a laptop, where the clusters listen on loopback addresses. The template never sets it, so deployed functions
 * never connect to such an address, whatever a tenant writes.
 */
export const CLUSTERS_ON_LOOPBACK = 'WINDLASS_CLUSTERS_ON_LOOPBACK';

/** Where the clusters may be to which the functions connect. */
export const readReach = (environment: Readonly<Record<string, string | undefined>>): { loopback: boolean } => ({
  loopback: environment[CLUSTERS_ON_LOOPBACK] === 'true',
});

/**
 * The values of `keys`, frozen. Throws an Error that names the first variable that is missing or empty, so that a
 * function that was deployed wrongly says so at its first start.
 */
export const readConfig = <K extends ConfigKey>(
  environment: Readonly<Record<string, string | undefined>>,
  keys: readonly K[],
): Readonly<Record<K, string>> => {
  const entries = keys.map((key) => {
    const value = environment[ENV[key]]?.trim();
    if (!value) throw new Error(`environment variable ${ENV[key]} is not set`);
    return [key, value] as const;
  });
  return Object.freeze(Object.fromEntries(entries)) as Readonly<Record<K, string>>;
};
