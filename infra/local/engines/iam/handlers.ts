import type * as sdk from '@aws-sdk/client-iam';
import { AwsFault } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { type Place, randomHex } from '../wire/place.ts';

const SERVICE_ROLE = 'AWSServiceRoleForAutoScaling';

/**
 * Instance profiles: every name exists, except for those that the settings exclude, as in RunInstances. Roles: only
 * Auto Scaling's service-linked one.
 */
export const iamHandlers = (
  { accountId, clock, random }: Place,
  settings: { readonly missingInstanceProfiles: readonly string[]; readonly lacksAutoScalingRole: boolean },
): Handlers<typeof sdk> => ({
  GetInstanceProfile: ({ InstanceProfileName: name = '' }) => {
    if (settings.missingInstanceProfiles.includes(name))
      throw new AwsFault('NoSuchEntity', `Instance Profile ${name} cannot be found.`, 404);
    return {
      InstanceProfile: {
        Path: '/',
        InstanceProfileName: name,
        InstanceProfileId: `AIPA${randomHex(random, 16).toUpperCase()}`,
        Arn: `arn:aws:iam::${accountId}:instance-profile/${name}`,
        CreateDate: clock.now(),
        Roles: [],
      },
    };
  },
  GetRole: ({ RoleName: name = '' }) => {
    if (name !== SERVICE_ROLE || settings.lacksAutoScalingRole)
      throw new AwsFault('NoSuchEntity', `The role with name ${name} cannot be found.`, 404);
    const path = '/aws-service-role/autoscaling.amazonaws.com/';
    return {
      Role: {
        Path: path,
        RoleName: name,
        RoleId: `AROA${randomHex(random, 16).toUpperCase()}`,
        Arn: `arn:aws:iam::${accountId}:role${path}${name}`,
        CreateDate: clock.now(),
      },
    };
  },
});
