/**
 * What functions of the core ask a provider's cloud. A function that needs a port is given one for each provider, by the
 * provider's name; a provider without one is not asked.
 */
import type { InfrastructureCluster, InfrastructureMachineTemplate } from '../../shared/kinds/infrastructure.ts';
import type { Fates } from '../../shared/plan/drift/orphan-nodes.ts';
import type { MachineSnapshot } from '../machine/read-machine.ts';

export type ByProvider<Port> = Readonly<Record<string, Port>>;

/** What the cluster-workload function asks. */
export interface WorkloadPort {
  /** What became of instances. Rejects where the cloud does not answer: then nothing is concluded. */
  fatesOf(cluster: InfrastructureCluster | null, instanceIds: readonly string[]): Promise<Fates>;
  /** Looks up how large the machines of templates are. Used for one pass; templates of one type are asked for once. */
  capacity(cluster: InfrastructureCluster): Promise<DescribeCapacity>;
}

export type Capacity = Required<Pick<NonNullable<InfrastructureMachineTemplate['status']>, 'capacity' | 'nodeInfo'>>;

/** A text says why it is not known, with the field that decides it. Never rejects. */
export type DescribeCapacity = (template: InfrastructureMachineTemplate) => Promise<Capacity | string>;

/** Removes what was put somewhere for a machine to fetch its bootstrap data. */
export interface BootstrapDeliveryPort {
  /** `component` reports the removal in an event. What is not the machine's stays, and an event says so. */
  remove(snapshot: MachineSnapshot, component: string): Promise<void>;
}
