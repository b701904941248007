import { isOwnedBy } from '../../tags.ts';
import type { TakeDownPlan, TakeDownSituation } from '../driver.ts';
import { isGone } from '../nat-gateways/take-down.ts';
import { join } from '../parts.ts';

export const takeDownSubnets = ({ cluster, observed }: TakeDownSituation): TakeDownPlan =>
  join(
    observed.subnets.map(({ id, tags }): TakeDownPlan => {
      if (!isOwnedBy(cluster, tags)) {
        return { actions: [], blockers: [`subnet ${id}, which does not belong to the cluster`] };
      }
      const isUsed =
        observed.networkInterfaces.some(({ subnetId }) => subnetId === id) ||
        observed.natGateways.some((gateway) => gateway.subnetId === id && !isGone(gateway));
      return { actions: isUsed ? [] : [{ type: 'DeleteSubnet', subnetId: id }], blockers: [] };
    }),
  );
