import type { NetworkPlan } from '../model.ts';
import { isDuplicate, NOTHING, ownIn, planTags } from '../parts.ts';
import { planCreation, type Situation } from '../situation.ts';
import type { ObservedEgressOnlyGateway } from './model.ts';

/** The VPC's egress-only internet gateway. */
export const egressOnlyGatewayOf = (
  situation: Pick<Situation, 'desired' | 'observed'>,
  vpcId: string,
): ObservedEgressOnlyGateway | undefined => ownIn(situation, situation.observed.egressOnlyGateways, vpcId)[0];

export const planEgressOnlyGateway = (situation: Situation, vpcId: string): NetworkPlan => {
  const tags = situation.desired.egressOnlyGatewayTags;
  if (!tags) return NOTHING;
  const [first, ...others] = ownIn(situation, situation.observed.egressOnlyGateways, vpcId);
  if (!first) {
    const intent = 'egress-only-internet-gateway';
    return planCreation({ type: 'CreateEgressOnlyInternetGateway', intent, vpcId, tags }, situation);
  }
  const surplus = others.filter(isDuplicate).map(({ id }) => ({
    type: 'DeleteEgressOnlyInternetGateway' as const,
    gatewayId: id,
  }));
  return { actions: [...planTags('egressOnlyGateway', first, tags), ...surplus], waiting: [] };
};
