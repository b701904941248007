import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { coreKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { resourceQuotaColumns } from './columns.ts';
import { type ResourceQuota, resourceQuotaSchema } from './schema.ts';
import { validateResourceQuota, warnings } from './validate.ts';

/** Quantities are texts, in any input form. */
const asTexts = (quantities: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(quantities).map(([name, quantity]) => [name, String(quantity).trim()]));

const defaultResourceQuota = (quota: ResourceQuota): ResourceQuota => {
  const { hard = {}, ...spec } = quota.spec ?? {};
  // Go omits an empty map.
  return { ...quota, spec: { ...spec, ...(Object.keys(hard).length > 0 ? { hard: asTexts(hard) } : {}) } };
};

export const resourceQuota: ResourceDefinition<ResourceQuota> = {
  ...coreKind,
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  singular: 'resourcequota',
  shortNames: ['quota'],
  get schema() {
    return toOpenApi(resourceQuotaSchema);
  },
  columns: resourceQuotaColumns,
  statusSubresource: true,
  returnsDeleted: true,
  zero: { spec: {}, status: {} },
  initialStatus: () => ({}),
  default: defaultResourceQuota,
  validate: validateResourceQuota,
  warnings,
};
