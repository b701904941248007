import type { SubnetSpec } from '../../../../kinds/schema/aws-network.ts';

/** The generated Name tag of a subnet, which is also the id of an entry that the layout adds. */
export const subnetName = (cluster: string, isPublic: boolean, zone: string): string =>
  `${cluster}-subnet-${isPublic ? 'public' : 'private'}-${zone}`;

/**
 * The user's id for a subnet that is to be created, which becomes its Name tag. As in upstream, an id that begins with
 * `subnet-` does not. An existing subnet keeps its name: if it has another one, it was created by a version that did
 * not use the id.
 */
export const givenName = ({ id, resourceID }: Pick<SubnetSpec, 'id' | 'resourceID'>): string | undefined =>
  resourceID || id === '' || id.startsWith('subnet-') ? undefined : id;
