import type { AWSMachine } from '../../../../kinds/index.ts';
import type { AddressPool } from './plan.ts';

type Wanted = AWSMachine['spec']['elasticIpPool'];

/** The pool in the `elasticIpPool` of a machine or a VPC; undefined if it names none. */
export const addressPoolOf = (wanted: Wanted): AddressPool | undefined =>
  wanted?.publicIpv4Pool
    ? { id: wanted.publicIpv4Pool, fallsBack: wanted.publicIpv4PoolFallbackOrder === 'amazon-pool' }
    : undefined;
