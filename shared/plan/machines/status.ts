import type { BootstrapConfig } from '../../kinds/contract-objects.ts';
import type { Machine } from '../../kinds/index.ts';
import type { InfrastructureMachine } from '../../kinds/infrastructure.ts';
import { absenceOf, type Reference } from '../../kinds/reference.ts';
import { formatTime } from '../../kube-api/object.ts';
import { deletionSummary } from '../drain/delay.ts';
import {
  type ConditionClaim,
  findCondition,
  isStated,
  isTrue,
  type SummaryInput,
  summarize,
  withConditions,
} from '../status/conditions.ts';
import { fallback, mirrorReady, readyFallback } from '../status/mirror.ts';
import { pausedClaim } from '../status/paused.ts';
import { availableClaim } from './availability.ts';
import { type NodeObservation, nodeClaims } from './node.ts';

/** A step's observations of a machine. Absent ones were not made, and earlier results are kept. */
export interface MachineObservation {
  /** Null: no object has the name to which the machine refers. */
  config?: BootstrapConfig | null;
  infrastructure?: InfrastructureMachine | null;
  /** The failure domain of the instance, together with `infrastructure`. */
  zone?: string | undefined;
  node?: NodeObservation;
  /** Conditions of the control plane pods on the machine's node. */
  health?: readonly ConditionClaim[];
  /** What a deletion waits for. */
  deleting?: ConditionClaim;
}

const bootstrapClaim = (machine: Machine, config: BootstrapConfig | null): ConditionClaim => {
  const type = 'BootstrapConfigReady';
  const reference: Reference = machine.spec.bootstrap.configRef ?? {};
  if (!config) {
    const isGone = machine.metadata.deletionTimestamp && machine.status?.initialization?.bootstrapDataSecretCreated;
    return isGone
      ? {
          type,
          status: 'False',
          reason: 'ObjectDeleted',
          message: `${reference.kind} ${reference.name} has been deleted`,
        }
      : { type, status: 'False', reason: 'ObjectDoesNotExist', message: absenceOf(reference) };
  }
  const { conditions, initialization } = config.status ?? {};
  const isCreated = initialization?.dataSecretCreated === true;
  return mirrorReady(type, conditions, fallback(isCreated, `${config.kind} status.initialization.dataSecretCreated`));
};

const infrastructureClaim = (machine: Machine, infrastructure: InfrastructureMachine | null): ConditionClaim => {
  const type = 'InfrastructureReady';
  if (!infrastructure) {
    const gone = machine.status?.initialization?.infrastructureProvisioned === true;
    const reference = machine.spec.infrastructureRef;
    const whileExists = machine.metadata.deletionTimestamp ? '' : ' while the Machine still exists';
    const message = gone ? `${reference.kind} ${reference.name} has been deleted${whileExists}` : absenceOf(reference);
    return { type, status: 'False', reason: gone ? 'ObjectDeleted' : 'ObjectDoesNotExist', message };
  }
  const { conditions, ready = false } = infrastructure.status ?? {};
  return mirrorReady(type, conditions, readyFallback(infrastructure.kind, ready));
};

/** Whether the Machine's report about the readiness of its infrastructure differs from the infrastructure machine's. */
export const isOutdated = (machine: Machine, infrastructure: InfrastructureMachine): boolean => {
  const reported = findCondition(machine.status?.conditions, 'InfrastructureReady');
  return !isStated(reported, infrastructureClaim(machine, infrastructure));
};

const deletingClaim = (machine: Machine, deleting: ConditionClaim | undefined): ConditionClaim => {
  if (!machine.metadata.deletionTimestamp) return { type: 'Deleting', status: 'False', reason: 'NotDeleting' };
  if (deleting) return deleting;
  const before = findCondition(machine.status?.conditions, 'Deleting');
  if (before?.status === 'True') return before;
  return { type: 'Deleting', status: 'True', reason: 'Deleting' };
};

/** Why an object does not exist. */
const GONE: ReadonlySet<string> = new Set(['ObjectDeleted', 'ObjectDoesNotExist', 'NodeDeleted', 'NodeDoesNotExist']);

/** While a machine is being deleted, it is expected that its parts are gone. */
const goneWith = ({ metadata }: Machine): Pick<SummaryInput, 'isFine'> =>
  metadata.deletionTimestamp ? { isFine: ({ reason }) => GONE.has(reason) } : {};

const summaryInputs = (machine: Machine): SummaryInput[] => [
  { type: 'Deleting', negative: true },
  { type: 'BootstrapConfigReady', ...goneWith(machine) },
  { type: 'InfrastructureReady', ...goneWith(machine) },
  { type: 'NodeHealthy', ...goneWith(machine) },
  { type: 'HealthCheckSucceeded', optional: true },
  ...(machine.spec.readinessGates ?? []).map((gate) => ({
    type: gate.conditionType,
    negative: gate.polarity === 'Negative',
  })),
];

const COMPONENT = /^\* (?:APIServer\w*|ControllerManager\w*|Scheduler\w*|EtcdPodHealthy):/;

/**
 * Combines several control plane components with the same text into one line (upstream's
 * transformControlPlaneAndEtcdConditions, core/reconcilers/machine/machine_controller_status.go).
 */
const withComponentsJoined = (lines: readonly string[]): readonly string[] => {
  const components = lines.filter((line) => COMPONENT.test(line));
  const texts = new Set(components.map((line) => line.replace(COMPONENT, '')));
  if (components.length < 2 || texts.size > 1) return lines;
  const joined = `* Control plane components:${[...texts][0]}`;
  return lines.flatMap((line) => (line === components[0] ? [joined] : components.includes(line) ? [] : [line]));
};

const isDeletion = ({ type, status }: ConditionClaim): boolean => type === 'Deleting' && status === 'True';

/** The phase of a Machine. As in upstream, later rules take precedence (cluster-api machine_controller_status.go). */
const phaseOf = (machine: Machine, next: Machine): string => {
  const { status, spec } = next;
  const provisioned = status?.initialization?.infrastructureProvisioned === true;
  if (machine.metadata.deletionTimestamp) return 'Deleting';
  if (status?.nodeRef && provisioned) return 'Running';
  if (spec.providerID) return 'Provisioned';
  if (status?.initialization?.bootstrapDataSecretCreated && !provisioned) return 'Provisioning';
  return status?.phase || 'Pending';
};

const factsOf = (machine: Machine, seen: MachineObservation): Partial<NonNullable<Machine['status']>> => {
  const { config, infrastructure, zone, node } = seen;
  const initialization = {
    ...machine.status?.initialization,
    ...(config?.status?.initialization?.dataSecretCreated ? { bootstrapDataSecretCreated: true } : {}),
    ...(infrastructure?.status?.ready ? { infrastructureProvisioned: true } : {}),
  };
  return {
    ...(Object.keys(initialization).length > 0 ? { initialization } : {}),
    ...(infrastructure?.status?.addresses?.length ? { addresses: infrastructure.status.addresses } : {}),
    ...(zone ? { failureDomain: zone } : {}),
    ...(node?.seen === 'node'
      ? { nodeRef: { name: node.node.metadata?.name ?? '' }, nodeInfo: node.node.status?.nodeInfo }
      : {}),
  } as Partial<NonNullable<Machine['status']>>;
};

/** Earlier observations that were not repeated still apply to the current machine. */
const kept = (machine: Machine, type: string): ConditionClaim[] => {
  const found = findCondition(machine.status?.conditions, type);
  return found ? [found] : [];
};

const claimsOf = (machine: Machine, seen: MachineObservation): ConditionClaim[] => [
  ...(seen.config === undefined ? kept(machine, 'BootstrapConfigReady') : [bootstrapClaim(machine, seen.config)]),
  ...(seen.infrastructure === undefined
    ? kept(machine, 'InfrastructureReady')
    : [infrastructureClaim(machine, seen.infrastructure)]),
  ...(seen.node ? nodeClaims(seen.node, machine) : []),
  ...(seen.health ?? []),
  deletingClaim(machine, seen.deleting),
  { type: 'Updating', status: 'False', reason: 'NotUpdating' },
  ...(kept(machine, 'Paused').length > 0 ? kept(machine, 'Paused') : [pausedClaim(undefined, machine)]),
];

/**
 * The machine with everything that follows from the observations: providerID, addresses, node reference, conditions,
 * phase. Pure; the caller writes it in one conditional write.
 */
export const withObservation = (machine: Machine, seen: MachineObservation, now: Date): Machine => {
  const generation = machine.metadata.generation;
  const facts = factsOf(machine, seen);
  const claims = claimsOf(machine, seen);
  const providerID = seen.infrastructure?.spec.providerID ?? machine.spec.providerID;
  const merged = withConditions(machine.status?.conditions, claims, generation, now);
  const summed = merged.map((one) => (isDeletion(one) ? deletionSummary(machine, one, now) : one));
  const reasons = ['Ready', 'NotReady', 'ReadyUnknown'] as const;
  const ready = summarize('Ready', summaryInputs(machine), summed, reasons, withComponentsJoined);
  const conditions = withConditions(merged, [ready, availableClaim(machine, ready, now)], generation, now);
  const next: Machine = {
    ...machine,
    spec: { ...machine.spec, ...(providerID ? { providerID } : {}) },
    status: { ...machine.status, ...facts, conditions, observedGeneration: generation } as Machine['status'],
  };
  const phase = phaseOf(machine, next);
  const moved = phase !== machine.status?.phase;
  return {
    ...next,
    status: { ...next.status, phase, ...(moved ? { lastUpdated: formatTime(now) } : {}) } as Machine['status'],
  };
};

/** Whether nothing is left to do for a desired machine: its node exists, and was Ready when it was last observed. */
export const isSettled = (machine: Machine): boolean =>
  machine.status?.phase === 'Running' && isTrue(machine.status.conditions, 'NodeReady');
