import { ownershipTag } from '../tags.ts';
import type { Ec2NetworkReads } from './api.ts';
import type { View } from './driver.ts';
import { lookWith } from './drivers.ts';
import type { ObservedNetwork } from './model.ts';
import type { ObserveOptions } from './observe-options.ts';
import { isOwnVpc } from './vpc/choose.ts';
import { observeVpcs } from './vpc/observe.ts';

/** The reads of a network. */
export type NetworkView = Ec2NetworkReads;

/**
 * A snapshot of a cluster's network: its VPCs with their contents, its unattached gateways and its addresses, without
 * its bastions.
 */
export const observeNetwork = async (ec2: NetworkView, options: ObserveOptions): Promise<ObservedNetwork> => {
  const { cluster, purpose, spec, named = { subnets: [], securityGroups: [] } } = options;
  const byTag = { name: `tag:${ownershipTag(cluster.name)}`, values: ['owned'] };
  const vpcs = await observeVpcs(ec2, options, byTag);
  const ownVpcIds = vpcs.filter((vpc) => isOwnVpc(cluster, vpc)).map(({ id }) => id);
  const view: View = { cluster, purpose, spec, named, byTag, vpcIds: vpcs.map(({ id }) => id), ownVpcIds };
  return lookWith(ec2, view, { vpcs });
};
