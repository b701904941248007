import { distributionIn } from '../../../../shared/distributions/registry.ts';
import type { BootstrapConfig } from '../../../../shared/kinds/contract-objects.ts';
import type { Machine } from '../../../../shared/kinds/index.ts';
import { type KubeObject, keyOf } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { type ConditionClaim, findCondition, withConditions } from '../../../../shared/plan/status/conditions.ts';
import { pausedClaim } from '../../../../shared/plan/status/paused.ts';
import type { Infrastructure } from '../../../../shared/providers/infrastructure.ts';
import type { Apart } from '../../apart.ts';
import { pausedParts } from '../../paused-parts.ts';
import type { ClusterSnapshot } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

type Dependencies = Pick<ObjectsDependencies, 'objects' | 'clock'> & { apart: Apart };

/** Reports on the configurations of a cluster's machines whether the cluster is paused. */
export const reportPausedConfigs = async (
  { objects, clock, apart }: Dependencies,
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
  await apart.each(machines, report);
};

/** Reports the same on the infrastructure of the cluster and its machines, if their provider supports it. */
export const reportPausedInfrastructure = async (
  { objects, clock, apart }: Dependencies,
  { cluster, provider, infrastructureCluster, infrastructureMachines }: ClusterSnapshot,
): Promise<void> => {
  const now = clock.now();
  const write = <T extends KubeObject>(by: Infrastructure, kind: ResourceDefinition<T>, object: T) =>
    apart.attempt(async () => {
      const change = (current: T) => by.withPaused?.(current, pausedClaim(cluster, current), now);
      if (change(object)) await objects.mutate(kind, keyOf(object), change, { from: object });
    }, undefined);
  await Promise.all([
    ...(provider && infrastructureCluster ? [write(provider, provider.cluster, infrastructureCluster)] : []),
    ...[...infrastructureMachines.values()].map((one) => write(one.provider, one.provider.machine, one.object)),
  ]);
};

export const machinePausedClaim = (snapshot: ClusterSnapshot, machine: Machine): ConditionClaim =>
  pausedClaim(snapshot.cluster, ...pausedParts(machine, snapshot.infrastructureMachines.get(machine.metadata.name)));
