import { missingTags } from '../../tags.ts';
import type { NetworkAction, NetworkPlan } from '../model.ts';
import type { Situation } from '../situation.ts';
import type { ObservedVpc } from './model.ts';

/** What the cluster's VPC lacks, and duplicates that two runs have created. */
export const planVpcSettings = (
  { desired }: Situation,
  vpc: ObservedVpc,
  duplicates: readonly ObservedVpc[],
): NetworkPlan => {
  const tags = missingTags(desired.vpc.tags, vpc.tags);
  const actions: NetworkAction[] = [
    ...(Object.keys(tags).length > 0
      ? [{ type: 'CreateTags' as const, kind: 'vpc' as const, resourceId: vpc.id, tags }]
      : []),
    ...(vpc.dnsSupport === false
      ? [{ type: 'SetVpcAttribute' as const, vpcId: vpc.id, attribute: 'EnableDnsSupport' as const }]
      : []),
    ...(vpc.dnsHostnames === false
      ? [{ type: 'SetVpcAttribute' as const, vpcId: vpc.id, attribute: 'EnableDnsHostnames' as const }]
      : []),
    ...duplicates.map(({ id }) => ({ type: 'DeleteVpc' as const, vpcId: id })),
  ];
  return { actions, waiting: [] };
};
