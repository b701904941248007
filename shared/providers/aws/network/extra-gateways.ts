import { isOwnedBy } from '../tags.ts';
import type { ObservedGateway } from './model-gateways.ts';
import type { Situation } from './situation.ts';
import { byAge } from './vpc/choose.ts';

/** What is ours in the VPC, the oldest first. */
export const ownIn = <T extends ObservedGateway>(
  { desired }: Pick<Situation, 'desired'>,
  things: readonly T[] | undefined,
  vpcId: string,
): T[] => (things ?? []).filter((one) => one.vpcId === vpcId && isOwnedBy(desired.cluster, one.tags)).sort(byAge);

/** The VPC's egress-only internet gateway. */
export const egressOnlyGatewayOf = (
  situation: Pick<Situation, 'desired' | 'observed'>,
  vpcId: string,
): ObservedGateway | undefined => ownIn(situation, situation.observed.egressOnlyGateways, vpcId)[0];

/** The VPC's carrier gateway: there can be one only, whoever made it. */
export const carrierGatewayOf = (
  { observed }: Pick<Situation, 'observed'>,
  vpcId: string,
): ObservedGateway | undefined => observed.carrierGateways?.find((one) => one.vpcId === vpcId);
