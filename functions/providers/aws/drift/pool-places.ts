import { kinds, type MachinePool } from '../../../../shared/kinds/index.ts';
import { type FreePlaces, freePlaces } from '../../../../shared/providers/aws/machine-pool/quota.ts';
import { machinesOfPool } from '../../../cluster/pools.ts';
import type { AwsFleet } from './accounts.ts';
import type { AwsSweepDependencies } from './dependencies.ts';

/** The most instances that quotas for Machines allow a pool; undefined if there is no quota. */
export type PoolPlaces = (pool: MachinePool) => Promise<number | undefined>;

/** Reads the quotas of a namespace once, when they are first needed for one of its pools. */
export const poolPlaces = (
  { objects }: Pick<AwsSweepDependencies, 'objects'>,
  { machines }: Pick<AwsFleet, 'machines'>,
): PoolPlaces => {
  const all = machines.map(({ machine }) => machine);
  const read = new Map<string, Promise<FreePlaces | undefined>>();
  const readPlaces = async (namespace: string) =>
    freePlaces(await objects.list(kinds.resourceQuota, namespace), kinds.machine);
  return async (pool) => {
    const { namespace = '' } = pool.metadata;
    const places = read.get(namespace) ?? readPlaces(namespace);
    read.set(namespace, places);
    const found = await places;
    return found && machinesOfPool(pool, all).length + found.free;
  };
};
