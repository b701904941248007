import type { AWSMachine, Cluster, Machine } from '../../kinds/index.ts';
import { isOverdue } from '../machines/waiting.ts';
import { isPaused } from '../status/cluster-claims.ts';

/** A machine with an instance, as the table has it. */
export interface KnownMachine {
  machine: Machine;
  infrastructure: AWSMachine;
  cluster: Cluster;
}

/** An instance whose state is not the one on record. `isAbsent`: EC2 does not list it any more. */
export interface Finding extends KnownMachine {
  instanceId: string;
  /** EC2's word; `terminated` for an absent one. */
  state: string;
  isAbsent: boolean;
}

export interface DriftFacts {
  machines: readonly KnownMachine[];
  /** State by instance id, everything that EC2 lists, terminated ones included. */
  states: ReadonlyMap<string, string>;
  now: Date;
}

export interface DriftPlan {
  findings: readonly Finding[];
  /** So much of the fleet looks lost at once that the fault is likely ours: nothing may be changed on this evidence. */
  isSuspicious: boolean;
  /** Of `considered` machines so many look lost. */
  lost: number;
  considered: number;
}

/** For so long EC2 may not list what it made (five minutes, says its page on eventual consistency). */
export const ABSENCE_GRACE_SECONDS = 300;

/** Above this share, and from this number on, we take ourselves for broken and not the fleet. */
export const SUSPICIOUS_SHARE = 0.5;
export const SUSPICIOUS_COUNT = 5;

const LOST = new Set(['terminated', 'shutting-down']);

/** Machines whose own execution looks after them, or nobody may: on their way in or out, without instance, paused. */
export const isSettled = ({ machine, infrastructure, cluster }: KnownMachine): boolean => {
  const { instanceState } = infrastructure.status ?? {};
  const isLeaving = machine.metadata.deletionTimestamp ?? infrastructure.metadata.deletionTimestamp;
  const hasInstance = infrastructure.spec.instanceID !== undefined && infrastructure.spec.providerID !== undefined;
  // One that was stopped and started is pending as well, and its execution ended when it first had a node.
  const isNew = machine.status?.nodeRef === undefined;
  const isArriving = instanceState === undefined || (instanceState === 'pending' && isNew);
  return hasInstance && !isLeaving && !isArriving && !isPaused(cluster);
};

const find = (known: KnownMachine, { states, now }: DriftFacts): Finding[] => {
  const { spec, status, metadata } = known.infrastructure;
  const instanceId = spec.instanceID ?? '';
  const listed = states.get(instanceId);
  // Not listed soon after it was made means "not yet".
  if (!listed && !isOverdue(metadata.creationTimestamp, ABSENCE_GRACE_SECONDS, now)) return [];
  const state = listed ?? 'terminated';
  return state === status?.instanceState ? [] : [{ ...known, instanceId, state, isAbsent: !listed }];
};

/** Which machines differ from their instances. The caller changes nothing where the plan is suspicious. */
export const planDrift = (facts: DriftFacts): DriftPlan => {
  const settled = facts.machines.filter(isSettled);
  // A machine that is known to be lost says nothing new, about the fleet or about us.
  const considered = settled.filter(({ infrastructure }) => infrastructure.status?.instanceState !== 'terminated');
  const findings = considered.flatMap((known) => find(known, facts));
  const lost = findings.filter(({ state }) => LOST.has(state)).length;
  return {
    findings,
    isSuspicious: lost >= SUSPICIOUS_COUNT && lost > considered.length * SUSPICIOUS_SHARE,
    lost,
    considered: considered.length,
  };
};
