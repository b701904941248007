import {
  CreateListenerCommand,
  DeleteListenerCommand,
  type ElasticLoadBalancingV2Client,
  type Listener,
  ModifyListenerCommand,
  paginateDescribeListeners,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { collectPages } from '../../../../aws/pages.ts';
import { type Tags, toTagList } from '../../tags.ts';
import type { ObservedListener } from './model.ts';

export interface ListenerReads {
  describeListeners(loadBalancerArn: string): Promise<ObservedListener[]>;
}

export interface ListenerWrites {
  createListener(input: {
    loadBalancerArn: string;
    port: number;
    targetGroupArn: string;
    tags: Tags;
  }): Promise<ObservedListener | undefined>;
  setListener(arn: string, targetGroupArn: string): Promise<void>;
  deleteListener(arn: string): Promise<void>;
}

const toListener = ({ ListenerArn: arn, Port: port, DefaultActions }: Listener): ObservedListener | undefined =>
  arn && port !== undefined ? { arn, port, targetGroupArn: DefaultActions?.[0]?.TargetGroupArn } : undefined;

export const listenerReads = (client: ElasticLoadBalancingV2Client): ListenerReads => ({
  describeListeners: async (loadBalancerArn) => {
    const pages = paginateDescribeListeners({ client }, { LoadBalancerArn: loadBalancerArn });
    const listeners = await collectPages(pages, ({ Listeners }) => Listeners);
    return listeners.flatMap((listener) => toListener(listener) ?? []);
  },
});

const forwardTo = (TargetGroupArn: string) => [{ Type: 'forward' as const, TargetGroupArn }];

export const listenerWrites = (client: ElasticLoadBalancingV2Client): ListenerWrites => ({
  createListener: async ({ loadBalancerArn, port, targetGroupArn, tags }) => {
    const command = new CreateListenerCommand({
      LoadBalancerArn: loadBalancerArn,
      Port: port,
      Protocol: 'TCP',
      DefaultActions: forwardTo(targetGroupArn),
      Tags: toTagList(tags),
    });
    const [made] = (await client.send(command)).Listeners ?? [];
    return made && toListener(made);
  },
  setListener: async (arn, targetGroupArn) => {
    await client.send(new ModifyListenerCommand({ ListenerArn: arn, DefaultActions: forwardTo(targetGroupArn) }));
  },
  deleteListener: async (arn) => {
    await client.send(new DeleteListenerCommand({ ListenerArn: arn }));
  },
});
