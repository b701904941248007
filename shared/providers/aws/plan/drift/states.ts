import type { AWSMachine, Cluster, Machine } from '../../../../kinds/index.ts';
import { isOverdue } from '../../../../plan/machines/waiting.ts';
import { isPaused } from '../../../../plan/status/cluster-claims.ts';

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
  /**
   * Namespaces of which so much looks lost at once that the fault is likely ours: nothing may be changed there on this
   * evidence.
   */
  suspended: ReadonlySet<string>;
  /** Of `considered` machines so many look lost. */
  lost: number;
  considered: number;
}

/** A machine that was compared with its instance. */
export interface Look {
  known: KnownMachine;
  finding?: Finding;
}

/** For so long EC2 may not list what it made (five minutes, says its page on eventual consistency). */
export const ABSENCE_GRACE_SECONDS = 300;

/** Above this share, and from this number on in an account and region, we take ourselves for broken and not the fleet. */
export const SUSPICIOUS_SHARE = 0.5;
const SUSPICIOUS_COUNT = 5;

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

const find = (known: KnownMachine, { states, now }: Pick<DriftFacts, 'states' | 'now'>): Finding | undefined => {
  const { spec, status, metadata } = known.infrastructure;
  const instanceId = spec.instanceID ?? '';
  const listed = states.get(instanceId);
  // Not listed soon after it was made means "not yet".
  if (!listed && !isOverdue(metadata.creationTimestamp, ABSENCE_GRACE_SECONDS, now)) return undefined;
  const state = listed ?? 'terminated';
  return state === status?.instanceState ? undefined : { ...known, instanceId, state, isAbsent: !listed };
};

/** Compares one machine with its instance. Undefined where it says nothing new, about the fleet or about us. */
export const lookAt = (known: KnownMachine, facts: Pick<DriftFacts, 'states' | 'now'>): Look | undefined => {
  // One that is known to be lost is no news.
  if (!isSettled(known) || known.infrastructure.status?.instanceState === 'terminated') return undefined;
  const finding = find(known, facts);
  return { known, ...(finding ? { finding } : {}) };
};

const isLost = ({ finding }: Look): boolean => finding !== undefined && LOST.has(finding.state);

const namespaceOf = ({ known }: Look): string => known.machine.metadata.namespace ?? '';

/**
 * The namespaces in which the evidence is not believed. Looks so much lost that the fault is likely ours, all stop; but
 * one other namespace alone, whose machines may be lost because its tenant wants them to look so, stops nobody.
 */
const suspendedNamespaces = (looks: readonly Look[]): ReadonlySet<string> => {
  if (looks.filter(isLost).length < SUSPICIOUS_COUNT) return new Set();
  const tallies = [...Map.groupBy(looks, namespaceOf)].map(([namespace, own]) => ({
    namespace,
    considered: own.length,
    lost: own.filter(isLost).length,
  }));
  const byLosses = tallies.toSorted((a, b) => b.lost - a.lost);
  const isSuspended = ({ namespace }: (typeof tallies)[number]): boolean => {
    const worst = byLosses.find((other) => other.namespace !== namespace);
    const judged = tallies.filter((one) => one !== worst);
    const sum = (key: 'lost' | 'considered') => judged.reduce((total, one) => total + one[key], 0);
    return sum('lost') > sum('considered') * SUSPICIOUS_SHARE;
  };
  return new Set(tallies.filter(isSuspended).map(({ namespace }) => namespace));
};

/** What the looks at the machines of one account and region come to together. */
export const judgeLooks = (looks: readonly Look[]): DriftPlan => ({
  findings: looks.flatMap(({ finding }) => finding ?? []),
  suspended: suspendedNamespaces(looks),
  lost: looks.filter(isLost).length,
  considered: looks.length,
});

/** Which machines differ from their instances. The caller changes nothing in namespaces that are suspended. */
export const planDrift = (facts: DriftFacts): DriftPlan =>
  judgeLooks(facts.machines.flatMap((known) => lookAt(known, facts) ?? []));
