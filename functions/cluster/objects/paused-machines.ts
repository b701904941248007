import { distributionIn } from '../../../shared/distributions/registry.ts';
import type { BootstrapConfig } from '../../../shared/kinds/contract-objects.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import { type ConditionClaim, findCondition, withConditions } from '../../../shared/plan/status/conditions.ts';
import { pausedClaim } from '../../../shared/plan/status/paused.ts';
import { pausedParts } from '../paused-parts.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ObjectsDependencies } from './dependencies.ts';

/** Whether the cluster is paused, on the configurations of its machines that report it. */
export const reportPausedConfigs = async (
  { objects, clock }: Pick<ObjectsDependencies, 'objects' | 'clock'>,
  { cluster, machines }: ClusterSnapshot,
  configs: ReadonlyMap<string, BootstrapConfig>,
): Promise<void> => {
  const claim = pausedClaim(cluster);
  const report = async (machine: Machine): Promise<void> => {
    const config = configs.get(machine.metadata.name);
    const distribution = distributionIn(cluster, 'config', machine.spec.bootstrap.configRef);
    if (!config || !distribution || distribution.isOutside || !findCondition(config.status?.conditions, 'Paused'))
      return;
    const change = (current: BootstrapConfig): BootstrapConfig => {
      const { conditions } = current.status ?? {};
      const changed = withConditions(conditions, [claim], current.metadata.generation, clock.now());
      return { ...current, status: { ...current.status, conditions: changed } };
    };
    await objects.mutate(distribution.config, keyOf(config), change, { from: config });
  };
  await Promise.all(machines.map(report));
};

export const machinePausedClaim = (snapshot: ClusterSnapshot, machine: Machine): ConditionClaim =>
  pausedClaim(snapshot.cluster, ...pausedParts(machine, snapshot.infrastructureMachines.get(machine.metadata.name)));
