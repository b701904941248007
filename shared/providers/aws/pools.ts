import { type AWSMachinePool, kinds } from '../../kinds/index.ts';
import type { InfrastructurePool } from '../../kinds/infrastructure.ts';
import { INSTALL_ANNOTATION } from '../../kinds/rules/aws/wishes.ts';
import { scaleInProtection, warmPoolWish } from '../../kinds/rules/pool-wishes.ts';
import type { PoolProvider } from '../infrastructure.ts';
import { AWS_FINALIZER } from './finalizers.ts';
import { readGroupMemory } from './machine-pool/memory.ts';
import { poolPreview } from './machine-pool/preview/forecast.ts';
import { withVersions } from './machine-pool/versions.ts';
import { AWS_MEMORY } from './plan/memory.ts';

const poolOf = (object: InfrastructurePool): AWSMachinePool => object as AWSMachinePool;

/** Kubernetes is installed at the first boot, because the image does not contain it. */
const isInstalled = ({ metadata }: AWSMachinePool): boolean => metadata.annotations?.[INSTALL_ANNOTATION] === 'true';

/** Pools that are Auto Scaling groups: the kind AWSMachinePool of Cluster API's AWS provider. */
export const awsPools: PoolProvider = {
  kind: kinds.awsMachinePool,
  finalizer: AWS_FINALIZER.machinePool,
  memory: AWS_MEMORY.pool,
  takenOver: (entries) => readGroupMemory({ metadata: { name: '', annotations: entries } }).name,
  boot: (pool) => ({
    ignitionVersion: poolOf(pool).spec?.ignition?.version,
    installs: isInstalled(poolOf(pool)),
    joinsInService: warmPoolWish(poolOf(pool)) !== undefined,
  }),
  wishes: (pool) => {
    const {
      providerID: _,
      providerIDList: __,
      ...spec
    } = poolOf(pool).spec ?? ({} as NonNullable<AWSMachinePool['spec']>);
    const protection = scaleInProtection(pool);
    const installs = isInstalled(poolOf(pool));
    const warmPool = warmPoolWish(pool);
    return {
      ...spec,
      ...(protection === undefined ? {} : { scaleInProtection: protection }),
      ...(installs ? { installs } : {}),
      ...(warmPool ? { warmPool } : {}),
    };
  },
  mayLaunch: (pool) => {
    const { maxSize = 1, suspendProcesses: { all, processes } = {} } = poolOf(pool).spec ?? {};
    return maxSize > 0 && all !== true && processes?.launch !== true;
  },
  withVersions: (pool, versions) => withVersions(poolOf(pool), versions),
  preview: poolPreview,
};
