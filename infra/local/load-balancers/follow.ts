/**
 * Gives the load balancers of another endpoint a data path. They are found through its API, as the simulated machines
 * are.
 */
import {
  DescribeListenersCommand,
  DescribeTargetHealthCommand,
  type ElasticLoadBalancingV2Client,
  type Listener,
  LoadBalancerNotFoundException,
  paginateDescribeLoadBalancers,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { Clock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import type { DataPlane, Endpoint } from '../engines/elbv2/data-plane.ts';
import { type FrontDoor, openFrontDoor } from './front-door.ts';

export interface FollowOptions {
  /** The client for one region, where the load balancers' names must resolve to addresses of this computer. */
  client: ElasticLoadBalancingV2Client;
  dataPlane: DataPlane;
  clock: Clock;
  log: Log;
  pollMilliseconds: number;
}

interface Wanted {
  arn: string;
  address: Endpoint;
  targetGroupArn: string;
}

const targetGroupOf = ({ DefaultActions = [] }: Listener): string | undefined =>
  DefaultActions.find(({ Type }) => Type === 'forward')?.TargetGroupArn;

/** Empty if the load balancer was deleted in the meantime. */
const listenersOf = async (
  client: ElasticLoadBalancingV2Client,
  LoadBalancerArn: string | undefined,
): Promise<Listener[]> => {
  try {
    const { Listeners = [] } = await client.send(new DescribeListenersCommand({ LoadBalancerArn }));
    return Listeners;
  } catch (error) {
    if (error instanceof LoadBalancerNotFoundException) return [];
    throw error;
  }
};

/** The listeners of all load balancers, with the addresses that they must listen on. */
const listListeners = async (client: ElasticLoadBalancingV2Client): Promise<Wanted[]> => {
  const found: Wanted[] = [];
  for await (const { LoadBalancers = [] } of paginateDescribeLoadBalancers({ client }, {}))
    for (const { LoadBalancerArn, DNSName = '' } of LoadBalancers) {
      for (const listener of await listenersOf(client, LoadBalancerArn)) {
        const targetGroupArn = targetGroupOf(listener);
        const { ListenerArn: arn = '', Port: port = 0 } = listener;
        if (targetGroupArn) found.push({ arn, address: { host: DNSName, port }, targetGroupArn });
      }
    }
  return found;
};

/**
 * The real addresses of the registered machines. A machine that does not serve the port is no target, regardless of the
 * endpoint.
 */
const endpointsOf = async ({ client, dataPlane }: FollowOptions, TargetGroupArn: string): Promise<Endpoint[]> => {
  const { TargetHealthDescriptions = [] } = await client.send(new DescribeTargetHealthCommand({ TargetGroupArn }));
  return TargetHealthDescriptions.flatMap(({ Target, TargetHealth }) => {
    if (TargetHealth?.State === 'draining') return [];
    return dataPlane.endpointOf(Target?.Id ?? '', Target?.Port ?? 0) ?? [];
  });
};

/** Follows the listeners until the signal aborts. Never rejects: a failed poll is logged and repeated. */
export const followLoadBalancers = async (options: FollowOptions, signal: AbortSignal): Promise<void> => {
  const { client, clock, log, pollMilliseconds } = options;
  const doors = new Map<string, FrontDoor>();

  const look = async (): Promise<void> => {
    const wanted = await listListeners(client);
    const arns = new Set(wanted.map(({ arn }) => arn));
    for (const [arn, door] of doors) {
      if (arns.has(arn)) continue;
      door.close();
      doors.delete(arn);
    }
    for (const { arn, address, targetGroupArn } of wanted)
      if (!doors.has(arn))
        doors.set(
          arn,
          openFrontDoor(address, () => endpointsOf(options, targetGroupArn), { clock, log }),
        );
  };

  while (!signal.aborted) {
    try {
      await look();
    } catch (error) {
      log.warn('the load balancers could not be listed', { error: String(error) });
    }
    await clock.sleep(pollMilliseconds, signal).catch(() => undefined);
  }
  for (const door of doors.values()) door.close();
};
