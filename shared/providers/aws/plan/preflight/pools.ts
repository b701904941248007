import type { AWSMachine, AWSMachinePool, MachinePool } from '../../../../kinds/index.ts';
import { areReplicasManaged } from '../../../../plan/pools/digest.ts';
import { isSubnetId } from '../../network/subnets/kinds.ts';
import { isSpot } from '../launch/market.ts';
import { asMachine, instanceTypesOf } from '../launch/pool-machine.ts';
import type { WantedMachines } from './model.ts';
import { keysOfPool } from './volume-keys.ts';

/** A MachinePool whose instances belong to an Auto Scaling group. */
export interface PoolSource {
  pool: MachinePool;
  awsPool: AWSMachinePool;
  version: string;
  /**
   * The files of its configuration, in the size in which a launch template contains them; absent if it contains none.
   */
  files?: { field: string; bytes: number };
}

const between = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most);

/** An autoscaler keeps the actual size if it is within the limits. */
const capacityOf = ({ pool, awsPool }: PoolSource): number => {
  const { minSize = 1, maxSize = 1 } = awsPool.spec ?? {};
  const replicas = pool.spec.replicas ?? 1;
  return areReplicasManaged(pool) ? between(minSize, replicas, maxSize) : replicas;
};

/** How many of the instances are On-Demand, if a policy mixes them with spot instances. */
const onDemandOf = (capacity: number, { spec }: AWSMachinePool): number => {
  const { onDemandBaseCapacity = 0, onDemandPercentageAboveBaseCapacity = 100 } =
    spec?.mixedInstancesPolicy?.instancesDistribution ?? {};
  const base = Math.min(onDemandBaseCapacity, capacity);
  return base + Math.ceil(((capacity - base) * onDemandPercentageAboveBaseCapacity) / 100);
};

/** The types in overrides replace that of the template. */
const typesOf = (awsPool: AWSMachinePool): string[] => {
  const overrides = awsPool.spec?.mixedInstancesPolicy?.overrides ?? [];
  return overrides.length > 0 ? overrides.map(({ instanceType }) => instanceType) : instanceTypesOf(awsPool);
};

const zonesOf = ({ pool, awsPool }: PoolSource): string[] | undefined =>
  [awsPool.spec?.availabilityZones, pool.spec.failureDomains].find((zones) => zones && zones.length > 0);

/** The needs of a pool's instances; On-Demand and spot separately, like the quotas. */
export const wantedOfPool = (source: PoolSource): WantedMachines[] => {
  const { awsPool, version, files } = source;
  const { name, namespace } = awsPool.metadata;
  const { spec } = asMachine(awsPool);
  // Contains nothing that changes on its own, because needs are identified by their digest.
  const machine = { metadata: { name, namespace }, spec } as AWSMachine;
  const named = awsPool.spec?.subnets ?? [];
  const common = {
    template: `AWSMachinePool ${name}`,
    field: 'spec.awsLaunchTemplate',
    instanceTypes: typesOf(awsPool),
    countsVcpus: true,
    profile: spec.iamInstanceProfile || undefined,
    zones: zonesOf(source),
    isPlacedByCluster: named.length === 0,
    subnets: named.flatMap(({ id }, index) =>
      id && isSubnetId(id) ? [{ field: `spec.subnets[${index}].id`, id }] : [],
    ),
    ...{ version, machine, keys: keysOfPool(awsPool) },
    ...(files ? { files } : {}),
  };
  const capacity = capacityOf(source);
  const onDemand = isSpot(machine) ? 0 : onDemandOf(capacity, awsPool);
  const spot = capacity - onDemand;
  return [
    ...(onDemand > 0 || spot === 0 ? [{ ...common, count: onDemand, isSpot: false }] : []),
    ...(spot > 0 ? [{ ...common, count: spot, isSpot: true }] : []),
  ];
};
