import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { machineDrainRuleColumns } from './columns.ts';
import { type MachineDrainRule, machineDrainRuleSchema } from './schema.ts';
import { machineDrainRuleV1beta1 } from './v1beta1/version.ts';
import { validateMachineDrainRule } from './validate.ts';

export const machineDrainRule: ResourceDefinition<MachineDrainRule> = {
  ...clusterApiKind,
  statusSubresource: false,
  group: 'cluster.x-k8s.io',
  kind: 'MachineDrainRule',
  plural: 'machinedrainrules',
  singular: 'machinedrainrule',
  shortNames: [],
  get schema() {
    return toOpenApi(machineDrainRuleSchema);
  },
  columns: machineDrainRuleColumns,
  clusterNameOf: clusterLabelOf,
  validate: validateMachineDrainRule,
  versions: [machineDrainRuleV1beta1],
};
