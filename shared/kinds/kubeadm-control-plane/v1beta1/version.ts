import { kubeadmConfigRules } from '../../kubeadm-config/v1beta1/rules.ts';
import { ageColumn, clusterLabelColumn, countColumn, textColumn, wide } from '../../schema/columns.ts';
import { machineScale } from '../../schema/definition-parts.ts';
import { objectReference, strategyType } from '../../v1beta1/codecs.ts';
import { seconds } from '../../v1beta1/duration.ts';
import { field, type Rule, within } from '../../v1beta1/rules.ts';
import { conditionRules, counterRules, deletionRules, failureRules } from '../../v1beta1/shared-rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';
import { oldKubeadmControlPlaneSchema } from './schema.ts';

/** Rules that control planes and their templates have in common. */
export const controlPlaneRules: readonly Rule[] = [
  ...within('kubeadmConfigSpec', 'kubeadmConfigSpec', kubeadmConfigRules),
  ...within('machineTemplate', 'machineTemplate.spec', deletionRules),
  field('machineTemplate.taints', 'machineTemplate.spec.taints'),
  field('rolloutBefore.certificatesExpiryDays', 'rollout.before.certificatesExpiryDays'),
  field('rolloutAfter', 'rollout.after'),
  field('rolloutStrategy.type', 'rollout.strategy.type', strategyType),
  field('rolloutStrategy.rollingUpdate.maxSurge', 'rollout.strategy.rollingUpdate.maxSurge'),
  field('remediationStrategy.maxRetry', 'remediation.maxRetry'),
  field('remediationStrategy.retryPeriod', 'remediation.retryPeriodSeconds', seconds),
  field('remediationStrategy.minHealthyPeriod', 'remediation.minHealthyPeriodSeconds', seconds),
  field('machineNamingStrategy', 'machineNaming'),
];

interface Old {
  spec?: { kubeadmConfigSpec?: object };
  status?: { ready?: boolean; readyReplicas?: number };
}

/** v1beta1 requires a bootstrap configuration, and reports whether the API server responds on any machine. */
const finish = ({ spec, status, ...rest }: Old): Old => ({
  ...rest,
  ...(spec ? { spec: { ...spec, kubeadmConfigSpec: spec.kubeadmConfigSpec ?? {} } } : {}),
  ...(status ? { status: { ...status, ready: (status.readyReplicas ?? 0) > 0 } } : {}),
});

export const kubeadmControlPlaneV1beta1 = v1beta1({
  schema: oldKubeadmControlPlaneSchema,
  rules: [
    ...within('spec', 'spec', controlPlaneRules),
    field('spec.machineTemplate.infrastructureRef', 'spec.machineTemplate.spec.infrastructureRef', objectReference),
    field('spec.machineTemplate.readinessGates', 'spec.machineTemplate.spec.readinessGates'),
    ...conditionRules,
    ...failureRules,
    ...counterRules('readyReplicas', 'updatedReplicas', 'unavailableReplicas'),
    field('status.initialized', 'status.initialization.controlPlaneInitialized'),
    field('status.lastRemediation.timestamp', 'status.lastRemediation.time'),
  ],
  finish,
  scale: machineScale,
  legacy: {
    conditions: {
      Ready: 'Available',
      Available: 'Initialized',
      CertificatesAvailable: 'CertificatesAvailable',
      MachinesReady: 'MachinesReady',
      ControlPlaneComponentsHealthy: 'ControlPlaneComponentsHealthy',
      EtcdClusterHealthy: 'EtcdClusterHealthy',
    },
    counters: ['readyReplicas', 'updatedReplicas', 'unavailableReplicas'],
  },
  columns: [
    clusterLabelColumn,
    { ...textColumn('Initialized', '.status.initialized', 'Whether kubeadm init has run'), type: 'boolean' },
    { ...textColumn('API Server Available', '.status.ready', 'Whether an API server answers'), type: 'boolean' },
    wide(countColumn('Desired', '.spec.replicas', 'Machines wanted')),
    countColumn('Replicas', '.status.replicas', 'Machines that exist'),
    countColumn('Ready', '.status.readyReplicas', 'Machines that are ready'),
    countColumn('Updated', '.status.updatedReplicas', 'Machines that are up to date'),
    countColumn('Unavailable', '.status.unavailableReplicas', 'Machines that are not available'),
    ageColumn('KubeadmControlPlane'),
    textColumn('Version', '.spec.version', 'Kubernetes version of the control plane'),
  ],
});
