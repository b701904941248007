/**
 * Limits for lists of users in which each item costs calls. AWS limits the rate of calls for a complete account, so a
 * long list in one object would delay the machines of all tenants.
 */
import { isDeepStrictEqual } from 'node:util';
import { invalidValue } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { ResourceReference } from '../../schema/aws-instance.ts';
import type { AWSMachineSpec } from '../../schema/aws-machine-spec.ts';

/** Cluster API's AWS provider divides the largest Secret into fewer parts than this. */
export const MOST_SECRETS = 500;

/** References that are looked up individually, by filters or for their owners. */
type References = readonly ResourceReference[] | undefined;

/** An interface has at most 16 security groups, even with a raised quota ("Amazon VPC quotas"). */
const MOST_GROUPS = 16;

/** More than the number of zones of a group. Subnets that are named by id need no call. */
const MOST_FILTERED_SUBNETS = 50;

const selected = (references: References = []): ResourceReference[] => references.filter(({ id }) => !id);

const excess = (count: number, most: number): string | undefined =>
  count > most ? `must have at most ${most} items` : undefined;

/** Why there are too many security groups, as a text after the name of the field; undefined if there are not. */
export const groupExcess = (groups: References = []): string | undefined => excess(groups.length, MOST_GROUPS);

/** The same for the subnets of a pool. */
export const subnetExcess = (subnets: References): string | undefined => {
  const problem = excess(selected(subnets).length, MOST_FILTERED_SUBNETS);
  return problem && `${problem} with filters`;
};

/** A list that was stored before there was a limit is accepted, so that its object can still be changed and deleted. */
export const validateLength = (
  find: (list: References) => string | undefined,
  [next, old]: readonly [References, References],
  field: string,
): FieldError[] => {
  const detail = isDeepStrictEqual(next, old) ? undefined : find(next);
  return detail ? [{ type: 'FieldValueTooMany', field, badValue: next?.length, detail }] : [];
};

/** Limits of a machine's or a template's spec; `old` is the stored one. */
export const validateLimits = (spec: AWSMachineSpec, old: AWSMachineSpec | undefined, field: string): FieldError[] => {
  const count = spec.cloudInit?.secretCount ?? 0;
  const isExcessive = count > MOST_SECRETS && count !== old?.cloudInit?.secretCount;
  const groups = [spec.additionalSecurityGroups, old?.additionalSecurityGroups] as const;
  return [
    ...(isExcessive ? [invalidValue(`${field}.cloudInit.secretCount`, count, `must be at most ${MOST_SECRETS}`)] : []),
    ...validateLength(groupExcess, groups, `${field}.additionalSecurityGroups`),
  ];
};
