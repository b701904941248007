import { isOwnedBy } from '../../tags.ts';
import type { TakeDownPlan, TakeDownSituation } from '../driver.ts';
import { isGone } from '../nat-gateways/take-down.ts';

export const takeDownAddresses = ({ cluster, observed }: TakeDownSituation): TakeDownPlan => {
  const used = new Set(observed.natGateways.filter((one) => !isGone(one)).map(({ allocationId }) => allocationId));
  const owned = observed.addresses.filter(({ tags }) => isOwnedBy(cluster, tags));
  const free = owned.filter(({ isAssociated, allocationId }) => !isAssociated && !used.has(allocationId));
  return {
    actions: free.map(({ allocationId }) => ({ type: 'ReleaseAddress', allocationId })),
    blockers: owned
      .filter((address) => !free.includes(address))
      .map(({ allocationId, publicIp }) => `address ${allocationId} (${publicIp}), which is in use`),
  };
};
