import type { V1Node } from '@kubernetes/client-node';
import { type Cluster, kinds, type Machine, type MachineHealthCheck } from '../../../shared/kinds/index.ts';
import type { ReadBudget } from '../../../shared/kube-api/storage/read-budget.ts';
import { isTrue } from '../../../shared/plan/status/conditions.ts';
import { isObjectPaused } from '../../../shared/plan/status/paused.ts';
import { isHealthNews, judgeHealth } from '../../cluster/workload/judge-health.ts';
import type { DriftDependencies } from '../dependencies.ts';

/** Health checks by the namespace and name of their cluster. */
export type Checks = ReadonlyMap<string, readonly MachineHealthCheck[]>;

const keyOf = (namespace: string | undefined, name: string): string => `${namespace}/${name}`;

/** The health checks in these namespaces that are not paused; costs one list. */
export const readChecks = async (
  { objects }: Pick<DriftDependencies, 'objects'>,
  namespaces: readonly string[],
  budget: ReadBudget,
): Promise<Checks> => {
  const all = await objects.survey(kinds.machineHealthCheck, namespaces, budget);
  const checks = all.filter((check) => !isObjectPaused(check));
  return Map.groupBy(checks, ({ metadata, spec }) => keyOf(metadata.namespace, spec.clusterName));
};

/**
 * The checks of a cluster that are evaluated here. Passes run anyway until the control plane is initialized, and
 * deadlines have their own entries in the index of due work.
 */
export const checksOf = (checks: Checks, { metadata, status }: Cluster): readonly MachineHealthCheck[] =>
  isTrue(status?.conditions, 'ControlPlaneInitialized')
    ? (checks.get(keyOf(metadata.namespace, metadata.name)) ?? [])
    : [];

/** Whether the nodes of a cluster show its checks anything that is not recorded yet. */
export const isHealthDrift = (
  { clock }: Pick<DriftDependencies, 'clock'>,
  facts: {
    cluster: Cluster;
    checks: readonly MachineHealthCheck[];
    machines: readonly Machine[];
    seen: readonly V1Node[];
    isBraked?: boolean;
  },
): boolean => {
  const seen = { ...facts, initMachine: undefined, now: clock.now() };
  const judged = judgeHealth(seen);
  return judged !== undefined && isHealthNews(judged, seen);
};
