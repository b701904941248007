import { type CertificatePurpose, fromSecret, secretName } from '../../../shared/bootstrap/certificates/secrets.ts';
import { type ChangeReports, REPORTS_TOKEN, reportsUrl } from '../../../shared/bootstrap/change-reports/reports.ts';
import { CertificateInvalidError } from '../../../shared/bootstrap/invalid.ts';
import type { BootstrapRequest, Role } from '../../../shared/distributions/distribution.ts';
import { TransientError } from '../../../shared/errors.ts';
import type { BootstrapConfig } from '../../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Secret } from '../../../shared/kinds/index.ts';
import { reportedBy, reportsSecretName } from '../../../shared/kinds/rules/report-changes.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import { readControlPlane } from '../../cluster/snapshot.ts';
import type { MachineSnapshot } from '../read-machine.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { takesInit } from './init-lock.ts';

type RequestDependencies = Pick<MachineObjectsDependencies, 'objects' | 'clock' | 'apiUrl'>;
type RequestSnapshot = Omit<MachineSnapshot, 'config'>;

const decoded = (secret: Secret): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')]));

type Sources = Pick<BootstrapRequest, 'machines' | 'authority' | 'secret' | 'storedSecret' | 'configMap'>;

/** Reads the input for bootstrap data when it is needed. */
const sourcesOf = ({ objects, clock }: RequestDependencies, ref: MachineRef): Sources => {
  const { namespace, clusterName } = ref;
  const storedSecret = (name: string) => objects.get(kinds.secret, { namespace, name });
  const readAuthority = async (purpose: CertificatePurpose, expectation?: { external?: boolean }) => {
    const name = secretName(clusterName, purpose);
    const secret = await storedSecret(name);
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
      const secret = await storedSecret(name);
      return secret && decoded(secret);
    },
    storedSecret,
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

/** Undefined if the cluster's API servers report nothing. Throws TransientError until the token has been created. */
const reportsOf = async (
  { objects, apiUrl }: RequestDependencies,
  cluster: Cluster,
  { namespace, clusterName }: MachineRef,
): Promise<ChangeReports | undefined> => {
  const reported = reportedBy(cluster);
  if (!apiUrl || reported.length === 0) return undefined;
  const name = reportsSecretName(clusterName);
  const secret = await objects.get(kinds.secret, { namespace, name });
  if (!secret) throw new TransientError(`the Secret ${namespace}/${name} does not exist yet`);
  const token = Buffer.from(decoded(secret).value ?? '').toString('utf8');
  if (!REPORTS_TOKEN.test(token)) {
    throw new CertificateInvalidError(`secret ${namespace}/${name} key value`, 'is not a token; delete the Secret');
  }
  return { url: reportsUrl(apiUrl, cluster.metadata.uid ?? ''), token, reported };
};

/** All input for a machine's bootstrap data. It contains secrets, so it is passed to nothing else. */
export const bootstrapRequest = async (
  deps: RequestDependencies,
  snapshot: RequestSnapshot,
  config: BootstrapConfig,
  ref: MachineRef,
): Promise<BootstrapRequest> => {
  const { cluster, machine, distribution } = snapshot;
  // Nothing can be rendered without an endpoint, and the machine that gets the lock must use it.
  if (!cluster?.spec.controlPlaneEndpoint?.host) {
    throw new TransientError('the Cluster has no control plane endpoint yet');
  }
  const control = await readControlPlane(deps.objects, cluster);
  const role = await roleOf(deps, snapshot, cluster, ref);
  return {
    role,
    ...(role === 'worker' ? {} : { reports: await reportsOf(deps, cluster, ref) }),
    cluster,
    machine,
    config,
    controlPlane: control.distribution === distribution ? control.controlPlane : null,
    ...bootOf(snapshot),
    ...sourcesOf(deps, ref),
  };
};
