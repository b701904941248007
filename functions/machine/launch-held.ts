import type { KubeObject } from '../../shared/kube-api/object.ts';
import { isPaused } from '../../shared/plan/status/cluster-claims.ts';
import { isObjectPaused } from '../../shared/plan/status/paused.ts';
import type { MachineSnapshot } from './read-machine.ts';

/**
 * Whether nothing may be launched for a machine because its cluster, the machine or its infrastructure is paused: they
 * may be moving to another installation, which would launch a second instance. An execution may have waited a long time
 * since it began.
 */
export const isLaunchHeld = (
  { machine, cluster }: Pick<MachineSnapshot, 'machine' | 'cluster'>,
  infrastructure: KubeObject | null,
): boolean =>
  (cluster !== null && isPaused(cluster)) ||
  isObjectPaused(machine) ||
  (infrastructure !== null && isObjectPaused(infrastructure));
