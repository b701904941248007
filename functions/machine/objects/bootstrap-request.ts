import { type CertificatePurpose, fromSecret, secretName } from '../../../shared/bootstrap/certificates/secrets.ts';
import { CertificateInvalidError } from '../../../shared/bootstrap/invalid.ts';
import type { BootstrapRequest, Role } from '../../../shared/distributions/distribution.ts';
import { TransientError } from '../../../shared/errors.ts';
import type { BootstrapConfig } from '../../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Secret } from '../../../shared/kinds/index.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import { readControlPlane } from '../../cluster/snapshot.ts';
import type { MachineSnapshot } from '../read-machine.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { takesInit } from './init-lock.ts';

type RequestDependencies = Pick<MachineObjectsDependencies, 'objects' | 'clock'>;
type RequestSnapshot = Omit<MachineSnapshot, 'config'>;

const decoded = (secret: Secret): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')]));

type Sources = Pick<BootstrapRequest, 'machines' | 'authority' | 'secret' | 'configMap'>;

/** Reads the input of bootstrap data, when it is needed. */
const sourcesOf = ({ objects, clock }: RequestDependencies, ref: MachineRef): Sources => {
  const { namespace, clusterName } = ref;
  const readAuthority = async (purpose: CertificatePurpose, expectation?: { external?: boolean }) => {
    const name = secretName(clusterName, purpose);
    const secret = await objects.get(kinds.secret, { namespace, name });
    if (!secret) throw new CertificateInvalidError(`secret ${namespace}/${name}`, 'does not exist; restore it');
    return fromSecret(secret, { ...expectation, purpose, now: clock.now() });
  };
  return {
    machines: async () => {
      const machines = await objects.listOfCluster(kinds.machine, namespace, clusterName);
      return machines.filter(({ metadata }) => !metadata.deletionTimestamp);
    },
    authority: readAuthority,
    secret: async (name) => {
      const secret = await objects.get(kinds.secret, { namespace, name });
      return secret && decoded(secret);
    },
    configMap: async (name) => (await objects.get(kinds.configMap, { namespace, name }))?.data,
  };
};

const roleOf = async (
  { objects }: RequestDependencies,
  { machine }: RequestSnapshot,
  cluster: Cluster,
  ref: MachineRef,
): Promise<Role> => {
  if (!isControlPlaneMachine(machine)) return 'worker';
  if (cluster.status?.initialization?.controlPlaneInitialized) return 'control-plane';
  return (await takesInit(objects, cluster, ref)) ? 'init' : 'control-plane';
};

const bootOf = ({ infrastructureMachine, infrastructureCluster }: RequestSnapshot) => ({
  ...infrastructureMachine?.provider.boot(infrastructureMachine.object),
  ...infrastructureCluster?.provider.bootIn(infrastructureCluster.object),
});

/** All input of a machine's bootstrap data; it contains secrets, so it is passed to nothing else. */
export const bootstrapRequest = async (
  deps: RequestDependencies,
  snapshot: RequestSnapshot,
  config: BootstrapConfig,
  ref: MachineRef,
): Promise<BootstrapRequest> => {
  const { cluster, machine, distribution } = snapshot;
  // Without an endpoint nothing can be rendered, and the machine that gets the lock must use it.
  if (!cluster?.spec.controlPlaneEndpoint?.host) {
    throw new TransientError('the Cluster has no control plane endpoint yet');
  }
  const control = await readControlPlane(deps.objects, cluster);
  return {
    role: await roleOf(deps, snapshot, cluster, ref),
    cluster,
    machine,
    config,
    controlPlane: control.distribution === distribution ? control.controlPlane : null,
    ...bootOf(snapshot),
    ...sourcesOf(deps, ref),
  };
};
