import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { taintFields } from './machine-spec.ts';
import { templateMetaFields } from './meta.ts';

/** Texts of the parts of a ClusterClass that both versions have. */

export const specText =
  'Templates, variables and patches for the clusters of the class. Validated and stored; Windlass does not act on them yet.';
export const infrastructureText = 'Infrastructure of the clusters, such as an AWSClusterTemplate.';
export const controlPlaneText = 'Control plane of the clusters, such as a KubeadmControlPlaneTemplate.';
export const machineInfrastructureText =
  'Infrastructure of the control plane machines. Required if the control plane runs on machines.';
export const workersText = 'Classes of worker machines that a topology can use.';
export const deploymentsText = 'Classes of MachineDeployments. At most 100.';
export const poolsText = 'Classes of MachinePools. At most 100.';
export const bootstrapText = 'Bootstrap configuration of the machines.';
export const workerInfrastructureText = 'Infrastructure of the machines.';

export const bootstrapTemplateText = 'Template to clone. Its kind must end in Template.';
export const templateText =
  'Template to clone. Its kind must end in Template and cannot be changed later; its name can.';

/** How an object is named; `pattern` is the default. */
const namingText = (what: string, pattern: string) =>
  [
    `How the ${what} is named.`,
    {
      template: `Go template of the name, at most 1024 characters; names are cut to 63. Defaults to ${pattern}.`,
    },
  ] satisfies FieldText;

export const controlPlaneNaming = namingText('control plane', '{{ .cluster.name }}-{{ .random }}');
export const infrastructureNaming = namingText('infrastructure', '{{ .cluster.name }}-{{ .random }}');
export const deploymentNaming = namingText(
  'MachineDeployment',
  '{{ .cluster.name }}-{{ .machineDeployment.topologyName }}-{{ .random }}',
);
export const poolNaming = namingText(
  'MachinePool',
  '{{ .cluster.name }}-{{ .machinePool.topologyName }}-{{ .random }}',
);

export const metadataText = [
  'Labels and annotations for the objects and their machines, merged with those of the topology.',
  templateMetaFields,
] satisfies FieldText;

export const controlPlaneCheckText =
  'Health check for the machines, which needs machineInfrastructure. No check by default.';
export const workerCheckText = 'Health check for the machines. No check by default.';

export const rollingUpdateFields = {
  maxUnavailable: 'Machines that may be missing during a rollout, as a number or a percentage. Defaults to 0.',
  maxSurge: 'Extra machines that may exist during a rollout, as a number or a percentage. Defaults to 1.',
} satisfies FieldTexts;

export const strategyTypeText =
  'RollingUpdate replaces machines step by step; OnDelete replaces a machine only when it is deleted. Defaults to RollingUpdate.';
export const rollingUpdateText = 'Limits of a RollingUpdate.';
export const deletionOrderText =
  'Which machines are deleted first when their number falls: Random, Newest or Oldest. Defaults to Random.';

/** What all kinds of machines have under the same names in both versions. */
export const machineFields = {
  taints: ['Taints that are kept on the nodes. At most 64.', taintFields],
} satisfies FieldTexts;
