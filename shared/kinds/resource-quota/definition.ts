import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { coreKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { resourceQuotaColumns } from './columns.ts';
import { type ResourceQuota, resourceQuotaSchema } from './schema.ts';
import { validateResourceQuota, warnings } from './validate.ts';

/** Quantities are texts, in any input form. */
const asTexts = (quantities: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(quantities).map(([name, quantity]) => [name, String(quantity)]));

const defaultResourceQuota = (quota: ResourceQuota): ResourceQuota => ({
  ...quota,
  spec: { ...quota.spec, ...(quota.spec?.hard ? { hard: asTexts(quota.spec.hard) } : {}) },
});

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
  default: defaultResourceQuota,
  validate: validateResourceQuota,
  warnings,
};
