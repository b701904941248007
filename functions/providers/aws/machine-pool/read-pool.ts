import type { AWSCluster, AWSMachinePool, Cluster, MachinePool } from '../../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { aws } from '../../../../shared/providers/aws/infrastructure.ts';
import type { PoolRef } from '../../../../shared/work/payloads.ts';
import { isHeldBack, isRemoval, readPool } from '../../../pool/read-pool.ts';
import { findAwsCluster, servedByAws } from '../owned-cluster.ts';

/**
 * A pool with the objects that the AWS steps need. Null for objects that do not exist, or that another provider serves.
 */
export interface AwsPoolSnapshot {
  pool: MachinePool;
  cluster: Cluster | null;
  awsPool: AWSMachinePool | null;
  /** If the group is being removed, one that the Cluster owns if it refers to infrastructure of another provider. */
  awsCluster: AWSCluster | null;
  /** Whether the cluster or the pool is paused. */
  isHeldBack: boolean;
}

/** All objects of a pool, or undefined if the MachinePool no longer exists. */
export const readAwsPool = async (objects: ObjectClient, ref: PoolRef): Promise<AwsPoolSnapshot | undefined> => {
  const snapshot = await readPool(objects, ref);
  if (!snapshot) return undefined;
  const { pool, cluster, provider, infrastructure, infrastructureCluster } = snapshot;
  return {
    pool,
    cluster,
    awsPool: provider?.name === aws.name ? (infrastructure as AWSMachinePool | null) : null,
    awsCluster: isRemoval(snapshot) ? await findAwsCluster(objects, snapshot) : servedByAws(infrastructureCluster),
    isHeldBack: isHeldBack(snapshot),
  };
};
