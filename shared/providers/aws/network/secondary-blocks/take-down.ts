import type { TakeDownPlan, TakeDownSituation } from '../driver.ts';
import type { NetworkAction } from '../model.ts';

/** Secondary blocks are deleted when no subnet is left, before the VPC. */
export const takeDownSecondaryBlocks = ({ observed: { vpcs, subnets } }: TakeDownSituation): TakeDownPlan => ({
  actions: vpcs
    .filter(({ id }) => !subnets.some(({ vpcId }) => vpcId === id))
    .flatMap(({ id, secondary = [] }) =>
      secondary.map(
        ({ associationId, cidrBlock }): NetworkAction => ({
          type: 'DisassociateVpcBlock',
          vpcId: id,
          associationId,
          cidrBlock,
        }),
      ),
    ),
  blockers: [],
});
