import type { Tags } from '../../tags.ts';

/** The way out of private subnets over IPv6. */

export interface ObservedEgressOnlyGateway {
  id: string;
  vpcId: string;
  tags: Tags;
}

export interface SeenEgressOnlyGateways {
  /** Undefined if not requested. */
  egressOnlyGateways?: readonly ObservedEgressOnlyGateway[];
}

export interface WantedEgressOnlyGateway {
  egressOnlyGatewayTags?: Tags;
}

export type EgressOnlyGatewayAction =
  | { type: 'CreateEgressOnlyInternetGateway'; intent: string; vpcId: string; tags: Tags }
  | { type: 'DeleteEgressOnlyInternetGateway'; gatewayId: string };
