import type { NetworkPlan } from '../model.ts';
import { NOTHING, planTags } from '../parts.ts';
import { planCreation, type Situation } from '../situation.ts';
import type { ObservedCarrierGateway } from './model.ts';

/** The VPC's carrier gateway. There can only be one, whoever has created it. */
export const carrierGatewayOf = (
  { observed }: Pick<Situation, 'observed'>,
  vpcId: string,
): ObservedCarrierGateway | undefined => observed.carrierGateways?.find((one) => one.vpcId === vpcId);

export const planCarrierGateway = (situation: Situation, vpcId: string): NetworkPlan => {
  const tags = situation.desired.carrierGatewayTags;
  if (!tags) return NOTHING;
  const found = carrierGatewayOf(situation, vpcId);
  if (!found) return planCreation({ type: 'CreateCarrierGateway', intent: 'carrier-gateway', vpcId, tags }, situation);
  return { actions: planTags('carrierGateway', found, tags), waiting: [] };
};
