import type { AWSMachinePool } from '../../../../kinds/index.ts';
import { lackingActions } from './key-policy.ts';
import type { Fact, Facts, VolumeKeyFacts, WantedKey, WantedMachines, Wants } from './model.ts';

/** The role with which Auto Scaling launches instances; each account has its own. */
export const SERVICE_ROLE = 'AWSServiceRoleForAutoScaling';

const LAUNCH = 'spec.awsLaunchTemplate';

/** The keys with which the volumes of a pool are encrypted: those that it names, and the account's default once. */
export const keysOfPool = ({ spec }: AWSMachinePool): WantedKey[] => {
  const { rootVolume, nonRootVolumes = [] } = spec?.awsLaunchTemplate ?? {};
  const volumes = [
    { field: `${LAUNCH}.rootVolume`, volume: rootVolume },
    ...nonRootVolumes.map((volume, index) => ({ field: `${LAUNCH}.nonRootVolumes[${index}]`, volume })),
  ];
  const named = volumes.flatMap(({ field, volume }): WantedKey[] =>
    volume?.encryptionKey ? [{ field: `${field}.encryptionKey`, key: volume.encryptionKey }] : [],
  );
  const first = volumes.find(({ volume }) => !volume?.encryptionKey && (volume?.encrypted ?? true));
  return [...named, ...(first ? [{ field: first.field, key: undefined }] : [])];
};

/** Keys that AWS manages for a service. All users of the service can use them. */
const isOfAws = (key: string): boolean => /(^|:)alias\/aws\//.test(key);

/** The customers' keys to be queried, without duplicates. `usual`: the account's default, if a volume names none. */
export const keysToAsk = (machines: readonly WantedMachines[], usual: string | undefined): string[] => {
  const all = machines.flatMap(({ keys = [] }) => keys.map(({ key }) => key ?? usual));
  return [...new Set(all.filter((key) => key !== undefined && !isOfAws(key)))] as string[];
};

interface Report {
  missing: string[];
  value<T>(what: string, fact: Fact<T> | undefined): T | undefined;
}

const NO_ROLE = `the role ${SERVICE_ROLE} does not exist; create it with \`aws iam create-service-linked-role --aws-service-name autoscaling.amazonaws.com\``;
const REMEDY = 'allow it in the policy of the key or by a grant (docs/machine-pools.md#encrypted-volumes)';

/** Why a pool's instances cannot have a volume encrypted with a key; undefined if they can, or it is unknown. */
const problemOf = (report: Report, key: VolumeKeyFacts, role: Facts['serviceRole']): string | undefined => {
  if (!key.isCustomers) return undefined;
  if (key.state !== 'Enabled') return `key ${key.arn} is ${key.state}, not Enabled`;
  const found = report.value(`role ${SERVICE_ROLE}`, role);
  if (!found) return undefined;
  if (!found.arn) return `Auto Scaling has to use key ${key.arn}, but ${NO_ROLE}, and ${REMEDY}`;
  const lacking = lackingActions(key, found.arn);
  if (lacking === undefined) {
    const isUnreadable = 'value' in key.policy && 'value' in key.grants;
    report.value(`policy of key ${key.arn}`, isUnreadable ? { unknown: 'it cannot be read' } : key.policy);
    report.value(`grants of key ${key.arn}`, key.grants);
    return undefined;
  }
  if (lacking.length === 0) return undefined;
  return `${found.arn} may not ${lacking.join(', ')} with key ${key.arn}, so instances would terminate as soon as they start: ${REMEDY}`;
};

/** Checks whether Auto Scaling can use the keys with which the volumes of pools are encrypted. */
export const checkVolumeKeys = (report: Report, { template, keys = [] }: WantedMachines, facts: Facts): void => {
  for (const { field, key: named } of keys) {
    const name = named ?? report.value("the account's key for volumes", facts.volumeKey);
    if (name === undefined || isOfAws(name)) continue;
    const fact = facts.keys?.get(name);
    const key = report.value(`key ${name}`, fact);
    const at = `${template} ${field}: ${named === undefined ? "the account's key for volumes: " : ''}`;
    if (fact && 'value' in fact && !key) report.missing.push(`${at}KMS has no key ${name} (NotFoundException)`);
    const problem = key && problemOf(report, key, facts.serviceRole);
    if (problem) report.missing.push(`${at}${problem}`);
  }
};

/**
 * The first group of an account makes Auto Scaling create its role. A user's own identity may lack the right to do so.
 */
export const checkServiceRole = (report: Report, { groups }: Wants, { serviceRole, makesServiceRole }: Facts): void => {
  if (groups === 0 || makesServiceRole) return;
  const found = report.value(`role ${SERVICE_ROLE}`, serviceRole);
  if (!found || found.arn) return;
  const unknown = `it does not exist, and Auto Scaling creates it with the first group only if the identity has iam:CreateServiceLinkedRole`;
  report.value(`role ${SERVICE_ROLE}`, { unknown });
};
