import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import {
  bootstrapTemplateText,
  bootstrapText,
  controlPlaneCheckText,
  controlPlaneNaming,
  controlPlaneText,
  deletionOrderText,
  deploymentNaming,
  deploymentsText,
  infrastructureNaming,
  infrastructureText,
  machineFields,
  machineInfrastructureText,
  metadataText,
  poolNaming,
  poolsText,
  rollingUpdateFields,
  rollingUpdateText,
  strategyTypeText,
  templateText,
  workerCheckText,
  workerInfrastructureText,
  workersText,
} from './class-parts.ts';
import { patchesText } from './class-patches.ts';
import { variablesText } from './class-variables.ts';
import { deletionText, readinessGatesText } from './control-plane.ts';
import { healthCheckFields, templateRefFields, workerHealthCheckFields } from './health-check.ts';
import { deletionTimeoutFields, gateFields } from './machine-spec.ts';

/** Texts of the spec of a ClusterClass. */

const refText = [templateText, templateRefFields] satisfies FieldText;
const bootstrapRefText = [bootstrapTemplateText, templateRefFields] satisfies FieldText;

const minReadySecondsText = 'Seconds that a new machine must be ready before it counts as available. Defaults to 0.';

const workerFields = {
  class: 'Name by which the topology of a Cluster refers to the class. Unique within the list.',
  bootstrap: [bootstrapText, { templateRef: bootstrapRefText }],
  infrastructure: [workerInfrastructureText, { templateRef: refText }],
  metadata: metadataText,
  minReadySeconds: minReadySecondsText,
  ...machineFields,
} satisfies FieldTexts;

const deploymentFields = {
  ...workerFields,
  healthCheck: [workerCheckText, workerHealthCheckFields],
  failureDomain:
    'Failure domain of the machines, which is an availability zone on AWS. Machines are spread over all by default.',
  naming: deploymentNaming,
  deletion: [
    'Order in which machines are deleted, and how long a deletion waits for the node.',
    { order: deletionOrderText, ...deletionTimeoutFields },
  ],
  readinessGates: ['Further conditions that must hold for a Machine to be Ready. At most 32.', gateFields],
  rollout: [
    'How machines are replaced when their template changes.',
    {
      strategy: [
        'The strategy of the MachineDeployment.',
        { type: strategyTypeText, rollingUpdate: [rollingUpdateText, rollingUpdateFields] },
      ],
    },
  ],
} satisfies FieldTexts;

const poolFields = {
  ...workerFields,
  failureDomains: 'Failure domains of the machines, which are availability zones on AWS. All by default.',
  naming: poolNaming,
  deletion: [deletionText, deletionTimeoutFields],
} satisfies FieldTexts;

const upgradeText = 'How upgrades are planned, besides kubernetesVersions.';
const plannerText =
  'Handler of an extension that plans upgrades, as handler.extension-config. It wins over kubernetesVersions.';

export const clusterClassSpecFields = {
  infrastructure: [infrastructureText, { templateRef: refText, naming: infrastructureNaming }],
  controlPlane: [
    controlPlaneText,
    {
      templateRef: refText,
      metadata: metadataText,
      machineInfrastructure: [machineInfrastructureText, { templateRef: refText }],
      healthCheck: [controlPlaneCheckText, healthCheckFields],
      naming: controlPlaneNaming,
      deletion: [deletionText, deletionTimeoutFields],
      readinessGates: [readinessGatesText, gateFields],
      ...machineFields,
    },
  ],
  availabilityGates: [
    'Further conditions that must hold for a Cluster to be Available. A list in the Cluster itself replaces this one.',
    gateFields,
  ],
  workers: [
    workersText,
    { machineDeployments: [deploymentsText, deploymentFields], machinePools: [poolsText, poolFields] },
  ],
  variables: variablesText,
  patches: patchesText,
  upgrade: [upgradeText, { external: ['Plans by an extension.', { generateUpgradePlanExtension: plannerText }] }],
  kubernetesVersions:
    'Kubernetes versions that clusters of the class may have, the oldest first. No minor version may be missing in between.',
} satisfies FieldTexts;
