import type { Tags } from '../../tags.ts';

export interface ObservedBastion {
  id: string;
  /** EC2's state: `pending`, `running`, … */
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
  /** Only read for deletion. */
  bastions?: readonly ObservedBastion[];
}

export type BastionAction = { type: 'TerminateBastion'; instanceId: string };
