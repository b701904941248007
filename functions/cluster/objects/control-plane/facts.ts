import type { BootstrapConfig } from '../../../../shared/kinds/contract-objects.ts';
import type { Machine } from '../../../../shared/kinds/index.ts';
import { type ControlPlaneFacts, wantedMachines } from '../../../../shared/plan/control-plane/plan.ts';
import { currentRemediation } from '../../../../shared/plan/control-plane/remediation.ts';
import { waitsForJoinConfiguration } from '../../../../shared/plan/control-plane/upgrade-tasks.ts';
import { firstFreePlace } from '../../../../shared/plan/memory/used-places.ts';
import { failureDomainsOf } from '../../../../shared/plan/status/cluster.ts';
import { type ClusterSnapshot, controlPlaneMachines } from '../../snapshot.ts';
import { mixedManagement } from './adopt.ts';
import { makeWhyOutdated } from './up-to-date.ts';

/**
 * The data from which a change of a control plane's machines is planned; undefined if the cluster has no control plane.
 */
export const controlPlaneFacts = (
  snapshot: ClusterSnapshot,
  configs: ReadonlyMap<string, BootstrapConfig>,
  now: Date,
): ControlPlaneFacts | undefined => {
  const { cluster, controlPlane, distribution, infrastructureCluster } = snapshot;
  if (!controlPlane || !distribution) return undefined;
  const machines = controlPlaneMachines(snapshot);
  const { components, etcd } = distribution.healthConditions(controlPlane);
  const whyOutdated = makeWhyOutdated(snapshot, configs, now);
  const isOutdated = (machine: Machine) => (whyOutdated(machine) ?? []).length > 0;
  const outdated = new Set(machines.filter(isOutdated).map(({ metadata }) => metadata.name));
  const maxSurge = distribution.maxSurge?.(controlPlane) ?? 1;
  const wanted = wantedMachines(controlPlane, outdated.size > 0, maxSurge);
  const waits = distribution.upgradeTasks && waitsForJoinConfiguration(controlPlane);
  const naming = distribution.naming?.(controlPlane, cluster.metadata.name);
  const mixed = mixedManagement(snapshot);
  const failureDomains = failureDomainsOf(infrastructureCluster)
    .filter((domain) => domain.controlPlane)
    .map((domain) => domain.name);
  return {
    controlPlane,
    machines,
    firstPlace: firstFreePlace(infrastructureCluster, controlPlane),
    ...(naming ? { naming } : {}),
    taken: snapshot.machines.map(({ metadata }) => metadata.name),
    outdated,
    healthConditions: [...components, ...etcd],
    failureDomains,
    maxSurge,
    ...(mixed ? { mixed } : {}),
    ...(waits ? { waits } : {}),
    ...(currentRemediation(controlPlane, machines, wanted) ? { replacing: { components, etcd } } : {}),
  };
};
