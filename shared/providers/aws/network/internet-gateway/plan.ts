import { isOwnedBy } from '../../tags.ts';
import type { NetworkAction, NetworkPlan } from '../model.ts';
import { isDuplicate, planGatewayTags } from '../parts.ts';
import { planCreation, type Situation } from '../situation.ts';
import { byAge } from '../vpc/choose.ts';
import type { ObservedInternetGateway } from './model.ts';

/** Our unattached internet gateways, oldest first. */
const looseGateways = ({ desired, observed }: Situation): ObservedInternetGateway[] =>
  observed.internetGateways
    .filter(({ vpcId, tags }) => vpcId === undefined && isOwnedBy(desired.cluster, tags))
    .sort(byAge);

export const planInternetGateway = (situation: Situation, vpcId: string | undefined): NetworkPlan => {
  const { desired, observed } = situation;
  if (!desired.subnets.some(({ isPublic }) => isPublic)) return { actions: [], waiting: [] };
  const loose = looseGateways(situation);
  const attached = observed.internetGateways.find((gateway) => vpcId !== undefined && gateway.vpcId === vpcId);
  if (attached) {
    const tagging = planGatewayTags('internetGateway', desired.cluster, attached, desired.internetGatewayTags);
    const surplus = loose
      .filter(isDuplicate)
      .map(({ id }): NetworkAction => ({ type: 'DeleteInternetGateway', internetGatewayId: id }));
    return { actions: [...tagging, ...surplus], waiting: [] };
  }
  const [oldest] = loose;
  if (!oldest) {
    const action = {
      type: 'CreateInternetGateway',
      intent: 'internet-gateway',
      tags: desired.internetGatewayTags,
    } as const;
    return planCreation(action, situation);
  }
  if (vpcId === undefined) return { actions: [], waiting: [] };
  return { actions: [{ type: 'AttachInternetGateway', internetGatewayId: oldest.id, vpcId }], waiting: [] };
};
