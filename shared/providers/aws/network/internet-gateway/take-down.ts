import { isOwnedBy } from '../../tags.ts';
import type { TakeDownPlan, TakeDownSituation } from '../driver.ts';
import { isGone } from '../nat-gateways/take-down.ts';
import { join } from '../parts.ts';

export const takeDownInternetGateways = ({ cluster, observed }: TakeDownSituation): TakeDownPlan => {
  // EC2 does not detach a gateway while an address of the VPC is mapped through it.
  const mapped = new Set(observed.natGateways.filter((one) => !isGone(one)).map(({ vpcId }) => vpcId));
  const vpcIds = new Set(observed.vpcs.map(({ id }) => id));
  const parts = observed.internetGateways.flatMap(({ id, vpcId, tags }): TakeDownPlan[] => {
    const isOwned = isOwnedBy(cluster, tags);
    if (vpcId === undefined) {
      return isOwned ? [{ actions: [{ type: 'DeleteInternetGateway', internetGatewayId: id }], blockers: [] }] : [];
    }
    if (!vpcIds.has(vpcId)) return [];
    if (!isOwned) {
      return [{ actions: [], blockers: [`internet gateway ${id}, which does not belong to the cluster`] }];
    }
    if (mapped.has(vpcId)) return [];
    return [{ actions: [{ type: 'DetachInternetGateway', internetGatewayId: id, vpcId }], blockers: [] }];
  });
  return join(parts);
};
