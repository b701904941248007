import type { Cluster, Machine, MachineHealthCheck } from '../../kinds/index.ts';
import { selects } from '../../kinds/rules/kubernetes/label-selector.ts';
import { ANNOTATION, LABEL } from '../labels.ts';
import { isObjectPaused } from '../status/paused.ts';
import { BRAKED, type Trigger, triggerOf } from './trigger.ts';
import { type KnownNodes, type Verdict, verdictOn } from './verdict.ts';

/** The input of a health check. */
export interface HealthFacts {
  cluster: Cluster;
  check: MachineHealthCheck;
  /** All machines of the cluster. */
  machines: readonly Machine[];
  /** Every node of the workload cluster, by name; undefined before the control plane is initialized. */
  nodes: KnownNodes;
  initMachine: string | undefined;
  /** The fleet brake applies: nothing is remediated. */
  isBraked?: boolean;
  now: Date;
}

export interface Target {
  machine: Machine;
  verdict: Verdict;
}

export interface HealthPlan {
  targets: readonly Target[];
  trigger: Trigger;
  healthy: number;
  unhealthy: number;
  /** When the first of the targets becomes unhealthy, or when its node shows that its instance is lost. */
  nextCheck?: Date;
}

/** The machines of the check's own cluster that its selector selects, except those that must be left alone. */
const targetsOf = ({ check, machines }: HealthFacts): Machine[] =>
  machines.filter(
    (machine) =>
      machine.metadata.labels?.[LABEL.clusterName] === check.spec.clusterName &&
      selects(check.spec.selector, machine.metadata.labels) &&
      !isObjectPaused(machine) &&
      !(ANNOTATION.skipRemediation in (machine.metadata.annotations ?? {})),
  );

/** The health of a check's targets, and whether unhealthy ones may be remediated. */
export const planHealth = (facts: HealthFacts): HealthPlan => {
  const targets = targetsOf(facts).map((machine) => ({ machine, verdict: verdictOn({ ...facts, machine }) }));
  const count = (is: Verdict['is']) => targets.filter(({ verdict }) => verdict.is === is).length;
  const healthy = count('healthy');
  const coming = targets.flatMap(({ verdict }) => ('next' in verdict && verdict.next ? [verdict.next] : []));
  return {
    targets,
    trigger: facts.isBraked ? BRAKED : triggerOf(facts.check, targets.length, healthy),
    healthy,
    unhealthy: count('unhealthy'),
    ...(coming.length > 0 ? { nextCheck: new Date(Math.min(...coming)) } : {}),
  };
};
