import type * as sdk from '@aws-sdk/client-auto-scaling';
import type { Handlers } from '../../wire/handlers.ts';
import type { Group } from '../records.ts';
import { type AutoScaling, getGroup } from '../state.ts';
import { admitTraffic, endTraffic, isServing, type Traffic } from '../traffic.ts';
import { page } from './pages.ts';
import { readTraffic } from './read-traffic.ts';

const inService = (group: Group): string[] =>
  [...group.members.values()].filter(({ state }) => state === 'InService').map(({ id }) => id);

const attach = (as: AutoScaling, group: Group, traffic: Traffic): void => {
  for (const id of inService(group)) admitTraffic(as, traffic, id);
  group.targetGroupArns = [...new Set([...group.targetGroupArns, ...traffic.targetGroupArns])];
  group.loadBalancerNames = [...new Set([...group.loadBalancerNames, ...traffic.loadBalancerNames])];
};

const detach = (as: AutoScaling, group: Group, traffic: Traffic): void => {
  for (const { id } of group.members.values()) endTraffic(as, traffic, id);
  group.targetGroupArns = group.targetGroupArns.filter((arn) => !traffic.targetGroupArns.includes(arn));
  group.loadBalancerNames = group.loadBalancerNames.filter((name) => !traffic.loadBalancerNames.includes(name));
};

const NOTHING: Traffic = { targetGroupArns: [], loadBalancerNames: [] };

/** `InService` once an instance of the group gets traffic from it. */
const stateOf = (as: AutoScaling, group: Group, traffic: Partial<Traffic>): string =>
  inService(group).some((id) => isServing(as, { ...NOTHING, ...traffic }, id)) ? 'InService' : 'Added';

const sourcesOf = (
  as: AutoScaling,
  group: Group,
): Required<Pick<sdk.TrafficSourceState, 'Identifier' | 'Type' | 'State'>>[] => [
  ...group.targetGroupArns.map((arn) => ({
    ...{ Identifier: arn, Type: 'elbv2' },
    State: stateOf(as, group, { targetGroupArns: [arn] }),
  })),
  ...group.loadBalancerNames.map((name) => ({
    ...{ Identifier: name, Type: 'elb' },
    State: stateOf(as, group, { loadBalancerNames: [name] }),
  })),
];

/** Load balancers of groups, by three families of calls. */
export const trafficActions = (as: AutoScaling): Handlers<typeof sdk> => {
  type Change = (as: AutoScaling, group: Group, traffic: Traffic) => void;
  const changing =
    (change: Change) =>
    (input: Parameters<typeof readTraffic>[1] & { readonly AutoScalingGroupName: string | undefined }) => {
      change(as, getGroup(as, input.AutoScalingGroupName), readTraffic(as, input));
      return {};
    };
  const describe = (
    input: { AutoScalingGroupName?: string | undefined; MaxRecords?: number; NextToken?: string },
    type?: string,
  ) => {
    const group = getGroup(as, input.AutoScalingGroupName);
    return page(
      sourcesOf(as, group).filter(({ Type }) => type === undefined || Type === type),
      input,
    );
  };
  return {
    AttachLoadBalancerTargetGroups: changing(attach),
    DetachLoadBalancerTargetGroups: changing(detach),
    AttachLoadBalancers: changing(attach),
    DetachLoadBalancers: changing(detach),
    AttachTrafficSources: changing(attach),
    DetachTrafficSources: changing(detach),
    DescribeLoadBalancerTargetGroups: (input) => {
      const { rows, NextToken } = describe(input, 'elbv2');
      return {
        LoadBalancerTargetGroups: rows.map(({ Identifier, State }) => ({
          LoadBalancerTargetGroupARN: Identifier,
          State,
        })),
        NextToken,
      };
    },
    DescribeLoadBalancers: (input) => {
      const { rows, NextToken } = describe(input, 'elb');
      return {
        LoadBalancers: rows.map(({ Identifier, State }) => ({ LoadBalancerName: Identifier, State })),
        NextToken,
      };
    },
    DescribeTrafficSources: (input) => {
      const { rows, NextToken } = describe(input, input.TrafficSourceType);
      return { TrafficSources: rows, NextToken };
    },
  };
};
