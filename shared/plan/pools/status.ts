import type { BootstrapConfig } from '../../kinds/contract-objects.ts';
import type { Cluster, Machine, MachinePool } from '../../kinds/index.ts';
import type { InfrastructurePool } from '../../kinds/infrastructure.ts';
import { withConditions } from '../status/conditions.ts';
import { countReplicas, countVersions } from '../status/counts.ts';
import { type LegacyClaim, withLegacyConditions } from '../status/legacy-conditions.ts';
import { pausedClaim } from '../status/paused.ts';
import { areReplicasManaged } from './digest.ts';

/** Earlier versions stored pools without reconciling them, and reported that in this condition. */
const RECONCILED = 'windlass.dev/Reconciled';

type Status = NonNullable<MachinePool['status']>;

/**
 * The facts from which the status of a MachinePool is derived. Null: the object to which the pool refers does not
 * exist.
 */
export interface PoolFacts {
  infrastructure: InfrastructurePool | null;
  config: BootstrapConfig | null;
  /** The Machines that the pool controls. */
  machines: readonly Machine[];
  cluster: Cluster;
}

const isDataCreated = ({ spec }: MachinePool, config: BootstrapConfig | null): boolean =>
  config?.status?.initialization?.dataSecretCreated === true ||
  (!spec.template.spec.bootstrap.configRef && spec.template.spec.bootstrap.dataSecretName !== undefined);

const nodeRefsOf = (machines: readonly Machine[]): NonNullable<Status['nodeRefs']> =>
  machines.flatMap(({ status }) =>
    status?.nodeRef?.name ? [{ apiVersion: 'v1', kind: 'Node', name: status.nodeRef.name }] : [],
  );

/**
 * The phase of a MachinePool. As in upstream, later rules take precedence (core/reconcilers/machinepool,
 * reconcilePhase).
 */
const phaseOf = (pool: MachinePool, next: Status, ready: number): Status['phase'] => {
  const { bootstrapDataSecretCreated, infrastructureProvisioned } = next.initialization ?? {};
  const wanted = pool.spec.replicas ?? 1;
  if (pool.metadata.deletionTimestamp) return 'Deleting';
  if (infrastructureProvisioned) {
    if (wanted === ready) return 'Running';
    if (areReplicasManaged(pool)) return 'Scaling';
    return wanted > ready ? 'ScalingUp' : 'ScalingDown';
  }
  if ((next.nodeRefs ?? []).length > 0) return 'Provisioned';
  return bootstrapDataSecretCreated ? 'Provisioning' : 'Pending';
};

interface Mirrored {
  status?: { conditions?: readonly Readonly<Record<'type' | 'status', string> & Partial<Record<string, unknown>>>[] };
}

/**
 * The condition `Ready` of an object to which the pool refers, in the form of v1beta1, which only the providers' kinds
 * still have.
 */
const mirrored = (
  type: string,
  object: Mirrored | null,
  { waiting, isReady, missing }: { waiting: string; isReady: boolean; missing: string },
): LegacyClaim => {
  if (!object) return { type, status: 'False', severity: 'Error', reason: 'IncorrectExternalRef', message: missing };
  if (isReady) return { type, status: 'True' };
  const found = object.status?.conditions?.find((condition) => condition.type === 'Ready') as LegacyClaim | undefined;
  const { severity = 'Info', message } = found ?? {};
  const reason = found?.severity ? found.reason : waiting;
  return { type, status: 'False', severity, reason, ...(message ? { message } : {}) };
};

const missingOf = ({ kind, name }: { kind?: string; name?: string }, what: string): string =>
  `could not find ${what} reference of kind ${kind} with name ${name}`;

const legacyClaims = (pool: MachinePool, facts: PoolFacts, next: Status): LegacyClaim[] => {
  const { bootstrap, infrastructureRef } = pool.spec.template.spec;
  const { initialization = {}, replicas = 0, nodeRefs = [] } = next;
  const allJoined = replicas === nodeRefs.length && replicas === (next.readyReplicas ?? 0);
  const infrastructureReady = initialization.infrastructureProvisioned === true;
  return [
    bootstrap.configRef
      ? mirrored('BootstrapReady', facts.config, {
          waiting: 'WaitingForDataSecret',
          isReady: initialization.bootstrapDataSecretCreated === true,
          missing: missingOf(bootstrap.configRef, 'bootstrap'),
        })
      : { type: 'BootstrapReady', status: 'True' },
    mirrored('InfrastructureReady', facts.infrastructure, {
      waiting: 'WaitingForInfrastructure',
      isReady: infrastructureReady,
      missing: missingOf(infrastructureRef, 'infra'),
    }),
    allJoined && infrastructureReady
      ? { type: 'ReplicasReady', status: 'True' }
      : { type: 'ReplicasReady', status: 'False', severity: 'Info', reason: 'WaitingForReplicasReady' },
  ];
};

const deprecatedOf = (pool: MachinePool, facts: PoolFacts, next: Status, now: Date): Status['deprecated'] => {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = next;
  const before = pool.status?.deprecated?.v1beta1;
  const holder = { ...pool, status: { conditions: before?.conditions ?? [] } };
  const { status } = withLegacyConditions(holder as never, legacyClaims(pool, facts, next), now) as {
    status: { conditions: [] };
  };
  return {
    v1beta1: {
      ...before,
      conditions: status.conditions,
      readyReplicas,
      availableReplicas,
      unavailableReplicas: replicas - availableReplicas,
    },
  } as Status['deprecated'];
};

/** The status of a MachinePool from its Machines and the objects to which it refers. */
export const machinePoolStatus = (pool: MachinePool, facts: PoolFacts, now: Date): Status => {
  const { infrastructure, config, machines, cluster } = facts;
  const paused = pausedClaim(cluster, pool, ...(infrastructure ? [infrastructure] : []));
  const { versions: _versions, nodeRefs: _nodeRefs, ...rest } = pool.status ?? {};
  const nodeRefs = nodeRefsOf(machines);
  const before = pool.status?.initialization;
  const next = {
    ...rest,
    ...countReplicas(machines),
    ...countVersions(machines),
    replicas: infrastructure?.status?.replicas ?? 0,
    ...(nodeRefs.length > 0 ? { nodeRefs } : {}),
    initialization: {
      bootstrapDataSecretCreated: isDataCreated(pool, config) || before?.bootstrapDataSecretCreated === true,
      infrastructureProvisioned: infrastructure?.status?.ready === true,
    },
  } as Status;
  const others = (pool.status?.conditions ?? []).filter(({ type }) => type !== RECONCILED);
  return {
    ...next,
    phase: phaseOf(pool, next, next.readyReplicas ?? 0),
    conditions: withConditions(others, [paused], pool.metadata.generation, now),
    observedGeneration: pool.metadata.generation,
    deprecated: deprecatedOf(pool, facts, next, now),
  } as Status;
};
