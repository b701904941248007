import type { Tags } from '../../tags.ts';

export interface ObservedInternetGateway {
  id: string;
  /** Undefined while it is not attached. */
  vpcId?: string;
  tags: Tags;
}

export interface SeenInternetGateways {
  internetGateways: readonly ObservedInternetGateway[];
}

export interface WantedInternetGateway {
  internetGatewayTags: Tags;
}

export type InternetGatewayAction =
  | { type: 'CreateInternetGateway'; intent: string; tags: Tags }
  | { type: 'AttachInternetGateway'; internetGatewayId: string; vpcId: string }
  | { type: 'DetachInternetGateway'; internetGatewayId: string; vpcId: string }
  | { type: 'DeleteInternetGateway'; internetGatewayId: string };
