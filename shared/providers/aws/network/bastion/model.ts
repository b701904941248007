import type { Tags } from '../../tags.ts';

export interface ObservedBastion {
  id: string;
  /** As EC2 names it: `pending`, `running`, … */
  state: string;
  type?: string;
  imageId?: string;
  subnetId?: string;
  zone?: string;
  keyName?: string;
  privateIp?: string;
  publicIp?: string;
  ipv6Address?: string;
  groupIds: readonly string[];
  tags: Tags;
}

export interface SeenBastions {
  /** Read for deletion only. */
  bastions?: readonly ObservedBastion[];
}

export type BastionAction = { type: 'TerminateBastion'; instanceId: string };
