/** Resources in the account to which a machine or a cluster refers by id, in order to use them unchanged. */

import type { AWSMachine } from '../../../../kinds/index.ts';
import { OWNER_TAG, type Tags } from '../../tags.ts';

export interface Reference {
  /** `spec.additionalSecurityGroups`, for messages. */
  field: string;
  id: string;
}

/**
 * Whether an owner, in the form of OWNER_TAG, is a cluster in another namespace. Namespaces are the boundary between
 * tenants.
 */
const isOfAnotherNamespace = (namespace: string, owner: string | undefined): boolean =>
  owner !== undefined && !owner.startsWith(`${namespace}/`);

/** The same for the tags of a resource. A resource without our tags belongs to a user, and anyone may refer to it. */
export const belongsToAnotherNamespace = (namespace: string, tags: Tags): boolean =>
  isOfAnotherNamespace(namespace, tags[OWNER_TAG]);

/**
 * The references in the spec of a machine. `groupIds`: its additional groups, including those that filters have found.
 */
export const referencesOf = (
  { spec }: AWSMachine,
  { groupIds, subnetIds }: { groupIds: readonly string[]; subnetIds: readonly string[] },
): Reference[] => [
  ...groupIds.map((id) => ({ field: 'spec.additionalSecurityGroups', id })),
  ...Object.values(spec.securityGroupOverrides ?? {}).map((id) => ({ field: 'spec.securityGroupOverrides', id })),
  ...(spec.networkInterfaces ?? []).map((id) => ({ field: 'spec.networkInterfaces', id })),
  ...(spec.hostID ? [{ field: 'spec.hostID', id: spec.hostID }] : []),
  ...subnetIds.map((id) => ({ field: 'spec.subnet', id })),
];

/**
 * Why the first resource that belongs to a cluster in another namespace cannot be used. `owners`: by id, in the form of
 * OWNER_TAG.
 */
export const referenceProblem = (
  namespace: string,
  references: readonly Reference[],
  owners: ReadonlyMap<string, string>,
): string | undefined => {
  const foreign = references.find(({ id }) => isOfAnotherNamespace(namespace, owners.get(id)));
  return foreign && `${foreign.field}: ${foreign.id} belongs to a cluster of another namespace and cannot be used`;
};
