/**
 * Evaluates health checks right after the nodes were read: their conditions go directly from the API server's answer
 * into the plan, so they need not be stored. Without an answer, nothing is evaluated.
 */
import type { V1Node } from '@kubernetes/client-node';
import { type Cluster, kinds, type Machine, type MachineHealthCheck } from '../../../shared/kinds/index.ts';
import { byAge } from '../../../shared/plan/control-plane/placement.ts';
import { awaitsRemediation, type Remedy, withVerdict } from '../../../shared/plan/health/machine.ts';
import { withHealth, withPaused } from '../../../shared/plan/health/status.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { findCondition, isTrue } from '../../../shared/plan/status/conditions.ts';
import { isObjectPaused } from '../../../shared/plan/status/paused.ts';
import type { ClusterRef } from '../../../shared/work/payloads.ts';
import { readInitHolder } from '../../machine/objects/init-lock.ts';
import { workApart } from '../apart.ts';
import { readClusterObject } from '../snapshot.ts';
import type { ProbeDependencies } from './dependencies.ts';
import { endRemediation, requestRemediation } from './external-remediation.ts';
import { type Judged, judgeHealth, type Seen, verdictsOf } from './judge-health.ts';
import { healthRecorder } from './reasons.ts';

type HealthDependencies = Pick<ProbeDependencies, 'objects' | 'clock' | 'work' | 'fleetBrake'>;

/**
 * Evaluates the machines of a cluster by its MachineHealthChecks and writes the results. `seen`: all nodes of the
 * workload cluster, undefined if its API server did not answer. True if owners have a new machine to remediate.
 */
export const checkHealth = async (
  deps: HealthDependencies,
  ref: ClusterRef,
  seen: readonly V1Node[] | undefined,
): Promise<boolean> => {
  const { objects, clock } = deps;
  const checks = await objects.listOfCluster(kinds.machineHealthCheck, ref.namespace, ref.name);
  if (checks.length === 0) return false;
  const cluster = await readClusterObject(objects, ref);
  if (!cluster) return false;
  const machines = await objects.listOfCluster(kinds.machine, ref.namespace, ref.name);
  const [paused, active] = [checks.filter(isObjectPaused), checks.filter((check) => !isObjectPaused(check))];
  await Promise.all(paused.map((check) => writeCheck(deps, check, (now) => withPaused(cluster, now, clock.now()))));
  const initMachine = await findInitMachine(deps, cluster, machines);
  const facts = { cluster, machines, checks: active, seen, initMachine, now: clock.now() };
  const judged = await judgeUnderBrake(deps, facts);
  if (!judged) return false;
  const { each, rethrow } = workApart();
  await each(judged, (one) => report(deps, cluster, one));
  const news = await each(machines, (machine) => mark(deps, machine, judged));
  // This pass holds the lease, so the touch takes effect when it ends: the next pass remediates.
  if (news.includes(true)) await deps.work.touch(ref);
  rethrow();
  return news.includes(true);
};

/** The brake is read only if something would be remediated. */
const judgeUnderBrake = async ({ fleetBrake }: HealthDependencies, facts: Seen): Promise<Judged[] | undefined> => {
  const judged = judgeHealth(facts);
  if (!judged?.some(({ plan }) => plan.trigger.allowed && plan.unhealthy > 0)) return judged;
  const isHeld = await fleetBrake?.holds();
  return isHeld?.(facts.cluster.metadata.namespace ?? '') ? judgeHealth({ ...facts, isBraked: true }) : judged;
};

/**
 * The machine that initializes the control plane: the holder of the lock, or the oldest machine if the lock is free.
 */
const findInitMachine = async (
  { objects }: HealthDependencies,
  cluster: Cluster,
  machines: readonly Machine[],
): Promise<string | undefined> => {
  if (isTrue(cluster.status?.conditions, 'ControlPlaneInitialized')) return undefined;
  const oldest = machines.filter(({ metadata }) => isControlPlaneMachine({ metadata })).sort(byAge)[0];
  return (await readInitHolder(objects, cluster))?.name ?? oldest?.metadata.name;
};

const writeCheck = (
  { objects }: HealthDependencies,
  check: MachineHealthCheck,
  change: (current: MachineHealthCheck) => MachineHealthCheck,
) => {
  const key = { namespace: check.metadata.namespace ?? '', name: check.metadata.name };
  return objects.mutate(kinds.machineHealthCheck, key, change, { from: check });
};

const report = async (deps: HealthDependencies, cluster: Cluster, { check, plan }: Judged): Promise<void> => {
  await writeCheck(deps, check, (current) => withHealth(cluster, current, plan, deps.clock.now()));
  const { message } = plan.trigger;
  const before = findCondition(check.status?.conditions, 'RemediationAllowed');
  if (!message || plan.unhealthy === 0 || before?.message === message) return;
  await healthRecorder(deps).warning(check, 'RemediationRestricted', message);
};

/** Writes the verdict to the machine. True if its owner has a new machine to remediate. */
const mark = async (deps: HealthDependencies, machine: Machine, judged: readonly Judged[]): Promise<boolean> => {
  const { objects, clock } = deps;
  const found = verdictsOf(machine, judged);
  if (!found || found.verdict.is === 'pending') return false;
  const remedy = await remedyOf(deps, machine, found);
  const key = { namespace: machine.metadata.namespace ?? '', name: machine.metadata.name };
  const written = await objects.mutate(
    kinds.machine,
    key,
    (current) =>
      current.metadata.uid === machine.metadata.uid
        ? withVerdict(current, found.verdict, remedy, clock.now())
        : undefined,
    { from: machine },
  );
  if (!written || found.verdict.is === 'healthy') return false;
  const before = findCondition(machine.status?.conditions, 'HealthCheckSucceeded');
  if (before?.status !== 'False') await recordUnhealthy(deps, machine, found.check);
  return awaitsRemediation(written) && !awaitsRemediation(machine);
};

/** If the check has a template, creates or deletes the request for the machine. */
const remedyOf = async (
  deps: HealthDependencies,
  machine: Machine,
  { check, verdict, remedy }: NonNullable<ReturnType<typeof verdictsOf>>,
): Promise<Remedy> => {
  const { templateRef } = check.spec.remediation ?? {};
  if (!templateRef || remedy.by !== 'other') return remedy;
  if (verdict.is === 'healthy') await endRemediation(deps, machine, templateRef);
  if (verdict.is !== 'unhealthy' || isObjectPaused(machine)) return remedy;
  return { by: 'other', claim: await requestRemediation(deps, machine, templateRef) };
};

const recordUnhealthy = (deps: HealthDependencies, machine: Machine, check: MachineHealthCheck) => {
  const { namespace, name } = machine.metadata;
  const message = `Machine ${namespace}/${name} has been marked as unhealthy by ${namespace}/${check.metadata.name}`;
  return healthRecorder(deps).normal(machine, 'MachineMarkedUnhealthy', message);
};
