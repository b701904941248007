/** Faults and delays of the simulated account that a user requests, to see how clusters cope. */
import type { Account, AccountSettings } from '../../local/account.ts';

export interface FaultOptions {
  /** `OPERATION=CODE[:WHERE]`. */
  fail: readonly string[];
  /** The factor for the durations of resources; 1 stands for AWS's own times. */
  slowAws?: number;
  /** For at most this many seconds, reads may not show what was just created. */
  consistency?: number;
  throttle: boolean;
}

/** One --fail option. */
interface Fault {
  operation: string;
  code: string;
  /** A zone with missing capacity, or the number of calls that fail; empty for every call. */
  where: string;
}

/** AWS's times in milliseconds, as published or commonly observed. */
const AWS_TIMES = {
  instanceStartMilliseconds: 40_000,
  instanceStopMilliseconds: 40_000,
  natMilliseconds: 120_000,
  loadBalancerMilliseconds: 150_000,
  loadBalancerReleaseMilliseconds: 60_000,
  targetServingMilliseconds: 200_000,
} satisfies Partial<AccountSettings>;

/** EC2's code for a zone or an instance type without capacity: it lasts, unlike faults of single calls. */
const NO_CAPACITY = 'InsufficientInstanceCapacity';

/** The options of `--profile lifelike`; explicit ones take precedence. */
export const LIFELIKE = { slowAws: 1, consistency: 5, throttle: true, boot: 150 } as const;

const FORM = /^(\w+)=([\w.]+)(?::([\w-]+))?$/;

const faultOf = (text: string): Fault => {
  const [, operation = '', code = '', where = ''] = FORM.exec(text) ?? [];
  if (operation === '')
    throw new Error(
      `--fail ${text}: must be OPERATION=CODE, OPERATION=CODE:TIMES or RunInstances=${NO_CAPACITY}:ZONE, for example CreateVpc=VpcLimitExceeded:3`,
    );
  const isCount = /^[1-9]\d*$/.test(where);
  if (where !== '' && !isCount && code !== NO_CAPACITY)
    throw new Error(`--fail ${text}: "${where}" must be how many calls fail; only ${NO_CAPACITY} takes a zone`);
  return { operation, code, where };
};

/** The SDK clients by the signing names of their services; the first one with an operation is used. */
const CLIENTS: Readonly<Record<string, () => Promise<object>>> = {
  ec2: () => import('@aws-sdk/client-ec2'),
  elasticloadbalancing: () => import('@aws-sdk/client-elastic-load-balancing-v2'),
  secretsmanager: () => import('@aws-sdk/client-secrets-manager'),
  ssm: () => import('@aws-sdk/client-ssm'),
  kms: () => import('@aws-sdk/client-kms'),
  sts: () => import('@aws-sdk/client-sts'),
  iam: () => import('@aws-sdk/client-iam'),
};

const serviceOf = async (operation: string): Promise<string> => {
  for (const [service, load] of Object.entries(CLIENTS)) {
    if (`${operation}Command` in (await load())) return service;
  }
  throw new Error(`--fail ${operation}=…: no simulated service has this operation (names are as in AWS, CreateVpc)`);
};

const slowDown = (settings: AccountSettings, factor: number): void => {
  const times = Object.entries(AWS_TIMES).map(([name, time]) => [name, Math.round(time * factor)] as const);
  Object.assign(settings, Object.fromEntries(times));
};

const order = ({ settings, failNext }: Account, { service, operation, code, where }: Fault & { service: string }) => {
  const isCount = /^\d+$/.test(where);
  if (code === NO_CAPACITY && !isCount) settings.capacityGaps.push(where === '' ? {} : { zone: where });
  else failNext(service, operation, { code, times: isCount ? Number(where) : Number.POSITIVE_INFINITY });
};

/**
 * Parses the options, so that errors are reported before anything starts. The result applies them to the simulated
 * account. Rejects with an Error that names the option.
 */
export const readFaults = async (options: FaultOptions & { aws?: string }): Promise<(account: Account) => void> => {
  const { fail, slowAws, consistency = 0, throttle } = options;
  if (options.aws !== undefined && (fail.length > 0 || slowAws !== undefined || throttle))
    throw new Error('--fail, --slow-aws and --throttle concern the simulated account: leave out --aws');
  const faults = await Promise.all(
    fail.map(faultOf).map(async (fault) => ({ ...fault, service: await serviceOf(fault.operation) })),
  );
  return (account) => {
    account.settings.throttling = throttle;
    account.settings.consistencyMilliseconds = consistency * 1000;
    if (slowAws !== undefined) slowDown(account.settings, slowAws);
    for (const fault of faults) order(account, fault);
  };
};
