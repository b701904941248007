import { driftPoliciesOf } from '../../../../kinds/rules/drift-policy.ts';
import { isOverdue } from '../../../../plan/machines/waiting.ts';
import { isObjectPaused } from '../../../../plan/status/paused.ts';
import { type ClusterName, missingTags, ROLE_TAG, type Tags } from '../../tags.ts';
import { readRecordedLaunch } from '../launch/recorded.ts';
import { instanceTags, MACHINE_NAME_TAG, MACHINE_UID_TAG } from '../launch/request.ts';
import {
  identityOf,
  isClustersInstance,
  isMachines,
  type MachineIdentity,
  notOwnedMessage,
} from '../ownership/instance.ts';
import { adoptedTags } from './adopted-tags.ts';
import { appliedTagsDrift, lastApplied } from './applied-tags.ts';
import { secretDrift } from './bootstrap-secret.ts';
import type { Difference, InstanceDrift, ListedInstance, PlacedMachine } from './difference.ts';
import { groupsDrift, metadataDrift } from './instance-options.ts';
import { ABSENCE_GRACE_SECONDS, isSettled, type KnownMachine } from './states.ts';

/** An instance with the tags of a cluster that belongs to no machine. */
export interface UnknownInstance {
  instanceId: string;
  cluster: ClusterName;
  machine: string;
  isControlPlane: boolean;
}

const clusterNameOf = ({ cluster }: KnownMachine): ClusterName => ({
  namespace: cluster.metadata.namespace ?? '',
  name: cluster.metadata.name,
});

const desiredTags = (known: PlacedMachine): Tags => {
  const { machine, infrastructure, awsCluster } = known;
  return instanceTags({ cluster: clusterNameOf(known), machine, infrastructure, awsCluster });
};

const describeTags = (differing: Tags, observed: Tags): string =>
  Object.keys(differing)
    .map((key) => (key in observed ? `${key} has another value` : `${key} is missing`))
    .join(', ');

/** Tags that are new in the machine's spec and were not changed on the instance. */
const newWishes = (known: PlacedMachine, differing: Tags): Tags => {
  const applied = lastApplied(known);
  if (applied === undefined) return {};
  const isUsers = (key: string): boolean =>
    key in (known.infrastructure.spec.additionalTags ?? {}) || key in (known.awsCluster.spec.additionalTags ?? {});
  return Object.fromEntries(Object.entries(differing).filter(([key, value]) => isUsers(key) && applied[key] !== value));
};

const tagsDrift = (known: PlacedMachine, { tags }: ListedInstance): Difference[] => {
  const missing = missingTags(desiredTags(known), tags);
  const wishes = newWishes(known, missing);
  const names = Object.keys(wishes);
  const asked: Difference[] =
    names.length === 0
      ? []
      : [
          {
            kind: 'InstanceTags',
            policy: 'Repair',
            message: `its machine specifies other tags: ${names.join(', ')}`,
            repair: { call: 'CreateTags', tags: wishes },
          },
        ];
  const drifted = Object.entries(missing).filter(([key]) => !names.includes(key));
  return [...asked, ...changedTags(known, Object.fromEntries(drifted), tags)];
};

/** Tags of the instance that were changed outside Windlass. */
const changedTags = (known: PlacedMachine, differing: Tags, tags: Tags): Difference[] => {
  if (Object.keys(differing).length === 0) return [];
  const policy = driftPoliciesOf(known.cluster).InstanceTags;
  const drift = {
    kind: 'InstanceTags' as const,
    policy,
    message: `its tags were changed: ${describeTags(differing, tags)}`,
  };
  if (policy === 'Report') return [drift];
  const adopted = policy === 'Adopt' ? adoptedTags(known, differing, tags) : undefined;
  // Tags that prove that an instance is the cluster's are never given up.
  if (!adopted) return [{ ...drift, repair: { call: 'CreateTags', tags: differing } }];
  return [{ ...drift, repair: { call: 'AdoptTags', ...adopted } }];
};

const typeDrift = (known: PlacedMachine, { type }: ListedInstance): Difference[] => {
  // A launch may have used another type than the first one.
  const launch = readRecordedLaunch(known.infrastructure);
  // For a launch by version 0.1, it is no longer known which of the machine's types was used.
  if (launch?.isUnproven) return [];
  const wanted = launch?.request?.InstanceType ?? known.infrastructure.spec.instanceType;
  if (type === wanted) return [];
  const policy = driftPoliciesOf(known.cluster).InstanceType;
  const message = `it is a ${type} and was created as a ${wanted}`;
  return [
    { kind: 'InstanceType', policy, message, ...(policy === 'Repair' ? { repair: { call: 'ReplaceMachine' } } : {}) },
  ];
};

const stateDrift = (known: PlacedMachine, { state }: ListedInstance): Difference[] => {
  if (state !== 'stopped') return [];
  const policy = driftPoliciesOf(known.cluster).InstanceStopped;
  const repair = policy === 'Repair' ? ({ repair: { call: 'StartInstances' } } as const) : {};
  return [{ kind: 'InstanceStopped', policy, message: 'it was stopped', ...repair }];
};

/**
 * The finding that an instance is not the machine's, although the machine names it: neither is changed, whatever the
 * policies are.
 */
const foreignDrift = (instanceId: string, me: MachineIdentity): Difference => ({
  kind: 'InstanceTags',
  policy: 'Report',
  message: notOwnedMessage(instanceId, me),
});

/** Names of secrets for which machines wait and that are marked for deletion, by the uid of the Machine. */
export type DeletedSecretsByMachine = ReadonlyMap<string, readonly string[]>;

/** Losses of paused machines are still recorded (states.ts), but their instances are not changed. */
const isCompared = (known: PlacedMachine): boolean =>
  isSettled(known) && !isObjectPaused(known.machine) && !isObjectPaused(known.infrastructure);

/** How the instances of settled machines differ from their machines' specs, except for losses (states.ts). */
export const planInstanceDrift = (
  machines: readonly PlacedMachine[],
  instances: ReadonlyMap<string, ListedInstance>,
  deletedSecrets: DeletedSecretsByMachine = new Map(),
): InstanceDrift[] =>
  machines.filter(isCompared).flatMap((known) => {
    const instanceId = known.infrastructure.spec.instanceID ?? '';
    const listed = instances.get(instanceId);
    if (!listed || listed.state === 'terminated' || listed.state === 'shutting-down') return [];
    const me = identityOf(known.machine);
    if (!isMachines(listed, me)) return [{ known, instanceId, ...foreignDrift(instanceId, me) }];
    // A group keeps its instances in the state of its template, and replaces them.
    if (me.isOfPool) return [];
    const drifts = [
      ...[...stateDrift(known, listed), ...typeDrift(known, listed), ...tagsDrift(known, listed)],
      ...appliedTagsDrift(known, listed),
      ...[...groupsDrift(known, listed), ...metadataDrift(known, listed)],
      ...secretDrift(known, deletedSecrets.get(known.machine.metadata.uid ?? '') ?? []),
    ];
    return drifts.map((drift) => ({ known, instanceId, ...drift }));
  });

const isAlive = ({ state }: ListedInstance): boolean => state !== 'terminated' && state !== 'shutting-down';

/**
 * Instances with the tags of one of `clusters` and of a machine that belong to no machine and are older than a launch
 * can be unrecorded. `machineUids`: the uids of all existing machines, including those without an instance.
 * `launchedUids`: the uids of those that have recorded an instance; another instance with their tags is unknown.
 */
export const unknownInstances = (
  instances: ReadonlyMap<string, ListedInstance>,
  facts: {
    clusters: readonly ClusterName[];
    instanceIds: ReadonlySet<string>;
    machineUids: ReadonlySet<string>;
    launchedUids: ReadonlySet<string>;
    now: Date;
  },
): UnknownInstance[] =>
  [...instances].flatMap(([instanceId, listed]) => {
    const { tags } = listed;
    const uid = tags[MACHINE_UID_TAG];
    const machine = tags[MACHINE_NAME_TAG];
    // A bastion or an instance of a machine pool also has the cluster's tags, and no machine.
    if (!isAlive(listed) || machine === undefined || facts.instanceIds.has(instanceId)) return [];
    if (uid !== undefined && facts.machineUids.has(uid) && !facts.launchedUids.has(uid)) return [];
    if (!isOverdue(listed.launchedAt, ABSENCE_GRACE_SECONDS, facts.now)) return [];
    const cluster = facts.clusters.find((one) => isClustersInstance(one, tags));
    return cluster ? [{ instanceId, cluster, machine, isControlPlane: tags[ROLE_TAG] === 'control-plane' }] : [];
  });
