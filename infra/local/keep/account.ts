/** A simulated account that outlives its process: the state of its services is stored before a call is answered. */
import type { Account } from '../account.ts';
import type { Call } from '../engines/wire/call.ts';
import { restorePieces, savePieces } from './pieces.ts';
import { shelfOf, type Vault } from './vault.ts';

/** The state of each service of a region. */
const regional = (account: Account, region: string): [name: string, state: object][] => {
  const classic = account.elb(region);
  return [
    ['autoscaling', account.autoscaling(region)],
    ['ec2', account.ec2(region)],
    ['elbv2', account.elbv2(region)],
    ['elb', classic],
    ['elb-path', classic.path],
    ['fis', account.fis(region)],
    ['kms', account.kms(region)],
    ['secrets', account.secrets(region)],
    ['ssm', account.ssm(region)],
  ];
};

const global = (account: Account): [name: string, state: object][] => [
  ['s3', account.s3],
  ['principals', account.principals],
  ['loopback', account.loopback],
];

const READS = /^(Describe|Get|List|Head|Decrypt|Encrypt|GenerateDataKey|ReEncrypt)/;
const ELSEWHERE = new Set(['dynamodb', 'states', 'lambda']);

/** Whether a call may have changed the account's state. Calls that are forwarded unread count as changes. */
const mayChange = ({ service, operation }: Call): boolean => !ELSEWHERE.has(service) && !READS.test(operation);

export interface KeptAccount {
  /** The regions with stored state. */
  readonly regions: readonly string[];
  /** Must be called after each call and before its answer. */
  saveAfter(call: Call): void;
}

const regionsIn = (vault: Vault): string[] => [
  ...new Set(vault.names('region/').map((name) => name.split('/')[1] ?? '')),
];

/** Restores the account from its part of a vault, and stores it there from now on. */
export const keepAccount = (account: Account, vault: Vault): KeptAccount => {
  const at = (region: string, service: string) => shelfOf(vault, `region/${region}/${service}/`);
  const shelf = (service: string) => shelfOf(vault, `global/${service}/`);
  const regions = regionsIn(vault);
  for (const [name, state] of global(account)) restorePieces(shelf(name), state);
  for (const region of regions)
    for (const [name, state] of regional(account, region)) restorePieces(at(region, name), state);
  const followed = new Set<string>();
  /** Groups also change between calls. */
  const follow = (region: string): void => {
    if (followed.has(region)) return;
    followed.add(region);
    account.autoscaling(region).pulse.listeners.add(() => save(region));
  };
  const save = (region: string): void => {
    for (const [name, state] of global(account)) savePieces(shelf(name), state);
    for (const [name, state] of regional(account, region)) savePieces(at(region, name), state);
  };
  vault.write('credentials', account.credentials);
  save(account.region);
  for (const region of [account.region, ...regions]) follow(region);
  return {
    regions,
    saveAfter: (call) => {
      if (!mayChange(call)) return;
      save(call.region);
      follow(call.region);
    },
  };
};
