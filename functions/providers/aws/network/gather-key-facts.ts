import type { AccountFacts } from '../../../../shared/providers/aws/api/account-facts.ts';
import type { Facts, VolumeKeyFacts, Wants } from '../../../../shared/providers/aws/plan/preflight/model.ts';
import { keysToAsk, SERVICE_ROLE } from '../../../../shared/providers/aws/plan/preflight/volume-keys.ts';
import { fact, keyed } from './fact.ts';

/** A key with its policy and grants; those of AWS's own keys do not matter. `role`: an ARN. */
const askKey = async (account: AccountFacts, name: string, role?: string): Promise<VolumeKeyFacts | undefined> => {
  const key = await account.key(name);
  if (!key?.isCustomers) return key && { ...key, policy: { value: '' }, grants: { value: [] } };
  const [policy, grants] = await Promise.all([
    fact(() => account.keyPolicy(key.arn)),
    role === undefined ? { value: [] } : fact(() => account.keyGrants(key.arn, role)),
  ]);
  return { ...key, policy, grants };
};

/**
 * Determines the role with which Auto Scaling launches the instances of pools, and checks the keys of their volumes.
 * Makes no call without pools.
 */
export const gatherKeyFacts = async (
  account: AccountFacts,
  { groups, machines }: Wants,
): Promise<Pick<Facts, 'serviceRole' | 'volumeKey' | 'keys'>> => {
  if (groups === 0) return {};
  const usesDefault = machines.some(({ keys = [] }) => keys.some(({ key }) => key === undefined));
  const [serviceRole, volumeKey] = await Promise.all([
    fact(async () => {
      const arn = await account.role(SERVICE_ROLE);
      return arn === undefined ? {} : { arn };
    }),
    usesDefault ? fact(account.defaultVolumeKey) : undefined,
  ]);
  const usual = volumeKey && 'value' in volumeKey ? volumeKey.value : undefined;
  const role = 'value' in serviceRole ? serviceRole.value.arn : undefined;
  const keys = await keyed(keysToAsk(machines, usual), (name) => fact(() => askKey(account, name, role)));
  return { serviceRole, ...(volumeKey ? { volumeKey } : {}), keys };
};
