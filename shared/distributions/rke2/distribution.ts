import type { V1Node } from '@kubernetes/client-node';
import { cloudConfig } from '../../bootstrap/cloud-init/cloud-config.ts';
import { BootstrapInvalidError } from '../../bootstrap/invalid.ts';
import { rke2Ignition } from '../../bootstrap/rke2/ignition.ts';
import { rke2Setup } from '../../bootstrap/rke2/setup.ts';
import { newServerToken } from '../../bootstrap/rke2/token.ts';
import type { ControlPlane } from '../../kinds/contract-objects.ts';
import { kinds, type RKE2ControlPlane, type Rke2ConfigSpec } from '../../kinds/index.ts';
import { secondsOf } from '../../kinds/v1beta1/duration.ts';
import { POD_CONDITIONS, unknownConditions } from '../../plan/control-plane/health.ts';
import { lastRemediation } from '../../plan/control-plane/remediation-data.ts';
import type { RemediationSettings } from '../../plan/control-plane/retry-limits.ts';
import { podHealth } from '../../plan/control-plane/static-pods.ts';
import { ANNOTATION } from '../../plan/labels.ts';
import type { ConditionClaim } from '../../plan/status/conditions.ts';
import type { BootstrapRequest, Distribution } from '../distribution.ts';
import { rke2Input } from './bootstrap-input.ts';
import { etcdAccess } from './etcd-access.ts';
import { registrationHost, registrationHosts } from './registration.ts';
import { tokenSecretName, withAgentToken } from './token-secret.ts';

/** The steps use the common type of control planes; here the actual kind is known. */
const specOf = (controlPlane: ControlPlane): RKE2ControlPlane['spec'] => (controlPlane as RKE2ControlPlane).spec;

const configSpecOf = (controlPlane: ControlPlane): Rke2ConfigSpec => {
  const { files, preRKE2Commands, postRKE2Commands, agentConfig, privateRegistriesConfig, gzipUserData } =
    specOf(controlPlane);
  const all = { files, preRKE2Commands, postRKE2Commands, agentConfig, privateRegistriesConfig, gzipUserData };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
};

const render = async (request: BootstrapRequest) => {
  const { agentConfig } = (request.config.spec ?? {}) as Rke2ConfigSpec;
  if (request.joinsInService)
    throw new BootstrapInvalidError(
      'kind',
      'RKE2Config is not supported for a pool with a warm pool; use a KubeadmConfig',
    );
  const input = await rke2Input(request);
  if (agentConfig?.format === 'ignition')
    return { body: rke2Ignition(input, request.ignitionVersion), format: 'ignition' } as const;
  return { body: cloudConfig(rke2Setup(input)), format: 'cloud-config' } as const;
};

/** Upstream's condition: whether RKE2 runs on the machine, judged by its node. */
const agentClaim = ({ metadata, status }: V1Node): ConditionClaim => {
  const type = 'AgentHealthy';
  const isReady = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  if (isReady) return { type, status: 'True', reason: 'Healthy' };
  return { type, status: 'False', reason: 'PodFailed', message: `Node ${metadata?.name} is not ready` };
};

const healthConditions: Distribution['healthConditions'] = (controlPlane) => {
  const { disableComponents, externalDatastoreSecret } = specOf(controlPlane).serverConfig ?? {};
  const hasScheduler = !disableComponents?.kubernetesComponents?.includes('scheduler');
  return {
    components: ['AgentHealthy', ...POD_CONDITIONS.filter((type) => hasScheduler || type !== 'SchedulerPodHealthy')],
    etcd: externalDatastoreSecret?.name ? [] : ['EtcdPodHealthy', 'EtcdMemberHealthy'],
  };
};

const remediation = (controlPlane: ControlPlane): RemediationSettings => {
  const { maxRetry, retryPeriod, minHealthyPeriod } = specOf(controlPlane).remediationStrategy ?? {};
  return {
    retryPeriodName: 'RetryPeriod',
    ...(maxRetry === undefined ? {} : { maxRetry }),
    ...(retryPeriod === undefined ? {} : { retryPeriodSeconds: secondsOf(retryPeriod) }),
    ...(minHealthyPeriod === undefined ? {} : { minHealthyPeriodSeconds: secondsOf(minHealthyPeriod) }),
  };
};

const status: Distribution['status'] = (controlPlane, common, { machines, cluster }) => {
  const { lastRemediation: _last, ...rest } = (controlPlane as RKE2ControlPlane).status ?? {};
  const hosts = registrationHosts(controlPlane as RKE2ControlPlane, cluster, machines);
  const last = lastRemediation(controlPlane, machines);
  return {
    ...rest,
    ...common,
    ...(hosts.length > 0 ? { availableServerIPs: hosts } : {}),
    ...(last && {
      lastRemediation: { machine: last.machine, timestamp: last.time, retryCount: last.retryCount },
    }),
  };
};

/** Clusters created with RKE2, with the kinds of Rancher's bootstrap and control plane providers. */
export const rke2: Distribution = {
  controlPlane: kinds.rke2ControlPlane,
  config: kinds.rke2Config,
  configTemplate: kinds.rke2ConfigTemplate,
  finalizer: 'rke2.controlplane.cluster.x-k8s.io',
  component: 'rke2-control-plane',
  authorities: () => (['ca', 'cca', 'etcd', 'peer-etcd'] as const).map((purpose) => ({ purpose, external: false })),
  joining: (controlPlane, cluster, machines) => {
    const { cloudProviderName, cloudProviderConfigMap } = specOf(controlPlane).serverConfig ?? {};
    const host = registrationHost(controlPlane as RKE2ControlPlane, cluster, machines);
    return host === undefined ? undefined : { host, cloudProviderName, cloudProviderConfigMap };
  },
  joinToken: { secretName: tokenSecretName, make: newServerToken, completed: withAgentToken },
  // RKE2 has a separate authority for client certificates.
  kubeconfig: { server: 'ca', client: 'cca' },
  // RKE2 renews its servers' certificates when it starts, and upstream sets no dates for rollouts.
  rolloutDates: () => ({}),
  remediation,
  maxSurge: (controlPlane) => Number(specOf(controlPlane).rolloutStrategy?.rollingUpdate?.maxSurge ?? 1),
  etcd: (controlPlane) => {
    const { serverConfig, agentConfig } = specOf(controlPlane);
    return serverConfig?.externalDatastoreSecret?.name ? undefined : etcdAccess(agentConfig?.dataDir);
  },
  configSpecOf,
  machineAnnotations: (controlPlane) => ({
    [ANNOTATION.rke2ServerConfiguration]: JSON.stringify(specOf(controlPlane).serverConfig ?? {}),
  }),
  render,
  nodeAnnotations: (config) => (config as { spec?: Rke2ConfigSpec }).spec?.agentConfig?.nodeAnnotations ?? {},
  usesBootstrapTokens: false,
  // Upstream tests the same: the first server stores its certificate there.
  initializedBy: { kind: 'Secret', name: 'rke2-serving' },
  healthConditions,
  health: (node, pods, { etcd }) => [agentClaim(node), ...podHealth(node, pods, etcd)],
  unknownHealth: (why) => unknownConditions(['AgentHealthy'], why),
  status,
};
