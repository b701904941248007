import type { Tags } from '../../tags.ts';

export interface ObservedNatGateway {
  id: string;
  vpcId: string;
  subnetId: string;
  state: 'pending' | 'available' | 'deleting' | 'deleted' | 'failed';
  allocationId?: string;
  publicIp?: string;
  /** `<code>: <message>` of a failed one. */
  failure?: string;
  tags: Tags;
}

export interface SeenNatGateways {
  natGateways: readonly ObservedNatGateway[];
}

export interface WantedNatGateways {
  natGatewayTags: Tags;
}

export type NatGatewayAction =
  | { type: 'CreateNatGateway'; subnetId: string; allocationId: string; clientToken: string; tags: Tags }
  | { type: 'DeleteNatGateway'; natGatewayId: string };

/** How the condition begins that names the gateways that AWS is still making. */
export const COMING = 'Waiting for AWS to create';
