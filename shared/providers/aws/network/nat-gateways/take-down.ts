import { isOwnedBy } from '../../tags.ts';
import type { TakeDownPlan, TakeDownSituation } from '../driver.ts';
import type { ObservedNatGateway } from './model.ts';

/** True if only its entry in EC2's list is left. */
export const isGone = ({ state }: ObservedNatGateway): boolean => state === 'deleted' || state === 'failed';

export const takeDownNatGateways = ({ cluster, observed }: TakeDownSituation): TakeDownPlan => {
  const remaining = observed.natGateways.filter((gateway) => !isGone(gateway));
  const deletable = remaining.filter(({ state, tags }) => state !== 'deleting' && isOwnedBy(cluster, tags));
  const foreign = remaining.filter(({ tags }) => !isOwnedBy(cluster, tags));
  const deleting = remaining.filter(({ state, tags }) => state === 'deleting' && isOwnedBy(cluster, tags));
  return {
    actions: deletable.map(({ id }) => ({ type: 'DeleteNatGateway', natGatewayId: id })),
    blockers: [
      ...foreign.map(({ id }) => `NAT gateway ${id}, which does not belong to the cluster`),
      ...deleting.map(({ id }) => `NAT gateway ${id}, which is being deleted`),
    ],
  };
};
