import type { Tags } from '../../tags.ts';

export interface ObservedListener {
  arn: string;
  port: number;
  targetGroupArn?: string;
}

export type ListenerAction =
  | { type: 'CreateListener'; loadBalancerArn: string; port: number; targetGroupArn: string; tags: Tags }
  | { type: 'SetListener'; arn: string; port: number; targetGroupArn: string }
  | { type: 'DeleteListener'; arn: string; port: number };
