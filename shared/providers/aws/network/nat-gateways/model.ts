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

/** With an address that was not allocated for this gateway: only an intent shows its zone while the gateway is hidden. */
type IntendedNatGateway = CreateNatGateway & {
  intent: string;
  /** What the token names: the address. */
  named: string;
};

export type NatGatewayAction =
  | CreateNatGateway
  | IntendedNatGateway
  | { type: 'DeleteNatGateway'; natGatewayId: string };

/** How the condition begins that names the gateways that AWS is still making. */
export const COMING = 'Waiting for AWS to create';
