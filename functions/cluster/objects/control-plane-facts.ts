import { isDeepStrictEqual } from 'node:util';
import type { BootstrapConfig } from '../../../shared/distributions/objects.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import type { ControlPlaneFacts } from '../../../shared/plan/control-plane/plan.ts';
import { failureDomainsOf } from '../../../shared/plan/status/cluster.ts';
import { type ClusterSnapshot, controlPlaneMachines } from '../snapshot.ts';
import { makeWhyOutdated } from './up-to-date.ts';

const clusterConfigurationOf = (spec: object | undefined): unknown =>
  (spec as { clusterConfiguration?: unknown } | undefined)?.clusterConfiguration;

/**
 * What keeps a formed control plane as it is: machines that join read the version and the ClusterConfiguration from the
 * workload cluster, and nothing brings these up to date yet.
 */
const heldBy = (
  { controlPlane, distribution }: ClusterSnapshot,
  machines: readonly Machine[],
  configs: ReadonlyMap<string, BootstrapConfig>,
): string | undefined => {
  if (!controlPlane || !distribution) return undefined;
  const { version } = controlPlane.spec;
  const other = machines.find(({ spec }) => spec.version !== version);
  if (other)
    return `* Machine ${other.metadata.name} has version ${other.spec.version}; upgrades are not supported yet`;
  const wanted = clusterConfigurationOf(distribution.configSpecOf(controlPlane));
  const differs = machines.find(({ metadata }) => {
    const config = configs.get(metadata.name);
    return config && !isDeepStrictEqual(clusterConfigurationOf(config.spec), wanted);
  });
  if (!differs) return undefined;
  return `* Machine ${differs.metadata.name} has another clusterConfiguration; changes of it are not rolled out yet`;
};

/** What a change of a control plane's machines is planned from; undefined where the cluster has no control plane. */
export const controlPlaneFacts = (
  snapshot: ClusterSnapshot,
  configs: ReadonlyMap<string, BootstrapConfig>,
  now: Date,
): ControlPlaneFacts | undefined => {
  const { controlPlane, distribution, infrastructure } = snapshot;
  if (!controlPlane || !distribution) return undefined;
  const machines = controlPlaneMachines(snapshot);
  const { components, etcd } = distribution.healthConditions(controlPlane);
  const whyOutdated = makeWhyOutdated(snapshot, configs, now);
  const isOutdated = (machine: Machine) => (whyOutdated(machine) ?? []).length > 0;
  const held = heldBy(snapshot, machines, configs);
  const failureDomains = failureDomainsOf(infrastructure)
    .filter((domain) => domain.controlPlane)
    .map((domain) => domain.name);
  return {
    controlPlane,
    machines,
    outdated: new Set(machines.filter(isOutdated).map(({ metadata }) => metadata.name)),
    healthConditions: [...components, ...etcd],
    failureDomains,
    maxSurge: distribution.maxSurge?.(controlPlane) ?? 1,
    ...(held ? { held } : {}),
  };
};
