import type { Tags } from '../../tags.ts';

/** Tags of existing resources. */

export type ResourceKind =
  | 'vpc'
  | 'subnet'
  | 'internetGateway'
  | 'routeTable'
  | 'securityGroup'
  | 'natGateway'
  | 'egressOnlyGateway'
  | 'carrierGateway'
  | 'endpoint';

export type TagAction =
  | { type: 'CreateTags'; kind: ResourceKind; resourceId: string; tags: Tags }
  | { type: 'DeleteTags'; resourceId: string; keys: readonly string[] };
