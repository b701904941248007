import type { AWSCluster } from '../../../shared/kinds/index.ts';
import { type AwsScope, CONTROLLER_IDENTITY } from '../../../shared/providers/aws/scope.ts';

/** Where and as whom the calls for a cluster are made; the stack's own region and role where there is no AWSCluster. */
export type ScopeOf = (awsCluster: AWSCluster | null | undefined) => Promise<AwsScope>;

/** The cluster's region, and the functions' own roles. */
export const controllerScopeOf: ScopeOf = async (awsCluster) => ({
  region: awsCluster?.spec.region,
  identity: CONTROLLER_IDENTITY,
});
