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

interface CreateNatGateway {
  type: 'CreateNatGateway';
  subnetId: string;
  allocationId: string;
  clientToken: string;
  tags: Tags;
}

/**
 * With an address that was not allocated for this gateway. As long as the gateway is not visible, only an intent shows
 * its zone.
 */
type IntendedNatGateway = CreateNatGateway & {
  intent: string;
  /** The address that the token names. */
  named: string;
};

export type NatGatewayAction =
  | CreateNatGateway
  | IntendedNatGateway
  | { type: 'DeleteNatGateway'; natGatewayId: string };

/** The beginning of the condition about the gateways that AWS is still creating. */
export const COMING = 'Waiting for AWS to create';
