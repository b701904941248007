import type { Cluster } from '../../../kinds/cluster/schema.ts';
import type { JsonObject } from '../../../kube-api/json.ts';
import type { UpgradePlan } from '../upgrade/plan.ts';
import type { UpgradeGates } from '../upgrade/versions.ts';
import type { HookSession } from './session.ts';

/** The prefix of upstream's annotations that delay an upgrade before it begins. */
const HOLDING = 'before-upgrade.hook.cluster.cluster.x-k8s.io';

const stepsOf = (versions: readonly string[]): JsonObject[] => versions.map((version) => ({ version }));

const plansOf = ({ controlPlane, workers }: UpgradePlan): JsonObject => ({
  ...(controlPlane.length > 0 ? { controlPlaneUpgrades: stepsOf(controlPlane) } : {}),
  ...(workers.length > 0 ? { workersUpgrades: stepsOf(workers) } : {}),
});

/** The text about an upgrade that annotations of users delay; undefined if the Cluster has no such annotation. */
export const heldBy = ({ metadata }: Cluster): string | undefined => {
  const found = Object.keys(metadata.annotations ?? {})
    .filter((key) => key.startsWith(HOLDING))
    .sort();
  if (found.length === 0) return undefined;
  return found.length === 1 ? `annotation ${found[0]} is set` : `annotations ${found.join(', ')} are set`;
};

/**
 * The hooks of an upgrade (exp/topology/desiredstate/lifecycle_hooks.go): each determines whether the next step may
 * start. An upgrade has begun as soon as AfterClusterUpgrade is pending.
 */
export const upgradeGates = (
  cluster: Cluster,
  session: HookSession,
  plan: UpgradePlan,
  desired: string,
): UpgradeGates => {
  const plans = plansOf(plan);
  const markStep = (version: string) =>
    session.markPendingAfterwards(
      'AfterControlPlaneUpgrade',
      ...(plan.workers[0] === version ? (['BeforeWorkersUpgrade', 'AfterWorkersUpgrade'] as const) : []),
    );
  return {
    upgrading: (version) => {
      if (session.isPending('AfterClusterUpgrade') && !session.isPending('AfterControlPlaneUpgrade')) markStep(version);
    },
    afterControlPlane: (version) =>
      session.passesOnce('AfterControlPlaneUpgrade', () => ({ kubernetesVersion: version, ...plans })) &&
      session.passesOnce('BeforeWorkersUpgrade', () => ({
        fromKubernetesVersion: plan.oldestWorkers ?? '',
        toKubernetesVersion: version,
        ...plans,
      })),
    afterWorkers: (version) =>
      session.passesOnce('AfterWorkersUpgrade', () => ({ kubernetesVersion: version, ...plans })),
    beforeUpgrade: (from, next) => {
      if (!session.isPending('AfterClusterUpgrade')) {
        const held = heldBy(cluster);
        if (held !== undefined) {
          session.blockedBy('BeforeClusterUpgrade', held);
          return false;
        }
        const versions = { fromKubernetesVersion: from, toKubernetesVersion: desired, ...plans };
        if (!session.passes('BeforeClusterUpgrade', versions)) return false;
        session.markPending('AfterClusterUpgrade');
      }
      const versions = { fromKubernetesVersion: from, toKubernetesVersion: next, ...plans };
      if (!session.passes('BeforeControlPlaneUpgrade', versions)) return false;
      markStep(next);
      return true;
    },
  };
};
