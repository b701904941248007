import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { arns, ROLE_TAG, statement, WITH_CLUSTER_TAG } from './permissions.ts';

/** Permissions for resources of one role only, which their role tag names. */

/**
 * Making something of one role: only with that role's tag in the same call. `made`: the types in the ARNs that the
 * actions are about; `tagged`: of all that gets tags.
 */
export const creatingOfRole = (
  role: string,
  service: string,
  actions: readonly string[],
  { made, tagged }: { made: readonly string[]; tagged: readonly string[] },
): PolicyStatement[] => [
  statement(
    actions.map((action) => `${service}:${action}`),
    arns(service, made),
    { StringEquals: { [`aws:RequestTag/${ROLE_TAG}`]: role }, ...WITH_CLUSTER_TAG },
  ),
  statement([`${service}:AddTags`], arns(service, tagged), {
    StringEquals: { [`${service}:CreateAction`]: [...actions], [`aws:RequestTag/${ROLE_TAG}`]: role },
  }),
];

/** Changing or deleting something of one role. */
export const changingOfRole = (
  role: string,
  service: string,
  actions: readonly string[],
  types: readonly string[],
): PolicyStatement =>
  statement(
    actions.map((action) => `${service}:${action}`),
    arns(service, types),
    { StringEquals: { [`aws:ResourceTag/${ROLE_TAG}`]: role } },
  );
