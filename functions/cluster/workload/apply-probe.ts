import type { ControlPlane } from '../../../shared/kinds/contract-objects.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { withCertificatesExpiry } from '../../../shared/plan/control-plane/certificates-expiry.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { withClaim } from '../../../shared/plan/status/claimed.ts';
import { type ConditionClaim, withConditions } from '../../../shared/plan/status/conditions.ts';
import { endInit } from '../../machine/objects/init-lock.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import { writtenFrom } from '../staged.ts';
import type { ProbeDependencies } from './dependencies.ts';
import type { ProbeOperation } from './probe-operations.ts';

/** Carries out the operations after a probe, concurrently. */
export const applyProbe = async (
  deps: ProbeDependencies,
  snapshot: ClusterSnapshot,
  operations: readonly ProbeOperation[],
): Promise<void> => {
  await Promise.all(operations.map((operation) => apply(deps, snapshot, operation)));
};

/** Carries out one operation. */
const apply = async (
  { objects, clock }: ProbeDependencies,
  snapshot: ClusterSnapshot,
  operation: ProbeOperation,
): Promise<unknown> => {
  const { cluster, controlPlane, distribution } = snapshot;
  switch (operation.do) {
    case 'report-connection':
      return objects.mutate(
        kinds.cluster,
        keyOf(cluster),
        (current) => withClaim(current, operation.claim, clock.now()),
        { from: cluster },
      );
    case 'report-initialized':
      if (!controlPlane || !distribution) return undefined;
      if (operation.isNews) await endInit(objects, cluster);
      return objects.mutate(
        distribution.controlPlane,
        keyOf(controlPlane),
        (current) => withInitialized(current, operation.claims, clock.now()),
        writtenFrom(controlPlane),
      );
    case 'report-machine':
      return objects.mutate(
        kinds.machine,
        keyOf(operation.machine),
        (current) => withObservation(current, operation.observation, clock.now()),
        { from: operation.machine },
      );
    case 'date-certificates':
      return dateCertificates(objects, snapshot, operation);
  }
};

const withInitialized = (current: ControlPlane, claims: readonly ConditionClaim[], now: Date): ControlPlane => ({
  ...current,
  status: {
    ...current.status,
    initialization: { controlPlaneInitialized: true },
    ...(claims.length > 0
      ? { conditions: withConditions(current.status?.conditions, claims, current.metadata.generation, now) }
      : {}),
  } as ControlPlane['status'],
});

const dateCertificates = async (
  objects: ObjectClient,
  { cluster, distribution }: ClusterSnapshot,
  { config: name, decidedAt, stored }: Extract<ProbeOperation, { do: 'date-certificates' }>,
): Promise<void> => {
  if (!distribution?.certificates) return;
  const { expiry } = distribution.certificates;
  await objects.mutate(distribution.config, { namespace: cluster.metadata.namespace ?? '', name }, (config) => {
    const end = expiry({ config, decidedAt, stored });
    return end && withCertificatesExpiry(config, end);
  });
};
