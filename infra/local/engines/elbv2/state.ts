import type { Ec2 } from '../ec2/state.ts';
import { AwsFault } from '../wire/fault.ts';
import type { Place } from '../wire/place.ts';
import type { DataPlane } from './data-plane.ts';
import type { LoopbackAddresses } from './loopback.ts';
import type { Listener, LoadBalancer, TargetGroup } from './records.ts';
import type { ElbSettings } from './settings.ts';

/** The complete state of the simulated load balancing of one region; all keys are ARNs. */
export interface Elb {
  readonly place: Place;
  readonly settings: ElbSettings;
  readonly ec2: Ec2;
  readonly loopback: LoopbackAddresses;
  readonly loadBalancers: Map<string, LoadBalancer>;
  readonly targetGroups: Map<string, TargetGroup>;
  readonly listeners: Map<string, Listener>;
  /** The number of created resources. */
  readonly counters: { sequence: number };
  now(): number;
  nextSequence(): number;
}

/** External effects when listeners are created and deleted; `dataPlane` finds the machines that answer. */
export interface DataPath {
  readonly dataPlane: DataPlane;
  /** False if no sockets are opened and health depends only on the data plane. */
  readonly probes: boolean;
  listenerAdded(elb: Elb, listener: Listener): void;
  listenerRemoved(listener: Listener): void;
}

export const createElb = (place: Place, settings: ElbSettings, ec2: Ec2, loopback: LoopbackAddresses): Elb => {
  const counters = { sequence: 0 };
  return {
    place,
    settings,
    ec2,
    loopback,
    loadBalancers: new Map(),
    targetGroups: new Map(),
    listeners: new Map(),
    counters,
    now: () => place.clock.now().getTime(),
    nextSequence: () => {
      counters.sequence += 1;
      return counters.sequence;
    },
  };
};

export const getLoadBalancer = (elb: Elb, arn: string | undefined): LoadBalancer => {
  const found = elb.loadBalancers.get(arn ?? '');
  if (!found) throw new AwsFault('LoadBalancerNotFound', 'One or more load balancers not found');
  return found;
};

export const getTargetGroup = (elb: Elb, arn: string | undefined): TargetGroup => {
  const found = elb.targetGroups.get(arn ?? '');
  if (!found) throw new AwsFault('TargetGroupNotFound', 'One or more target groups not found');
  return found;
};

export const getListener = (elb: Elb, arn: string | undefined): Listener => {
  const found = elb.listeners.get(arn ?? '');
  if (!found) throw new AwsFault('ListenerNotFound', 'One or more listeners not found');
  return found;
};

/** The load balancers that send to each target group, because a listener forwards to it. */
export const loadBalancersBy = (elb: Elb): ((targetGroupArn: string) => string[]) => {
  const listeners = Map.groupBy(elb.listeners.values(), ({ targetGroupArn }) => targetGroupArn);
  return (arn) => [...new Set(listeners.get(arn)?.map(({ loadBalancerArn }) => loadBalancerArn))];
};

/** The load balancers that send to one target group. */
export const loadBalancersOf = (elb: Elb, targetGroupArn: string): string[] => loadBalancersBy(elb)(targetGroupArn);
