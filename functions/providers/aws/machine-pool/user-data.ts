import { BootstrapInvalidError } from '../../../../shared/bootstrap/invalid.ts';
import { RefusedError } from '../../../../shared/errors.ts';
import type { AWSCluster, AWSMachinePool, Machine } from '../../../../shared/kinds/index.ts';
import { type PoolUserData, poolUserData } from '../../../../shared/providers/aws/machine-pool/user-data.ts';
import { readBootstrapData } from '../instance/bootstrap-data.ts';
import type { PoolDependencies } from './dependencies.ts';

/** The user data of a launch template. Throws Refused, with the field, where EC2 or Ignition cannot take it. */
export const userDataOf = async (
  deps: PoolDependencies,
  machine: Machine,
  awsPool: AWSMachinePool,
  awsCluster: AWSCluster,
): Promise<PoolUserData> => {
  const data = await readBootstrapData(deps, machine);
  try {
    return poolUserData(data, awsPool, awsCluster);
  } catch (error) {
    if (error instanceof BootstrapInvalidError) throw new RefusedError(error.message, { cause: error });
    throw error;
  }
};
