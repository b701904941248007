/** Findings about the machines of a cloud, in a form that every provider shares. */
import type { Cluster, Machine } from '../../kinds/index.ts';
import type { InfrastructureMachine } from '../../kinds/infrastructure.ts';

/** A machine with its infrastructure, as stored in the table. */
export interface KnownMachine {
  readonly machine: Machine;
  readonly infrastructure: InfrastructureMachine;
  readonly cluster: Cluster;
}

/** An instance whose state differs from the recorded one. */
export interface StateFinding extends KnownMachine {
  /** The instance has ended or is about to end, so its machine will be replaced. */
  readonly isLost: boolean;
  /** The event that is recorded on the machine. */
  readonly event: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string };
  /** The infrastructure machine in the observed state; undefined if the observation is outdated. Pure. */
  apply(current: InfrastructureMachine, now: Date): InfrastructureMachine | undefined;
  /** Whether an infrastructure machine has this recorded state. Pure. */
  isRecorded(current: InfrastructureMachine): boolean;
}

/** A machine that was compared with its instance. */
export interface Look<Finding extends { readonly isLost: boolean } = StateFinding> {
  readonly known: Pick<KnownMachine, 'machine'>;
  readonly finding?: Finding;
}
