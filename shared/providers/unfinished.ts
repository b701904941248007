import type { Machine } from '../kinds/index.ts';
import type { InfrastructureCluster } from '../kinds/infrastructure.ts';
import { isControlPlaneMachine } from '../plan/labels.ts';
import { isSettled } from '../plan/machines/status.ts';
import type { Infrastructure } from './infrastructure.ts';
import { isSameProvider, type ProvidedMachine } from './registry.ts';

/** The infrastructure of a cluster and of one of its machines, as far as they exist. */
export interface Placement {
  provider: Infrastructure | undefined;
  cluster: InfrastructureCluster | null | undefined;
  machine: ProvidedMachine | null | undefined;
}

const lacksEndpoint = ({ provider, cluster, machine }: Placement): boolean =>
  cluster != null &&
  machine != null &&
  isSameProvider(provider, machine.provider) &&
  provider?.lacksEndpoint?.(machine.object, cluster) === true;

/**
 * Whether something is left to do for a desired machine: its node does not exist or was not Ready when it was last
 * observed, or it belongs to a control plane and its execution has ended before the instance was registered with the
 * endpoint.
 */
export const isUnfinished = (machine: Machine, placement: Placement): boolean =>
  !isSettled(machine) || (isControlPlaneMachine(machine) && lacksEndpoint(placement));
