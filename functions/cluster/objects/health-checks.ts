import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import { withPaused } from '../../../shared/plan/health/status.ts';
import type { Apart } from '../apart.ts';
import type { ObjectsDependencies } from './dependencies.ts';

/**
 * Reports that a cluster's health checks are paused: while the cluster is paused, the step that evaluates them does not
 * run.
 */
export const pauseHealthChecks = async (
  { objects, clock, apart }: ObjectsDependencies & { apart: Apart },
  cluster: Cluster,
): Promise<void> => {
  const { namespace = '', name } = cluster.metadata;
  const checks = await objects.listOfCluster(kinds.machineHealthCheck, namespace, name);
  await apart.each(checks, (check) =>
    objects.mutate(
      kinds.machineHealthCheck,
      { namespace, name: check.metadata.name },
      (current) => withPaused(cluster, current, clock.now()),
      { from: check },
    ),
  );
};
