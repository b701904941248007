import { createStsClient } from '../../../../shared/aws/clients/sts.ts';
import { createPacer, type PacerOptions } from '../../../../shared/aws/pace/pacer.ts';
import { readConfig } from '../../../../shared/config.ts';
import { createRoles } from '../../../../shared/providers/aws/roles.ts';
import type { Environment, Runtime } from '../../../runtime.ts';
import type { ScopeOf } from '../aws-scope.ts';
import type { RolesAs } from './credentials.ts';
import { makeScopeOf } from './scope-of.ts';

/** The `scopeOf` of a function. It reads Secrets, so the function must be able to decrypt them. */
export const runtimeScopeOf = (
  { objects, clock, turns }: Runtime,
  environment: Environment,
  { patience }: Pick<PacerOptions, 'patience'> = {},
): ScopeOf => {
  const { accountId, awsRateShare } = readConfig(environment, ['accountId', 'awsRateShare']);
  const pacer = createPacer({ turns, clock, share: Number(awsRateShare) / 100, patience });
  const roles: RolesAs = async (credentials) => createRoles(createStsClient({ credentials }));
  // Lambda sets it.
  const { AWS_REGION: homeRegion = '' } = environment;
  return makeScopeOf({ objects, clock, roles, accountId, homeRegion, pacer });
};
