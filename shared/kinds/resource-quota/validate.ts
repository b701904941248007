import { forbiddenField, invalidValue } from '../../kube-api/field-error.ts';
import { checkQualifiedName } from '../../kube-api/names.ts';
import { readQuotaCount, resourceOfQuotaName } from '../../kube-api/quota/names.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { ResourceQuota } from './schema.ts';

/**
 * Quotas for pods, storage and services, which do not exist here: manifests that were written for other clusters
 * contain them.
 */
const ELSEWHERE =
  /^(cpu|memory|ephemeral-storage|pods|services|services\.(nodeports|loadbalancers)|persistentvolumeclaims|replicationcontrollers)$|^(requests|limits)\.|\.storageclass\.storage\.k8s\.io\//;

const QUANTITY = /^[+]?\d+(\.\d+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/;

const faultOf = (name: string, quantity: unknown): string | undefined => {
  const faults = checkQualifiedName(name);
  if (faults.length > 0) return faults.join('; ');
  if (ELSEWHERE.test(name))
    return QUANTITY.test(String(quantity)) ? undefined : 'must be a quantity, such as 10 or 2Gi';
  if (!resourceOfQuotaName(name)) return 'must be count/<resource>.<group>, or a standard resource for quotas';
  if (readQuotaCount(quantity) !== undefined) return undefined;
  return /^-\d+$/.test(String(quantity)) ? 'must be greater than or equal to 0' : 'must be an integer';
};

/** Rules for quotas (k8s.io/kubernetes pkg/apis/core/validation: ValidateResourceQuotaSpec). */
export const validateResourceQuota = ({ spec = {} }: ResourceQuota): FieldError[] => {
  const hard = Object.entries(spec.hard ?? {}).flatMap(([name, quantity]) => {
    const fault = faultOf(name, quantity);
    return fault === undefined ? [] : [invalidValue(`spec.hard[${name}]`, quantity, fault)];
  });
  const scoped = (['scopes', 'scopeSelector'] as const)
    .filter((field) => spec[field] !== undefined)
    .map((field) => forbiddenField(`spec.${field}`, 'scopes select pods, which are not counted here; leave it out'));
  return [...hard, ...scoped];
};

/** Names in the quota that are not limited here. */
export const warnings = ({ spec = {} }: ResourceQuota): string[] =>
  Object.keys(spec.hard ?? {})
    .filter((name) => ELSEWHERE.test(name))
    .map((name) => `spec.hard[${name}]: it has no effect, because this resource is not counted`);
