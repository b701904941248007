import type { AWSClusterSpec } from '../../../kinds/aws-cluster/schema.ts';
import type { DesiredInput } from './desired-input.ts';
import { wantedBy } from './drivers.ts';
import type { DesiredNetwork, ObservedNetwork } from './model.ts';
import { liveNatIps } from './nat-gateways/record.ts';
import { ruleSources } from './security-groups/rule-sources.ts';
import { discoverSubnets, unmanagedNatIps } from './users-vpc/discover.ts';
import { chooseVpc } from './vpc/choose.ts';

/** The network that an AWSCluster asks for, with upstream's names and tags. */
export const desiredNetwork = (input: DesiredInput): DesiredNetwork => ({
  cluster: input.cluster,
  clusterUid: input.clusterUid,
  ...wantedBy(input),
});

/** What the spec names by AWS ids, wherever that may be. */
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
 * The network that is wanted, with what only AWS knows: the addresses of the ways out, and the range of a VPC that the
 * user brought, from both of which rules of security groups follow.
 */
export const desiredFrom = (input: Omit<DesiredInput, 'natIps'>, observed: ObservedNetwork): DesiredNetwork => {
  const desired = desiredNetwork({ ...input, natIps: liveNatIps(observed) });
  const choice = chooseVpc(desired, observed.vpcs);
  if (choice.state !== 'unmanaged') return desired;
  const { id, cidrBlock } = choice.vpc;
  const { network } = input.spec;
  const spec = { ...input.spec, network: { ...network, vpc: { ...network?.vpc, cidrBlock } } };
  const natIps = unmanagedNatIps(discoverSubnets(desired, observed, id), observed);
  return desiredNetwork({ ...input, spec, natIps });
};
