import { args } from '../../v1beta1/codecs.ts';
import { seconds } from '../../v1beta1/duration.ts';
import { type Codec, field, items, type Rule } from '../../v1beta1/rules.ts';

/** v1beta1 requires `layout`, whose default in v1beta2 is false. */
const layout: Codec = {
  toNew: (value) => value,
  toOld: (value) => value ?? false,
};

/** Only towards v1beta2: joining machines get the timeout that v1beta1 had for all machines. */
const copied: Codec = { toNew: seconds.toNew, toOld: () => undefined };

const CONTROL_PLANE_TIMEOUT = 'clusterConfiguration.apiServer.timeoutForControlPlane';

/** The spec of a KubeadmConfig, also in its template and in control planes. */
export const kubeadmConfigRules: readonly Rule[] = [
  ...[
    'clusterConfiguration.apiServer.extraArgs',
    'clusterConfiguration.controllerManager.extraArgs',
    'clusterConfiguration.scheduler.extraArgs',
    'clusterConfiguration.etcd.local.extraArgs',
    'initConfiguration.nodeRegistration.kubeletExtraArgs',
    'joinConfiguration.nodeRegistration.kubeletExtraArgs',
  ].map((path) => field(path, path, args)),
  field(CONTROL_PLANE_TIMEOUT, 'initConfiguration.timeouts.controlPlaneComponentHealthCheckSeconds', seconds),
  field(CONTROL_PLANE_TIMEOUT, 'joinConfiguration.timeouts.controlPlaneComponentHealthCheckSeconds', copied),
  field('joinConfiguration.discovery.timeout', 'joinConfiguration.timeouts.tlsBootstrapSeconds', seconds),
  field(
    'initConfiguration.bootstrapTokens',
    'initConfiguration.bootstrapTokens',
    items([field('ttl', 'ttlSeconds', seconds)]),
  ),
  field('diskSetup.partitions', 'diskSetup.partitions', items([field('layout', 'layout', layout)])),
];
