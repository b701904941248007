import type { AWSClusterSpec } from '../../../kinds/aws-cluster/schema.ts';
import type { DesiredInput } from './desired-input.ts';
import { wantedBy } from './drivers.ts';
import type { DesiredNetwork, ObservedNetwork } from './model.ts';
import { liveNatIps } from './nat-gateways/record.ts';
import { ruleSources } from './security-groups/rule-sources.ts';
import { discoverSubnets, unmanagedNatIps } from './users-vpc/discover.ts';
import { chooseVpc } from './vpc/choose.ts';

/** The desired network of an AWSCluster, with upstream's names and tags. */
export const desiredNetwork = (input: DesiredInput): DesiredNetwork => ({
  cluster: input.cluster,
  clusterUid: input.clusterUid,
  ...wantedBy(input),
});

/** AWS ids that the spec contains, at any path. */
export const namedIds = (spec: AWSClusterSpec): { subnets: string[]; securityGroups: string[] } => ({
  subnets: (spec.network?.subnets ?? [])
    .map(({ id, resourceID }) => resourceID ?? id)
    .filter((id) => /^subnet-/.test(id)),
  securityGroups: [
    ...Object.values(spec.network?.securityGroupOverrides ?? {}),
    ...ruleSources(spec).flatMap(({ id }) => id ?? []),
  ],
});

/**
 * The desired network with data that only AWS has: the addresses of the NAT gateways, and the range of the VPC, which
 * the spec may state wrongly for an existing one. Rules of security groups depend on both.
 */
export const desiredFrom = (input: Omit<DesiredInput, 'natIps'>, observed: ObservedNetwork): DesiredNetwork => {
  const ownNatIps = liveNatIps(observed);
  const desired = desiredNetwork({ ...input, natIps: ownNatIps });
  const choice = chooseVpc(desired, observed.vpcs);
  if (choice.state !== 'ours' && choice.state !== 'unmanaged') return desired;
  const { id, cidrBlock } = choice.vpc;
  const { network } = input.spec;
  const spec = { ...input.spec, network: { ...network, vpc: { ...network?.vpc, cidrBlock } } };
  const isOwn = choice.state === 'ours';
  const natIps = isOwn ? ownNatIps : unmanagedNatIps(discoverSubnets(desired, observed, id), observed);
  return desiredNetwork({ ...input, spec, natIps });
};
