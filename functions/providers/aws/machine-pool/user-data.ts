import { gzipSync } from 'node:zlib';
import { RefusedError } from '../../../../shared/errors.ts';
import type { AWSMachinePool, Machine } from '../../../../shared/kinds/index.ts';
import { ignitionUserData } from '../../../../shared/providers/aws/plan/delivery/ignition.ts';
import { MAX_USER_DATA_BYTES } from '../../../../shared/providers/aws/plan/delivery/plan.ts';
import { readBootstrapData } from '../instance/bootstrap-data.ts';
import type { PoolDependencies } from './dependencies.ts';

const ENCODING_BYTES = 4;

/**
 * The user data of a launch template, base64. All instances of a group start from the same, at any time, so that it cannot
 * wait in a store from which the first one deletes it: it is in the template itself, as with Cluster API's AWS provider.
 * It holds a token by which machines join, and no key of the cluster.
 */
export const userDataOf = async (
  deps: PoolDependencies,
  machine: Machine,
  { spec = {} as NonNullable<AWSMachinePool['spec']> }: AWSMachinePool,
): Promise<string> => {
  const { body, format } = await readBootstrapData(deps, machine);
  if (format === 'ignition') {
    if (spec.ignition?.storageType !== 'UnencryptedUserData')
      throw new RefusedError(
        "spec.ignition.storageType: ClusterObjectStore is not supported for pools; set it to 'UnencryptedUserData'",
      );
    return limited(ignitionUserData(body, { ignition: spec.ignition } as Parameters<typeof ignitionUserData>[1]));
  }
  const plain = Buffer.from(body, 'utf8');
  // cloud-init unpacks it by itself.
  const data = plain.length > MAX_USER_DATA_BYTES ? gzipSync(body, { level: 9 }) : plain;
  return limited(data.toString('base64'));
};

const limited = (userData: string): string => {
  const bytes = Math.floor((userData.length / ENCODING_BYTES) * 3);
  if (bytes > MAX_USER_DATA_BYTES)
    throw new RefusedError(
      `spec.template.spec.bootstrap of the MachinePool: the bootstrap data has ${bytes} bytes, EC2 accepts ${MAX_USER_DATA_BYTES}; shorten the files`,
    );
  return userData;
};
