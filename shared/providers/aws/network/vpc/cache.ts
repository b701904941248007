import type { Tags } from '../../tags.ts';
import type { KnownNetwork } from '../cached-lists.ts';
import type { DriverCache } from '../driver.ts';
import { attachedTo, inVpcs, isShown } from '../filters.ts';
import type { ObservedVpc, VpcNumbers } from './model.ts';

const listVpc = (known: KnownNetwork, vpc: ObservedVpc): void =>
  known.update('describeVpcs', (filters) => {
    const isThere = isShown(filters, { vpcId: vpc.id, tags: vpc.tags });
    if (isThere === undefined) return undefined;
    return (vpcs) => (isThere ? [...vpcs.filter(({ id }) => id !== vpc.id), vpc] : vpcs);
  });

/** A new VPC contains only its main route table and its default security group, with EC2's DNS defaults. */
const learnVpc = (
  known: KnownNetwork,
  id: string,
  { cidrBlock, ipamPool, ipv6, tags }: VpcNumbers & { tags: Tags },
): void => {
  // EC2 only shows later which ranges it got from a pool.
  if (ipamPool || ipv6) known.forget('describeVpcs');
  else listVpc(known, { id, cidrBlock: cidrBlock ?? '', secondary: [], ipv6: [], tags });
  known.put('describeVpcDns', [id], { dnsHostnames: false, dnsSupport: true });
  known.put('describeSubnets', [inVpcs([id])], []);
  known.put('describeNatGateways', [inVpcs([id])], []);
  known.put('describeInternetGateways', [attachedTo([id])], []);
};

export const vpcCache: DriverCache = {
  reads: ['describeVpcs', 'describeVpcDns'],
  updates: {
    createVpc: learnVpc,
    modifyVpcAttribute: (known, _, { vpcId, attribute }) => {
      const on = attribute === 'EnableDnsHostnames' ? { dnsHostnames: true } : { dnsSupport: true };
      known.update('describeVpcDns', (id) => (dns) => (id === vpcId ? { ...dns, ...on } : dns));
    },
  },
};
