import { DEFAULT_INSTANCE_PROFILES } from '../../../shared/providers/aws/plan/launch/profiles.ts';
import type { Context } from '../context.ts';

const NAME = { pattern: /^[\w+=,.@-]{1,64}$/, is: 'the name of an instance profile (no pattern)' };

/**
 * The instance profiles that machines may have, from `instanceProfiles` in the context. The role of each profile is
 * passed under the same name, because `clusterawsadm bootstrap iam` creates both with one name.
 */
export const readInstanceProfiles = (context: Context): readonly string[] => {
  if (context.raw('instanceProfiles') === undefined) return DEFAULT_INSTANCE_PROFILES;
  const names = context.list('instanceProfiles', NAME);
  if (names.length === 0) context.report('instanceProfiles', 'must name at least one instance profile');
  return names;
};
