import { createHash } from 'node:crypto';
import type { BootstrapConfig } from '../../kinds/contract-objects.ts';
import type { MachinePool } from '../../kinds/index.ts';
import type { InfrastructureCluster, InfrastructurePool } from '../../kinds/infrastructure.ts';

/** The entry of an infrastructure pool's record with the digest of the desired state that was last reached. */
const RECONCILED = 'windlass.dev/reconciled';

/**
 * The annotation of Cluster API with which another program, such as an autoscaler, decides how many instances a pool
 * has.
 */
const REPLICAS_MANAGED_BY = 'cluster.x-k8s.io/replicas-managed-by';

/** Whether the group determines the number of its instances (upstream: ReplicasManagedByExternalAutoscaler). */
export const areReplicasManaged = ({ metadata }: MachinePool): boolean =>
  REPLICAS_MANAGED_BY in (metadata.annotations ?? {}) && metadata.annotations?.[REPLICAS_MANAGED_BY] !== 'false';

/** Everything that determines a pool's group. */
export interface PoolWishes {
  pool: MachinePool;
  /** PoolProvider.wishes of the infrastructure pool. */
  infrastructure: unknown;
  config: BootstrapConfig | null;
  cluster: InfrastructureCluster;
  /** The facts about their cluster that new instances need; empty if these never change. */
  joining?: object;
  /** The subject of the bootstrap token with which new instances start; absent if they need none. */
  token?: string;
}

const inOrder = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value;

/** The spec without the fields that controllers write when they implement it. */
const wishesOf = (pool: MachinePool): object => {
  const { providerIDList: _, replicas, template, ...spec } = pool.spec;
  const { dataSecretName, ...bootstrap } = template.spec.bootstrap;
  const data = bootstrap.configRef ? {} : { dataSecretName };
  const count = areReplicasManaged(pool) ? {} : { replicas };
  return {
    ...spec,
    ...count,
    template: { ...template, spec: { ...template.spec, bootstrap: { ...bootstrap, ...data } } },
  };
};

/** A short hash of a pool's desired state: equal states have equal hashes. */
export const poolDigest = ({ pool, infrastructure, config, cluster, token, joining = {} }: PoolWishes): string => {
  const wishes = [
    wishesOf(pool),
    areReplicasManaged(pool),
    infrastructure,
    config?.spec ?? null,
    [cluster.metadata.uid, cluster.spec],
    token ?? null,
    ...(Object.keys(joining).length > 0 ? [joining] : []),
  ];
  return createHash('sha256').update(JSON.stringify(wishes, inOrder)).digest('hex').slice(0, 16);
};

/** Recorded instead of a digest, which has 16 characters: the group of the pool has been deleted. */
const REMOVED = 'removed';

/** The group has changed since its last check began. */
const CHANGED = 'changed';

const recordOf = ({ metadata }: InfrastructurePool): string | undefined => metadata.annotations?.[RECONCILED];

/** The desired state of an infrastructure pool that was last reached, if its group has not changed since then. */
export const reconciledDigest = (pool: InfrastructurePool): string | undefined =>
  recordOf(pool) === CHANGED ? undefined : recordOf(pool);

/** Whether the group of a pool that is being deleted is known to be gone. */
export const isGroupRemoved = (pool: InfrastructurePool): boolean => reconciledDigest(pool) === REMOVED;

const withRecord = (pool: InfrastructurePool, record: string): InfrastructurePool | undefined =>
  recordOf(pool) === record
    ? undefined
    : {
        ...pool,
        metadata: { ...pool.metadata, annotations: { ...pool.metadata.annotations, [RECONCILED]: record } },
      };

/** The infrastructure pool with a record that its group has been deleted; undefined if it has one. */
export const withGroupRemoved = (pool: InfrastructurePool): InfrastructurePool | undefined => withRecord(pool, REMOVED);

/**
 * The infrastructure pool with `digest` recorded as reached; undefined if it already is. It is also undefined if the
 * group has changed since the check began: what the check has read may be older than the change, which needs another
 * execution.
 */
export const withReconciled = (pool: InfrastructurePool, digest: string): InfrastructurePool | undefined =>
  recordOf(pool) === CHANGED ? undefined : withRecord(pool, digest);

/** The infrastructure pool with a record that its group has changed; undefined if it has one. */
export const withGroupChanged = (pool: InfrastructurePool): InfrastructurePool | undefined => withRecord(pool, CHANGED);

/** The infrastructure pool at the beginning of a check, which will see all changes until then; undefined if there were none. */
export const withoutGroupChange = (pool: InfrastructurePool): InfrastructurePool | undefined => {
  if (recordOf(pool) !== CHANGED) return undefined;
  const { [RECONCILED]: _, ...annotations } = pool.metadata.annotations ?? {};
  return { ...pool, metadata: { ...pool.metadata, annotations } };
};
