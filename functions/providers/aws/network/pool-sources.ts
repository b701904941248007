import { gzipSync } from 'node:zlib';
import type { AWSMachinePool } from '../../../../shared/kinds/index.ts';
import type { PoolSource } from '../../../../shared/providers/aws/plan/preflight/pools.ts';
import { awsName } from '../../../../shared/providers/aws/references.ts';
import { type PoolObjects, readPools } from '../../../cluster/pools.ts';
import type { ClusterSnapshot, ObjectReads } from '../../../cluster/snapshot.ts';

/** The fields that KubeadmConfigs and RKE2Configs have in common. */
interface WithFiles {
  format?: string;
  agentConfig?: { format?: string };
  files?: readonly { content?: string }[];
}

/** The files of a configuration in user data; undefined if they are stored in a bucket. */
const filesOf = ({ config, infrastructure }: PoolObjects): PoolSource['files'] => {
  const { format, agentConfig, files = [] }: WithFiles = config?.spec ?? {};
  const contents = files.map(({ content = '' }) => content).join('');
  if (!config || contents === '') return undefined;
  const field = `${config.kind} ${config.metadata.name} spec.files`;
  // cloud-init decompresses user data; Ignition does not.
  if ((format ?? agentConfig?.format) !== 'ignition') return { field, bytes: gzipSync(contents, { level: 9 }).length };
  const { ignition } = (infrastructure as AWSMachinePool | null)?.spec ?? {};
  const isDirect = ignition === undefined || ignition.storageType === 'UnencryptedUserData';
  return isDirect ? { field, bytes: Buffer.byteLength(contents) } : undefined;
};

/** The desired state of a cluster's MachinePools; a missing AWSMachinePool is checked once it exists. */
export const readPoolSources = async (
  objects: ObjectReads,
  cluster: Pick<ClusterSnapshot, 'cluster'>,
): Promise<PoolSource[]> =>
  (await readPools(objects, cluster)).flatMap((found) => {
    const { pool, infrastructure } = found;
    if (!infrastructure || !awsName('pool', pool.spec.template.spec.infrastructureRef)) return [];
    const version = pool.spec.template.spec.version ?? '';
    const files = filesOf(found);
    return [{ pool, awsPool: infrastructure as AWSMachinePool, version, ...(files ? { files } : {}) }];
  });
