import type * as sdk from '@aws-sdk/client-auto-scaling';
import { notSimulated } from '../../wire/fault.ts';
import { type AutoScaling, validationError } from '../state.ts';
import type { Traffic } from '../traffic.ts';

interface TrafficInput {
  readonly TargetGroupARNs?: readonly string[];
  readonly LoadBalancerNames?: readonly string[];
  readonly TrafficSources?: readonly sdk.TrafficSourceIdentifier[];
}

const unique = (items: readonly string[]): string[] => [...new Set(items)];

/** The target groups and load balancers in a call. Throws a ValidationError for one that does not exist. */
export const readTraffic = (as: AutoScaling, input: TrafficInput): Traffic => {
  const { elb, classicElb } = as.neighbours;
  const sources = input.TrafficSources ?? [];
  const ofType = (type: string) =>
    sources.filter(({ Type = 'elbv2' }) => Type === type).map(({ Identifier = '' }) => Identifier);
  if (ofType('vpc-lattice').length > 0) throw notSimulated('a traffic source of the type vpc-lattice');
  const targetGroupArns = unique([...(input.TargetGroupARNs ?? []), ...ofType('elbv2')]);
  const loadBalancerNames = unique([...(input.LoadBalancerNames ?? []), ...ofType('elb')]);
  if (targetGroupArns.some((arn) => !elb.targetGroups.has(arn)))
    throw validationError('Provided Target Groups may not be valid. Please ensure they exist and try again.');
  if (loadBalancerNames.some((name) => !classicElb.loadBalancers.has(name)))
    throw validationError('Provided Load Balancers may not be valid. Please ensure they exist and try again.');
  return { targetGroupArns, loadBalancerNames };
};
