import { isOwnedBy } from '../../tags.ts';
import type { Situation } from '../situation.ts';
import { hasSameBlock } from './kinds.ts';
import type { DesiredSubnet } from './model.ts';

/** The desired subnet's id, once it exists. */
export const subnetIdOf = (
  { desired, observed }: Situation,
  subnet: DesiredSubnet,
  vpcId: string,
): string | undefined =>
  observed.subnets.find(
    (one) => one.vpcId === vpcId && hasSameBlock(subnet, one) && isOwnedBy(desired.cluster, one.tags),
  )?.id;
