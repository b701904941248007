/**
 * A simulated AWS account: the state of its services in all regions, its settings and quotas, and the faults to inject.
 * `startAws` serves it.
 */
import type { Clock } from '../../shared/clock.ts';
import type { Random } from '../../shared/random.ts';
import { type AutoScalingSettings, defaultAutoScalingSettings } from './engines/autoscaling/settings.ts';
import { type AutoScaling, createAutoScaling } from './engines/autoscaling/state.ts';
import { addDefaultNetwork } from './engines/ec2/network/default-network.ts';
import { defaultEc2Settings, type Ec2Settings } from './engines/ec2/settings.ts';
import { createEc2, type Ec2 } from './engines/ec2/state.ts';
import { type ClassicElb, createClassicElb } from './engines/elb/state.ts';
import { type LoopbackAddresses, makeLoopbackAddresses } from './engines/elbv2/loopback.ts';
import { defaultElbSettings, type ElbSettings } from './engines/elbv2/settings.ts';
import { createElb, type DataPath, type Elb } from './engines/elbv2/state.ts';
import { createEventBus, type EventBus } from './engines/events/bus.ts';
import { createFis, type Fis } from './engines/fis/state.ts';
import { createKms, type Kms } from './engines/kms/state.ts';
import { createS3, type S3 } from './engines/s3/state.ts';
import { createSecrets, type Secrets } from './engines/secrets-manager/state.ts';
import { createSsm, type Ssm } from './engines/ssm/state.ts';
import { type Credentials, makePrincipals, type Principals } from './engines/sts/principals.ts';
import type { Trust } from './engines/sts/trust.ts';
import type { Call } from './engines/wire/call.ts';
import type { Gate, GatedCall } from './engines/wire/dispatch.ts';
import { AwsFault } from './engines/wire/fault.ts';
import { type Injection, makeInjection } from './engines/wire/injection.ts';
import { makeThrottling } from './engines/wire/throttling.ts';
import { HOME } from './home.ts';

/** How the account behaves; may be changed at any time. */
export interface AccountSettings extends Ec2Settings, ElbSettings, AutoScalingSettings {
  /** Whether the token buckets of EC2 and ELBv2 are applied for each account and region. */
  throttling: boolean;
  /** Forbidden calls, by signing name and operation: `ec2:CreateVpc`. */
  denied: string[];
}

const defaultSettings = (): AccountSettings => ({
  ...defaultEc2Settings(),
  ...defaultElbSettings(),
  ...defaultAutoScalingSettings(),
  throttling: false,
  denied: [],
});

export interface AccountOptions {
  /** Twelve digits; `000000000000` if omitted. */
  accountId?: string;
  /** The region whose services the accessors return by default; `us-east-1` if omitted. */
  region?: string;
  clock: Clock;
  random: Random;
  /** The account from which this one is reached by assuming roles; both then know each other's principals. */
  hub?: Account;
  /** The trust policies of its roles, by role name. */
  roles?: Readonly<Record<string, Trust>>;
  /** The credentials of the account's administrator; random if omitted. */
  credentials?: Credentials;
  settings?: Partial<AccountSettings>;
}

/** Admits calls of clients and of the account's own services. */
interface AccountGate extends Gate {
  before(call: GatedCall | Call, input: object): void;
}

export interface Account {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: AccountSettings;
  ec2(region?: string): Ec2;
  elbv2(region?: string): Elb;
  elb(region?: string): ClassicElb;
  autoscaling(region?: string): AutoScaling;
  fis(region?: string): Fis;
  kms(region?: string): Kms;
  secrets(region?: string): Secrets;
  ssm(region?: string): Ssm;
  /** Events that services report by themselves, in all regions. */
  readonly bus: EventBus;
  /** Its buckets are available in all regions. */
  readonly s3: S3;
  /** The data path of load balancers, once they are served. */
  readonly balancing: { dataPath: DataPath | undefined };
  /** Other accounts that are reached from this one, by id. */
  readonly spokes: ReadonlyMap<string, Account>;
  /** The callers that may assume the account's roles; undefined if every caller of the account may assume any. */
  readonly roles: Readonly<Record<string, Trust>> | undefined;
  /** The account of an access key; this one if the key is unknown. */
  accountOf(accessKeyId: string): Account;
  /** Credentials of the role WindlassAdmin. */
  readonly credentials: Credentials;
  /** All principals that STS knows; more may be added. */
  readonly principals: Principals;
  /**
   * Lets the next calls of an operation fail. `service` is the signing name: `ec2`, `elasticloadbalancing`,
   * `secretsmanager`, `sts`, `ssm`, `kms`, `states`, `dynamodb`.
   */
  readonly failNext: Injection['failNext'];
  /** Load balancers of all accounts listen on the same computer. */
  readonly loopback: LoopbackAddresses;
  /** Adds another account with this one as its hub. */
  join(spoke: Account): void;
  readonly injection: Injection;
  /** The gate that the wire server asks before and after each call. */
  readonly gate: AccountGate;
}

const perRegion = <State>(home: string, make: (region: string) => State): ((region?: string) => State) => {
  const states = new Map<string, State>();
  return (region = home) => {
    const state = states.get(region) ?? make(region);
    states.set(region, state);
    return state;
  };
};

/** Each service has its own error for this; EC2 has its own codes. */
const refuseDenied = (
  { denied, disabledRegions }: AccountSettings,
  { service, operation, region }: GatedCall,
): void => {
  const isEc2 = service === 'ec2';
  if (disabledRegions.includes(region))
    throw isEc2
      ? new AwsFault('AuthFailure', 'AWS was not able to validate the provided access credentials', 401)
      : new AwsFault('UnrecognizedClientException', 'The security token included in the request is invalid.', 403);
  if (!denied.includes(`${service}:${operation}`)) return;
  const code = { ec2: 'UnauthorizedOperation', servicequotas: 'AccessDeniedException' }[service] ?? 'AccessDenied';
  const message = isEc2
    ? 'You are not authorized to perform this operation. Encoded authorization failure message: c2VjcmV0'
    : `User is not authorized to perform: ${service}:${operation}`;
  throw new AwsFault(code, message, isEc2 ? 403 : 400);
};

/**
 * Classic load balancers have the same signing name as the others, but their own token buckets, which are not
 * simulated.
 */
const isClassic = (call: GatedCall | Call): boolean =>
  call.service === 'elasticloadbalancing' && 'request' in call && call.request.body.includes('Version=2012-06-01');

interface GateOptions {
  settings: AccountSettings;
  injection: Injection;
  clock: Clock;
  /** The account from whose buckets a call takes tokens. */
  accountOf(call: GatedCall | Call): string;
}

const makeGate = ({ settings, injection, clock, accountOf }: GateOptions): AccountGate => {
  const throttle = makeThrottling(clock);
  return {
    before: (call, input) => {
      if (settings.throttling && !isClassic(call)) throttle(call, input, accountOf(call));
      refuseDenied(settings, call);
      injection.check(call, 'before');
    },
    after: (call) => injection.check(call, 'after'),
  };
};

/** A new account: empty except for the default network of each region that is used. */
export const createAccount = (options: AccountOptions): Account => {
  const { accountId = HOME.accountId, region: home = HOME.region, clock, random } = options;
  if (!/^\d{12}$/.test(accountId)) throw new Error(`accountId must be twelve digits, not '${accountId}'`);
  const settings = { ...defaultSettings(), ...options.settings };
  const injection = makeInjection();
  const placeOf = (region: string) => ({ accountId, region, clock, random });
  const { hub } = options;
  const principals = hub?.principals ?? makePrincipals(random);
  const administrator = principals.add(`arn:aws:sts::${accountId}:assumed-role/WindlassAdmin/laptop`, {
    credentials: options.credentials,
  });
  // The credentials that Lambda gives to functions on the laptop.
  principals.add(`arn:aws:sts::${accountId}:assumed-role/WindlassFunctions/laptop`, {
    credentials: { accessKeyId: accountId, secretAccessKey: 'windlass' },
  });
  const loopback = hub?.loopback ?? makeLoopbackAddresses();
  const spokes = new Map<string, Account>();
  const bus = createEventBus(clock);
  const ec2 = perRegion(home, (region) => {
    const state = createEc2(placeOf(region), settings, bus);
    addDefaultNetwork(state);
    return state;
  });
  const elb = perRegion(home, (region) => createClassicElb(ec2(region), settings, loopback));
  const elbv2 = perRegion(home, (region) => createElb(placeOf(region), settings, ec2(region), loopback));
  const numberOf = (accessKeyId: string): string => principals.find(accessKeyId)?.arn.split(':')[4] ?? accountId;
  const accountOf = (call: GatedCall | Call) => ('accessKeyId' in call ? numberOf(call.accessKeyId) : accountId);
  const gate = makeGate({ settings, injection, clock, accountOf });
  const balancing: Account['balancing'] = hub?.balancing ?? { dataPath: undefined };
  const account: Account = {
    accountId,
    region: home,
    spokes,
    roles: options.roles,
    loopback,
    accountOf: (accessKeyId) => spokes.get(numberOf(accessKeyId)) ?? account,
    clock,
    random,
    settings,
    bus,
    ec2,
    fis: perRegion(home, (region) => createFis(placeOf(region), ec2(region))),
    elb,
    elbv2,
    balancing,
    autoscaling: perRegion(home, (region) =>
      createAutoScaling(placeOf(region), settings, bus, {
        ...{ ec2: ec2(region), elb: elbv2(region), classicElb: elb(region), dataPath: () => balancing.dataPath },
        admit: (operation, input) => gate.before({ service: 'ec2', operation, region }, input),
      }),
    ),
    kms: perRegion(home, (region) => createKms(placeOf(region))),
    secrets: perRegion(home, (region) => createSecrets(placeOf(region))),
    s3: createS3({ accountId, clock, random }),
    ssm: perRegion(home, (region) => createSsm(placeOf(region))),
    credentials: administrator.credentials,
    principals,
    failNext: injection.failNext,
    join: (spoke) => void spokes.set(spoke.accountId, spoke),
    injection,
    gate,
  };
  hub?.join(account);
  return account;
};
