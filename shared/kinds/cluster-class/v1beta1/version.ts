import { strategyRules } from '../../machine-deployment/v1beta1/version.ts';
import { ageColumn } from '../../schema/columns.ts';
import { templateReference } from '../../v1beta1/codecs.ts';
import { checkRules } from '../../v1beta1/health-check.ts';
import { field, items, type Rule, within } from '../../v1beta1/rules.ts';
import { conditionRules, deletionRules } from '../../v1beta1/shared-rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';
import { oldClusterClassSchema } from './schema.ts';

const templateRule = (oldPath: string, newPath: string): Rule =>
  field(`${oldPath}.ref`, `${newPath}.templateRef`, templateReference);

const commonRules: readonly Rule[] = [...deletionRules, field('namingStrategy', 'naming')];

const healthRules = within('machineHealthCheck', 'healthCheck', checkRules);

const workerRules: readonly Rule[] = [
  ...commonRules,
  field('template.metadata', 'metadata'),
  templateRule('template.bootstrap', 'bootstrap'),
  templateRule('template.infrastructure', 'infrastructure'),
];

const machineDeploymentRules: readonly Rule[] = [
  ...workerRules,
  ...healthRules,
  ...strategyRules,
  field('strategy.remediation.maxInFlight', 'healthCheck.remediation.maxInFlight'),
];

const metadataRules = [field('metadata', 'deprecatedV1Beta1Metadata')];

const patchRules: readonly Rule[] = [
  field('external.generateExtension', 'external.generatePatchesExtension'),
  field('external.validateExtension', 'external.validateTopologyExtension'),
];

const specRules: readonly Rule[] = [
  templateRule('infrastructure', 'infrastructure'),
  field('infrastructureNamingStrategy', 'infrastructure.naming'),
  field('controlPlane.ref', 'controlPlane.templateRef', templateReference),
  templateRule('controlPlane.machineInfrastructure', 'controlPlane.machineInfrastructure'),
  ...within('controlPlane', 'controlPlane', [...commonRules, ...healthRules]),
  field('workers.machineDeployments', 'workers.machineDeployments', items(machineDeploymentRules)),
  field('workers.machinePools', 'workers.machinePools', items(workerRules)),
  field('variables', 'variables', items(metadataRules)),
  field('patches', 'patches', items(patchRules)),
];

export const clusterClassV1beta1 = v1beta1({
  schema: oldClusterClassSchema,
  rules: [
    ...within('spec', 'spec', specRules),
    ...conditionRules,
    field('status.variables', 'status.variables', items([field('definitions', 'definitions', items(metadataRules))])),
  ],
  columns: [ageColumn('ClusterClass')],
});
