import type { AWSCluster } from '../../../shared/kinds/index.ts';
import { type AwsScope, CONTROLLER_IDENTITY } from '../../../shared/providers/aws/scope.ts';

/** The region and identity for the calls of a cluster; the stack's own region and role if there is no AWSCluster. */
export type ScopeOf = (awsCluster: AWSCluster | null | undefined) => Promise<AwsScope>;

/** The cluster's region, and the functions' own roles. */
export const controllerScopeOf: ScopeOf = async (awsCluster) => ({
  region: awsCluster?.spec.region,
  identity: CONTROLLER_IDENTITY,
});
