/**
 * What functions of the core request from a provider's cloud. A function that needs a port gets one for each provider,
 * by the provider's name; a provider without one is not called.
 */
import type { InfrastructureCluster, InfrastructureMachineTemplate } from '../../shared/kinds/infrastructure.ts';
import type { Fates } from '../../shared/plan/drift/orphan-nodes.ts';
import type { MachineSnapshot } from '../machine/read-machine.ts';

export type ByProvider<Port> = Readonly<Record<string, Port>>;

/** What the cluster-workload function asks. */
export interface WorkloadPort {
  /** The fate of instances. Rejects if the cloud does not answer: then nothing is concluded. */
  fatesOf(cluster: InfrastructureCluster | null, instanceIds: readonly string[]): Promise<Fates>;
  /** Looks up the capacity of templates' machines. Used for one pass; templates of one type are queried once. */
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
