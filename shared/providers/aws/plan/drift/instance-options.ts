import type { InstanceMetadataOptionsRequest } from '@aws-sdk/client-ec2';
import { driftPoliciesOf } from '../../../../kinds/rules/drift-policy.ts';
import { isControlPlaneMachine } from '../../../../plan/labels.ts';
import { isExternallyManaged } from '../../../../plan/status/managed-by.ts';
import { metadataOptions } from '../launch/machine-options.ts';
import { givenInterfaces } from '../launch/network-interfaces.ts';
import { mayBeLaunched, readRecordedLaunch } from '../launch/recorded.ts';
import type { Difference, ListedInstance, PlacedMachine } from './difference.ts';

/** Settings of a running instance: who may reach it, and how it reaches its metadata. */

/**
 * The groups of the machine's role and its own, as upstream; undefined if one is unknown yet, or is selected by
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

/** Interfaces that a person made, and those that a network plug-in attaches for pods, are theirs. */
const ourInterfaces = ({ infrastructure }: PlacedMachine, { interfaces = [] }: ListedInstance) => {
  const given = givenInterfaces(infrastructure);
  return interfaces.filter(({ id, description }) => !given.includes(id) && !description.startsWith('aws-K8S-'));
};

const listed = (ids: readonly string[]): string => (ids.length > 0 ? ids.join(', ') : 'none');

export const groupsDrift = (known: PlacedMachine, instance: ListedInstance): Difference[] => {
  const wanted = wantedGroups(known);
  if (!wanted) return [];
  const isAsWanted = (ids: readonly string[]) => [...ids].sort().join() === wanted.join();
  const wrong = ourInterfaces(known, instance).filter(({ groups }) => !isAsWanted(groups));
  if (wrong.length === 0) return [];
  const policy = driftPoliciesOf(known.cluster).InstanceSecurityGroups;
  const has = new Set(wrong.flatMap(({ groups }) => groups));
  const missing = wanted.filter((id) => wrong.some(({ groups }) => !groups.includes(id)));
  const foreign = [...has].filter((id) => !wanted.includes(id));
  const message = `its security groups are not those of its machine: missing ${listed(missing)}, foreign ${listed(foreign)}`;
  const drift = { kind: 'InstanceSecurityGroups' as const, policy, message };
  if (policy === 'Report') return [drift];
  // The groups of its role are what makes a machine reachable: they are never given up.
  if (policy === 'Adopt' && missing.length === 0)
    return [{ ...drift, repair: { call: 'AdoptGroups', groupIds: foreign } }];
  const kept = policy === 'Adopt' ? [...wanted, ...foreign] : wanted;
  return [{ ...drift, repair: { call: 'SetGroups', interfaceIds: wrong.map(({ id }) => id), groupIds: kept } }];
};

export const metadataDrift = (known: PlacedMachine, { metadata }: ListedInstance): Difference[] => {
  const { infrastructure } = known;
  // A setting of another program's launch that the spec does not specify is left unchanged.
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
