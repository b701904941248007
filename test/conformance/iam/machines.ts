/** What the machines of the recorded clusters have besides what every machine has. */
import type { RecordedLaptop } from './recording.ts';

const POOL = { id: 'ipv4pool-ec2-0123456789abcdef0', cidr: '203.0.113.0/28' };

/** An address of a person's own pool. */
export const OF_POOL = {
  publicIP: true,
  elasticIpPool: { publicIpv4Pool: POOL.id, publicIpv4PoolFallbackOrder: 'none' },
};

/** What a person has in the account before the clusters are made. */
export const provide = ({ account }: RecordedLaptop): void => {
  account.settings.publicIpv4Pools.push(POOL);
};
