import type { Tags } from '../../tags.ts';

/** The way out of public subnets in Wavelength Zones. */

export interface ObservedCarrierGateway {
  id: string;
  vpcId: string;
  tags: Tags;
}

export interface SeenCarrierGateways {
  /** Undefined if not requested. */
  carrierGateways?: readonly ObservedCarrierGateway[];
}

export interface WantedCarrierGateway {
  carrierGatewayTags?: Tags;
}

export type CarrierGatewayAction =
  | { type: 'CreateCarrierGateway'; intent: string; vpcId: string; tags: Tags }
  | { type: 'DeleteCarrierGateway'; gatewayId: string };
