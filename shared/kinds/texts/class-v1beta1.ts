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
import { oldPatchesText } from './class-patches.ts';
import { oldVariablesText } from './class-variables.ts';
import { legacyHealthCheckFields, maxInFlightText } from './health-check.ts';
import { legacyTimeoutFields } from './machine-spec.ts';
import { legacyReferenceFields } from './meta.ts';

/** Texts of fields that the spec of a ClusterClass has only in v1beta1. */

const refText = [templateText, legacyReferenceFields] satisfies FieldText;
const bootstrapRefText = [bootstrapTemplateText, legacyReferenceFields] satisfies FieldText;

const templateFields = {
  template: [
    'What the machines are made of.',
    {
      bootstrap: [bootstrapText, { ref: bootstrapRefText }],
      infrastructure: [workerInfrastructureText, { ref: refText }],
      metadata: metadataText,
    },
  ],
} satisfies FieldTexts;

const strategyText = [
  'How machines are replaced when their template changes.',
  {
    type: strategyTypeText,
    rollingUpdate: [rollingUpdateText, { ...rollingUpdateFields, deletePolicy: deletionOrderText }],
    remediation: ['Limits for the replacement of unhealthy machines.', { maxInFlight: maxInFlightText }],
  },
] satisfies FieldText;

export const oldClusterClassSpecFields = {
  infrastructure: [infrastructureText, { ref: refText }],
  infrastructureNamingStrategy: infrastructureNaming,
  controlPlane: [
    controlPlaneText,
    {
      ref: refText,
      machineInfrastructure: [machineInfrastructureText, { ref: refText }],
      namingStrategy: controlPlaneNaming,
      machineHealthCheck: [controlPlaneCheckText, legacyHealthCheckFields],
      ...legacyTimeoutFields,
    },
  ],
  workers: [
    workersText,
    {
      machineDeployments: [
        deploymentsText,
        {
          ...templateFields,
          namingStrategy: deploymentNaming,
          machineHealthCheck: [workerCheckText, legacyHealthCheckFields],
          strategy: strategyText,
          ...legacyTimeoutFields,
        },
      ],
      machinePools: [poolsText, { ...templateFields, namingStrategy: poolNaming, ...legacyTimeoutFields }],
    },
  ],
  variables: oldVariablesText,
  patches: oldPatchesText,
} satisfies FieldTexts;
