import type { InstanceMetadataOptionsRequest } from '@aws-sdk/client-ec2';
import { type DriftPolicy, driftPoliciesOf } from '../../../../kinds/rules/drift-policy.ts';
import { isControlPlaneMachine } from '../../../../plan/labels.ts';
import { isExternallyManaged } from '../../../../plan/status/managed-by.ts';
import { metadataOptions } from '../launch/machine-options.ts';
import { givenInterfaces } from '../launch/network-interfaces.ts';
import { mayBeLaunched, readRecordedLaunch } from '../launch/recorded.ts';
import { type GroupWishes, groupWishes } from './applied-groups.ts';
import type { Difference, InterfaceGroups, ListedInstance, PlacedMachine } from './difference.ts';

/** Settings of a running instance: its security groups and the options of its metadata service. */

/**
 * The groups of the machine's role and its own, as in upstream; undefined if one is unknown yet, or is selected by
 * filters, which the sweep does not evaluate for every machine.
 */
const wantedGroups = ({ machine, infrastructure, awsCluster }: PlacedMachine): string[] | undefined => {
  const known: Readonly<Record<string, { id: string }>> = awsCluster.status?.networkStatus?.securityGroups ?? {};
  const overrides: Readonly<Record<string, string>> = infrastructure.spec.securityGroupOverrides ?? {};
  const isControlPlane = isControlPlaneMachine(machine);
  const roles = isExternallyManaged(awsCluster)
    ? Object.keys(overrides)
    : ['node', 'lb', ...(isControlPlane ? ['controlplane'] : [])];
  const own = (infrastructure.spec.additionalSecurityGroups ?? []).map(({ id }) => id);
  const ids = [...roles.map((role) => overrides[role] ?? known[role]?.id), ...own];
  return ids.every((id) => id !== undefined) ? [...new Set(ids)].sort() : undefined;
};

/**
 * The instance's interfaces, without those that a user or a CNI plugin has created: these belong to them and are
 * left alone.
 */
const ourInterfaces = ({ infrastructure }: PlacedMachine, { interfaces = [] }: ListedInstance) => {
  const given = givenInterfaces(infrastructure);
  return interfaces.filter(({ id, description }) => !given.includes(id) && !description.startsWith('aws-K8S-'));
};

const listed = (ids: readonly string[]): string => (ids.length > 0 ? ids.join(', ') : 'none');

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  [...some].sort().join() === [...others].sort().join();

/** The groups of interfaces after the machine's own changes, if they differ. */
const afterWishes = (interfaces: readonly InterfaceGroups[], { added, removed }: GroupWishes): InterfaceGroups[] =>
  interfaces.flatMap(({ id, groups }) => {
    const next = [...new Set([...groups, ...added])].filter((one) => !removed.includes(one));
    return isSame(next, groups) ? [] : [{ id, groups: next }];
  });

/** Changes in the spec, which no policy prevents. */
const wishedGroups = (
  interfaces: readonly InterfaceGroups[],
  { added, removed }: GroupWishes,
  wanted: readonly string[],
): Difference[] => {
  const changed = afterWishes(interfaces, { added, removed });
  if (changed.length === 0) return [];
  const message = `its machine specifies other security groups: added ${listed(added)}, removed ${listed(removed)}`;
  const repair = { call: 'SetGroups', interfaces: changed, applied: wanted } as const;
  return [{ kind: 'InstanceSecurityGroups', policy: 'Repair', message, repair }];
};

/** The groups of interfaces that others have changed. */
const changedGroups = (
  wrong: readonly InterfaceGroups[],
  wanted: readonly string[],
  policy: DriftPolicy,
): Difference | undefined => {
  if (wrong.length === 0) return undefined;
  const missing = wanted.filter((id) => wrong.some(({ groups }) => !groups.includes(id)));
  const foreign = [...new Set(wrong.flatMap(({ groups }) => groups))].filter((id) => !wanted.includes(id));
  const message = `its security groups are not those of its machine: missing ${listed(missing)}, foreign ${listed(foreign)}`;
  const drift = { kind: 'InstanceSecurityGroups' as const, policy, message };
  if (policy === 'Report') return drift;
  // The groups of its role make a machine reachable, so they are never given up.
  if (policy === 'Adopt' && missing.length === 0)
    return { ...drift, repair: { call: 'AdoptGroups', groupIds: foreign, applied: [...wanted, ...foreign] } };
  const groups = policy === 'Adopt' ? [...wanted, ...foreign] : wanted;
  const interfaces = wrong.map(({ id }) => ({ id, groups }));
  return { ...drift, repair: { call: 'SetGroups', interfaces, applied: wanted } };
};

export const groupsDrift = (known: PlacedMachine, instance: ListedInstance): Difference[] => {
  const wanted = wantedGroups(known);
  if (!wanted) return [];
  const policy = driftPoliciesOf(known.cluster).InstanceSecurityGroups;
  const interfaces = ourInterfaces(known, instance);
  const wrong = interfaces.filter(({ groups }) => !isSame(groups, wanted));
  const all = changedGroups(wrong, wanted, policy);
  if (!all || policy === 'Repair') return all ? [all] : [];
  const wishes = groupWishes(known.infrastructure, wanted);
  const asked = wishedGroups(wrong, wishes, wanted);
  const left = wrong.map((one) => afterWishes([one], wishes)[0] ?? one).filter(({ groups }) => !isSame(groups, wanted));
  const drift = changedGroups(left, wanted, policy);
  if (!drift) return asked;
  // One call corrects both.
  return drift.repair?.call === 'SetGroups' ? [drift] : [...asked, drift];
};

export const metadataDrift = (known: PlacedMachine, { metadata }: ListedInstance): Difference[] => {
  const { infrastructure } = known;
  // A setting that the spec does not contain is left unchanged if another program has launched the instance.
  const isOurs =
    infrastructure.spec.instanceMetadataOptions !== undefined || mayBeLaunched(readRecordedLaunch(infrastructure));
  if (!metadata || !isOurs) return [];
  const wanted: Required<InstanceMetadataOptionsRequest> = metadataOptions(infrastructure);
  const differing = Object.entries(wanted).filter(
    ([name, value]) => metadata[name] !== undefined && metadata[name] !== String(value),
  );
  if (differing.length === 0) return [];
  const policy = driftPoliciesOf(known.cluster).InstanceMetadataOptions;
  const told = differing.map(([name, value]) => `${name} is ${metadata[name]} and should be ${value}`);
  const drift = { kind: 'InstanceMetadataOptions' as const, policy, message: told.join(', ') };
  return [policy === 'Report' ? drift : { ...drift, repair: { call: 'SetMetadataOptions', options: wanted } }];
};
