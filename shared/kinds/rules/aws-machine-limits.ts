/**
 * Limits of what a user writes and of which each piece costs calls: AWS limits the rate of calls for a whole account, so
 * that a long list in one object delays the machines of all tenants.
 */
import { isDeepStrictEqual } from 'node:util';
import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { AWSMachineSpec } from '../schema/aws-machine-spec.ts';

/** Cluster API's AWS provider cuts the largest Secret into fewer parts than that. */
export const MOST_SECRETS = 500;

/** Values from before the limit may stay, so that their objects can be changed and deleted. */
const limited = (count: number, most: number, isNew: boolean, error: (detail: string) => FieldError): FieldError[] =>
  count > most && isNew ? [error(`must be at most ${most}`)] : [];

/** Limits of a machine's or a template's spec; `old` is the stored one. */
export const validateLimits = (spec: AWSMachineSpec, old: AWSMachineSpec | undefined, field: string): FieldError[] => {
  const { secretCount = 0 } = spec.cloudInit ?? {};
  const isNew = !isDeepStrictEqual(secretCount, old?.cloudInit?.secretCount);
  return limited(secretCount, MOST_SECRETS, isNew, (detail) =>
    invalidValue(`${field}.cloudInit.secretCount`, secretCount, detail),
  );
};
