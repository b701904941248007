import type { Tags } from '../../tags.ts';

/** The gateway endpoint of S3. */

export interface ObservedEndpoint {
  id: string;
  vpcId: string;
  serviceName: string;
  routeTableIds: readonly string[];
  tags: Tags;
}

export interface SeenEndpoints {
  /** Undefined if not requested. */
  endpoints?: readonly ObservedEndpoint[];
}

export interface WantedEndpoint {
  endpoint?: { serviceName: string; tags: Tags };
}

export type EndpointAction =
  | {
      type: 'CreateVpcEndpoint';
      intent: string;
      vpcId: string;
      serviceName: string;
      routeTableIds: readonly string[];
      tags: Tags;
    }
  | { type: 'ModifyVpcEndpoint'; endpointId: string; add: readonly string[]; remove: readonly string[] }
  | { type: 'DeleteVpcEndpoint'; endpointId: string };
