import type { AWSMachine, Cluster, Machine } from '../../../../kinds/index.ts';
import type { Look } from '../../../../plan/drift/finding.ts';
import { type Judgement, judgeLooks } from '../../../../plan/drift/losses.ts';
import { isOverdue } from '../../../../plan/machines/waiting.ts';
import { isPaused } from '../../../../plan/status/cluster-claims.ts';

/** A machine with an instance, as stored in the table. */
export interface KnownMachine {
  machine: Machine;
  infrastructure: AWSMachine;
  cluster: Cluster;
}

/** An instance whose state differs from the recorded one. `isAbsent`: EC2 no longer lists it. */
export interface Finding extends KnownMachine {
  instanceId: string;
  /** EC2's state; `terminated` for an absent instance. */
  state: string;
  isAbsent: boolean;
  /** It has ended or is about to end. */
  isLost: boolean;
}

export interface DriftFacts {
  machines: readonly KnownMachine[];
  /** States by instance id for everything that EC2 lists, including terminated instances. */
  states: ReadonlyMap<string, string>;
  now: Date;
}

/** How long EC2 may not list a new instance (five minutes, according to its page on eventual consistency). */
export const ABSENCE_GRACE_SECONDS = 300;

const LOST = new Set(['terminated', 'shutting-down']);

/**
 * Whether a machine is compared: it is not being provisioned or deleted, which its own execution handles, has an
 * instance, and is not paused.
 */
export const isSettled = ({ machine, infrastructure, cluster }: KnownMachine): boolean => {
  const { instanceState } = infrastructure.status ?? {};
  const isLeaving = machine.metadata.deletionTimestamp ?? infrastructure.metadata.deletionTimestamp;
  const hasInstance = infrastructure.spec.instanceID !== undefined && infrastructure.spec.providerID !== undefined;
  // An instance that was stopped and started is also pending, but its execution has ended when it first had a node.
  const isNew = machine.status?.nodeRef === undefined;
  const isArriving = instanceState === undefined || (instanceState === 'pending' && isNew);
  return hasInstance && !isLeaving && !isArriving && !isPaused(cluster);
};

const find = (known: KnownMachine, { states, now }: Pick<DriftFacts, 'states' | 'now'>): Finding | undefined => {
  const { spec, status, metadata } = known.infrastructure;
  const instanceId = spec.instanceID ?? '';
  const listed = states.get(instanceId);
  // If it is not listed soon after its creation, that means "not yet".
  if (!listed && !isOverdue(metadata.creationTimestamp, ABSENCE_GRACE_SECONDS, now)) return undefined;
  const state = listed ?? 'terminated';
  if (state === status?.instanceState) return undefined;
  return { ...known, instanceId, state, isAbsent: !listed, isLost: LOST.has(state) };
};

/**
 * Compares one machine with its instance. Undefined if there is nothing new to report, and nothing that suggests a
 * fault of the fleet or of Windlass.
 */
export const lookAt = (known: KnownMachine, facts: Pick<DriftFacts, 'states' | 'now'>): Look<Finding> | undefined => {
  // An instance that is known to be lost is not reported again.
  if (!isSettled(known) || known.infrastructure.status?.instanceState === 'terminated') return undefined;
  const finding = find(known, facts);
  return { known, ...(finding ? { finding } : {}) };
};

/** The machines that differ from their instances. The caller changes nothing in suspended namespaces. */
export const planDrift = (facts: DriftFacts): Judgement<Finding> =>
  judgeLooks(facts.machines.flatMap((known) => lookAt(known, facts) ?? []));
