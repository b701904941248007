import { isDeepStrictEqual } from 'node:util';
import { kinds, type Machine, type MachinePool } from '../../kinds/index.ts';
import type { InfrastructureMachine, InfrastructurePool } from '../../kinds/infrastructure.ts';
import { isOwnedByKind } from '../../kinds/reference.ts';
import { labelValueOf } from '../../kinds/rules/names.ts';
import { ofTemplate } from '../annotations/wishes.ts';
import { awaitsRemediation } from '../health/machine.ts';
import { isReclaimed } from '../instance-events/notice.ts';
import { GROUP, LABEL } from '../labels.ts';
import { controllerReference } from '../machines/desired.ts';
import { type InPlace, withFieldsInPlace } from '../machines/in-place.ts';
import { withPropagated } from '../machines/propagation.ts';

/**
 * The Machines of a pool follow its group: instances come first, and their Machines are created for them, unlike those
 * of a MachineSet (upstream: core/reconcilers/machinepool, reconcileMachines).
 */
export type PoolMachineOperation =
  /** The Machine is created with the name of the infrastructure machine, which it then owns. */
  | { do: 'make-machine'; machine: Machine; infrastructure: InfrastructureMachine }
  | { do: 'own-infrastructure'; machine: Machine; infrastructure: InfrastructureMachine }
  /** Changes that need no new instance are copied from the pool. */
  | { do: 'update-machine'; machine: Machine }
  | { do: 'delete-machine'; machine: Machine; message: string }
  /** Its instance has left the group before it had a Machine. */
  | { do: 'forget-infrastructure'; infrastructure: InfrastructureMachine };

export interface PoolMachineFacts {
  pool: MachinePool;
  infrastructure: InfrastructurePool;
  /** The machines' own infrastructure objects, created by the provider. */
  infrastructureMachines: readonly InfrastructureMachine[];
  /** The Machines that the pool controls. */
  machines: readonly Machine[];
}

const labelsOf = ({ metadata, spec }: MachinePool): Record<string, string> => {
  const { [LABEL.controlPlane]: _, ...given } = ofTemplate(spec.template.metadata?.labels);
  return { ...given, [LABEL.clusterName]: spec.clusterName, [LABEL.poolName]: labelValueOf(metadata.name) };
};

/**
 * What a Machine needs no new instance for. Upstream counts `minReadySeconds` from the node, and does nothing with
 * readiness gates. A pool may have no taints: those of a Machine are its user's.
 */
const fieldsOf = ({ spec }: MachinePool): InPlace['spec'] => {
  const { minReadySeconds, readinessGates } = spec.template.spec;
  return { minReadySeconds, readinessGates };
};

const stated = (fields: InPlace['spec']): InPlace['spec'] =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The group starts the instance, so the Machine has no bootstrap data of its own. */
const STARTED_BY_GROUP = { dataSecretName: '' };

const desiredMachine = (pool: MachinePool, { metadata, kind }: InfrastructureMachine): Machine => ({
  apiVersion: `${GROUP.core}/v1beta2`,
  kind: 'Machine',
  metadata: {
    namespace: pool.metadata.namespace,
    name: metadata.name,
    labels: labelsOf(pool),
    annotations: ofTemplate(pool.spec.template.metadata?.annotations),
    ownerReferences: [controllerReference(pool)],
  },
  spec: {
    clusterName: pool.spec.clusterName,
    ...(pool.spec.template.spec.version ? { version: pool.spec.template.spec.version } : {}),
    bootstrap: STARTED_BY_GROUP,
    infrastructureRef: { apiGroup: GROUP.infrastructure, kind, name: metadata.name },
    ...(pool.spec.template.spec.deletion ? { deletion: pool.spec.template.spec.deletion } : {}),
    ...stated(fieldsOf(pool)),
  },
});

/** `machine` in the pool's desired state. Its version is that of its kubelet, once known. */
const updated = (pool: MachinePool, machine: Machine): Machine => {
  const annotations = pool.spec.template.metadata?.annotations ?? {};
  const propagated = withPropagated(machine, { labels: labelsOf(pool), annotations });
  const { deletion } = pool.spec.template.spec;
  const next = withFieldsInPlace(propagated, { deletion, spec: fieldsOf(pool) });
  const version = machine.status?.nodeInfo?.kubeletVersion;
  // Upstream's Machines of pools may not have it.
  const bootstrap = next.spec.bootstrap.configRef
    ? next.spec.bootstrap
    : { ...STARTED_BY_GROUP, ...next.spec.bootstrap };
  return { ...next, spec: { ...next.spec, bootstrap, ...(version ? { version } : {}) } };
};

const isGone = ({ spec }: InfrastructureMachine, listed: ReadonlySet<string>): boolean =>
  spec.providerID !== undefined && !listed.has(spec.providerID);

/**
 * Whether it also has the labels that its owner sets: without them, it is not found among the objects of its cluster.
 */
const isOwned = ({ metadata }: InfrastructureMachine, machine: Machine): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === machine.metadata.uid) === true &&
  metadata.labels?.[LABEL.clusterName] === machine.spec.clusterName;

const deletionOf = (machine: Machine, why: string): PoolMachineOperation => ({
  do: 'delete-machine',
  machine,
  message: `Deleted Machine ${machine.metadata.name} because ${why}`,
});

const isDeleting = ({ metadata }: Machine | InfrastructureMachine): boolean => metadata.deletionTimestamp !== undefined;

/** The operations for an instance that the group no longer has. */
const forgone = (infrastructure: InfrastructureMachine, machine: Machine | undefined): PoolMachineOperation[] => {
  if (!machine) return [{ do: 'forget-infrastructure', infrastructure }];
  return isDeleting(machine) ? [] : [deletionOf(machine, 'its instance left the group')];
};

/** The operations for an instance of the group. */
const kept = (
  pool: MachinePool,
  infrastructure: InfrastructureMachine,
  machine: Machine | undefined,
): PoolMachineOperation[] => {
  if (!machine) {
    if (isDeleting(infrastructure)) return [];
    return [{ do: 'make-machine', machine: desiredMachine(pool, infrastructure), infrastructure }];
  }
  if (isDeleting(machine)) return [];
  // The group launches another instance, because it keeps their number.
  if (awaitsRemediation(machine)) return [deletionOf(machine, 'it is unhealthy')];
  // The group only notices when the instance is gone. Until then, its node is drained.
  if (isReclaimed(machine)) return [deletionOf(machine, 'its spot instance is being reclaimed')];
  const next = updated(pool, machine);
  return [
    ...(isOwned(infrastructure, machine) ? [] : [{ do: 'own-infrastructure', machine, infrastructure } as const]),
    ...(isDeepStrictEqual(next, machine) ? [] : [{ do: 'update-machine', machine: next } as const]),
  ];
};

/** The name of the Machine that controls an instance. */
const holderOf = ({ metadata }: InfrastructureMachine): string | undefined =>
  metadata.ownerReferences?.find((owner) => owner.controller === true && isOwnedByKind(kinds.machine)(owner))?.name;

/**
 * The Machine of each instance, by the name of the instance. A copy of a Machine names the instance of the original,
 * which has the name of its instance; another one becomes its owner only if nothing else can be.
 */
const machinesByInstance = (machines: readonly Machine[]): ReadonlyMap<string, Machine> => {
  const found = new Map<string, Machine>();
  for (const machine of machines) {
    const { name } = machine.spec.infrastructureRef;
    if (!found.has(name) || machine.metadata.name === name) found.set(name, machine);
  }
  return found;
};

/** The changes after which each instance of the group has its Machine and no other Machine is left. */
export const planPoolMachines = (facts: PoolMachineFacts): PoolMachineOperation[] => {
  const { pool, infrastructure, infrastructureMachines } = facts;
  const listed = new Set(infrastructure.spec?.providerIDList ?? []);
  const known = new Map(infrastructureMachines.map((one) => [one.metadata.name, holderOf(one)]));
  const nameOf = ({ spec }: Machine): string => spec.infrastructureRef.name;
  const isTaken = (machine: Machine): boolean =>
    (known.get(nameOf(machine)) ?? machine.metadata.name) !== machine.metadata.name;
  const [copies, machines] = [facts.machines.filter(isTaken), facts.machines.filter((machine) => !isTaken(machine))];
  const byName = machinesByInstance(machines);
  const orphans = machines.filter((machine) => !known.has(nameOf(machine)));
  const deletions = (some: readonly Machine[], why: (machine: Machine) => string) =>
    some.filter((machine) => !isDeleting(machine)).map((machine) => deletionOf(machine, why(machine)));
  return [
    ...deletions(orphans, ({ spec }) => `its ${spec.infrastructureRef.kind} is gone`),
    ...deletions(copies, ({ spec }) => `its ${spec.infrastructureRef.kind} belongs to another Machine`),
    ...infrastructureMachines.flatMap((one) => {
      const machine = byName.get(one.metadata.name);
      return isGone(one, listed) ? forgone(one, machine) : kept(pool, one, machine);
    }),
  ];
};
