import type { Tags } from '../../tags.ts';

/** Elastic IP addresses of NAT gateways. */

export interface ObservedAddress {
  allocationId: string;
  publicIp: string;
  isAssociated: boolean;
  tags: Tags;
}

export interface SeenAddresses {
  addresses: readonly ObservedAddress[];
}

export interface WantedAddresses {
  addressTags: Tags;
  elasticIpPool?: { id: string; fallsBack: boolean };
}

export type AddressAction =
  | { type: 'AllocateAddress'; intent: string; pool?: string; tags: Tags }
  | { type: 'ReleaseAddress'; allocationId: string };
