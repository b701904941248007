/** Networks with all kinds of addresses: IPv6, secondary CIDR blocks, pools of the user, and edge zones. */
import { AllocateAddressCommand } from '@aws-sdk/client-ec2';
import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import { addressTags } from '../../../../shared/providers/aws/plan/launch/address.ts';
import { toTagList } from '../../../../shared/providers/aws/tags.ts';
import type { RecordedLaptop } from '../recording.ts';
import { disturb, isUndisturbed } from './disturb.ts';
import { makeInfrastructure, patchAwsCluster, remove, type Story, sweep, until } from './story.ts';

/** A user changes the cluster's AWS resources. The spec changes as well, and one reconciliation handles both. */
const dualStack: Story = {
  name: 'dual-stack',
  run: async (laptop) => {
    await makeInfrastructure(laptop, 'dual-stack', {
      additionalTags: { team: 'blue' },
      // A network with a bucket has a VPC endpoint for S3.
      s3Bucket: { name: 'cluster-api-provider-aws-dual-stack', presignedURLDuration: '1h' },
      network: {
        vpc: {
          ipv6: {},
          secondaryCidrBlocks: [{ ipv4CidrBlock: '100.64.0.0/16' }],
          emptyRoutesDefaultVPCSecurityGroup: true,
        },
      },
    });
    await disturb(laptop, 'dual-stack');
    await patchAwsCluster(laptop, 'dual-stack', { spec: { additionalTags: null } });
    await until(laptop, 'dual-stack', 'all is fixed', () => isUndisturbed(laptop, 'dual-stack'));
    await remove(laptop, 'dual-stack');
  },
};

/** A pool that is shared by the account that manages the addresses of an organization. */
const IPAM_POOL = {
  id: 'ipam-pool-0123456789abcdef0',
  name: 'clusters',
  family: 'ipv4',
  cidr: '10.40.0.0/16',
  sharedBy: '999999999999',
} as const;
const PUBLIC_POOL = { id: 'ipv4pool-ec2-0fedcba9876543210', cidr: '198.51.100.0/29' };
const IPV6_POOL = { id: 'ipv6pool-ec2-0123456789abcdef0', cidr: '2001:db8:1::/48' };

const keepPools = ({ account: { settings } }: RecordedLaptop): void => {
  settings.ipamPools = [IPAM_POOL];
  settings.publicIpv4Pools.push(PUBLIC_POOL);
  settings.ipv6Pools = [IPV6_POOL];
};

/** A network whose addresses come from pools, in a region other than that of the stack. */
const pools: Story = {
  name: 'pools',
  run: async (laptop) => {
    keepPools(laptop);
    await makeInfrastructure(laptop, 'pools', {
      region: 'eu-west-1',
      network: {
        vpc: {
          ipamPool: { name: IPAM_POOL.name, netmaskLength: 20 },
          ipv6: { poolId: IPV6_POOL.id, cidrBlock: '2001:db8:1::/56' },
          elasticIpPool: { publicIpv4Pool: PUBLIC_POOL.id, publicIpv4PoolFallbackOrder: 'none' },
        },
      },
    });
    await sweep(laptop);
    await remove(laptop, 'pools');
  },
};

const SECOND_POOL = { id: 'ipv4pool-ec2-0fedcba9876543211', cidr: '198.51.100.64/29' };

/** Allocates two addresses for a load balancer that needs one, as two concurrent executions might. */
const takeTwice = async ({ ec2 }: RecordedLaptop, name: string): Promise<void> => {
  const tags = addressTags({ namespace: 'default', name }, { spec: {} } as AWSCluster, 'lb-apiserver');
  const TagSpecifications = [{ ResourceType: 'elastic-ip' as const, Tags: toTagList(tags) }];
  for (let count = 0; count < 2; count += 1)
    await ec2.send(new AllocateAddressCommand({ Domain: 'vpc', TagSpecifications }));
};

const edge: Story = {
  name: 'edge',
  run: async (laptop) => {
    laptop.account.settings.publicIpv4Pools.push(SECOND_POOL);
    await takeTwice(laptop, 'edge');
    for (const group of ['us-east-1-nyc-1', 'us-east-1-wl1']) laptop.account.ec2().optedIn.add(group);
    await makeInfrastructure(laptop, 'edge', {
      network: {
        vpc: { elasticIpPool: { publicIpv4Pool: SECOND_POOL.id, publicIpv4PoolFallbackOrder: 'none' } },
        subnets: [
          { id: 'public', cidrBlock: '10.0.0.0/24', availabilityZone: 'us-east-1a', isPublic: true },
          { id: 'private', cidrBlock: '10.0.1.0/24', availabilityZone: 'us-east-1a' },
          { id: 'edge', cidrBlock: '10.0.2.0/24', availabilityZone: 'us-east-1-nyc-1a' },
          { id: 'carrier', cidrBlock: '10.0.3.0/24', availabilityZone: 'us-east-1-wl1-bos-wlz-1', isPublic: true },
        ],
      },
    });
    await sweep(laptop);
    await remove(laptop, 'edge');
  },
};

export const ADDRESS_STORIES: readonly Story[] = [dualStack, pools, edge];
