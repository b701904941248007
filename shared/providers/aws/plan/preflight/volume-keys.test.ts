import { describe, expect, it } from 'vitest';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { SKIP_ANNOTATION } from '../../../../kinds/rules/aws/wishes.ts';
import { findingsOf } from './findings.ts';
import type { Facts, VolumeKeyFacts } from './model.ts';
import type { PoolSource } from './pools.ts';
import { keysToAsk } from './volume-keys.ts';
import { wantsOf } from './wants.ts';

const KEY = 'arn:aws:kms:us-east-1:111111111111:key/1';
const ROLE = 'arn:aws:iam::111111111111:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling';

const awsCluster = (annotations: Record<string, string> = {}): AWSCluster => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSCluster',
  metadata: { namespace: 'default', name: 'red', annotations },
  spec: { region: 'us-east-1' },
});

const pool = (launch: object): PoolSource =>
  ({
    pool: { metadata: { name: 'mp' }, spec: { replicas: 1 } },
    awsPool: { metadata: { name: 'p', namespace: 'default' }, spec: { awsLaunchTemplate: launch } },
    version: 'v1.34.0',
  }) as unknown as PoolSource;

const statement = (over: object = {}) => ({
  Effect: 'Allow',
  Principal: { AWS: ROLE },
  Action: [
    'kms:CreateGrant',
    'kms:Encrypt',
    'kms:Decrypt',
    'kms:ReEncrypt*',
    'kms:GenerateDataKey*',
    'kms:DescribeKey',
  ],
  Resource: '*',
  ...over,
});
const allows = (...Statement: object[]) => ({ value: JSON.stringify({ Version: '2012-10-17', Statement }) });
const root = statement({ Principal: { AWS: 'arn:aws:iam::111111111111:root' }, Action: 'kms:*' });

const ALL_GRANTED = [
  'CreateGrant',
  'Decrypt',
  'DescribeKey',
  'GenerateDataKeyWithoutPlaintext',
  'ReEncryptFrom',
  'ReEncryptTo',
];

const keyFacts = (over: Partial<VolumeKeyFacts> = {}): VolumeKeyFacts => ({
  arn: KEY,
  isCustomers: true,
  state: 'Enabled',
  policy: allows(root),
  grants: { value: [] },
  ...over,
});

const facts = (key: VolumeKeyFacts | undefined, more: Partial<Facts> = {}): Facts => ({
  quotas: new Map(),
  profiles: new Map(),
  permissions: [],
  images: new Map(),
  serviceRole: { value: { arn: ROLE } },
  makesServiceRole: true,
  volumeKey: { value: 'alias/aws/ebs' },
  keys: new Map([[KEY, { value: key }]]),
  ...more,
});

const NAMED = { rootVolume: { size: 8, encryptionKey: KEY } };

const found = (over: Partial<VolumeKeyFacts>, more: Partial<Facts> = {}, launch: object = NAMED) =>
  findingsOf(
    wantsOf({ namespace: 'default', name: 'red' }, awsCluster(), [pool(launch)], { network: false, machines: true }),
    facts(keyFacts(over), more),
  );

const AT = 'AWSMachinePool p spec.awsLaunchTemplate.rootVolume';
const nothing = { missing: [], unseen: [] };

describe('the keys of the volumes of a pool', () => {
  it.each([
    ['its policy allows the role', { policy: allows(root, statement()) }],
    ['its policy has one statement only', { policy: { value: JSON.stringify({ Statement: statement() }) } }],
    [
      'its policy allows everyone through EBS',
      { policy: allows(statement({ Principal: { AWS: '*' }, Condition: {} })) },
    ],
    ['a grant allows the role', { grants: { value: ALL_GRANTED } }],
    [
      'a grant allows the role, and the policy cannot be read',
      { policy: { unknown: 'AccessDenied' }, grants: { value: ALL_GRANTED } },
    ],
    [
      'its policy and a grant together allow everything',
      { policy: allows(statement({ Action: 'kms:*Grant' })), grants: { value: ALL_GRANTED.slice(1) } },
    ],
    [
      'its policy allows all actions but one',
      { policy: allows(statement({ Action: undefined, NotAction: 'kms:ScheduleKeyDeletion' })) },
    ],
    [
      'its policy denies everything to all others',
      {
        policy: allows(
          statement(),
          statement({ Effect: 'Deny', Principal: undefined, NotPrincipal: { AWS: [ROLE] }, Action: 'kms:*' }),
        ),
      },
    ],
    [
      'its policy denies other actions to everyone',
      {
        policy: allows(
          statement(),
          statement({ Effect: 'Deny', Principal: '*', Action: undefined, NotAction: ['kms:*'] }),
        ),
      },
    ],
    ['it is a key of AWS', { isCustomers: false, state: 'Disabled' }],
  ])('can be used if %s', (_, over) => {
    expect(found(over)).toEqual(nothing);
  });

  it.each([
    [
      'nothing allows the role',
      {},
      'kms:CreateGrant, kms:Decrypt, kms:DescribeKey, kms:GenerateDataKeyWithoutPlaintext, kms:ReEncryptFrom, kms:ReEncryptTo',
    ],
    [
      'its policy does not allow grants',
      { policy: allows(root, statement({ Action: ['kms:De*', 'kms:Gen*', 'kms:Re*'] })) },
      'kms:CreateGrant',
    ],
    [
      'its policy denies an action to everyone except others',
      {
        policy: allows(
          statement(),
          statement({
            ...{ Effect: 'Deny', Principal: undefined, NotPrincipal: { AWS: 'arn:aws:iam::111111111111:root' } },
            Action: 'kms:CreateGrant',
          }),
        ),
      },
      'kms:CreateGrant',
    ],
    [
      'its policy allows all actions except a necessary one',
      { policy: allows(statement({ Action: undefined, NotAction: ['kms:Decrypt', 'kms:Encrypt'] })) },
      'kms:Decrypt',
    ],
    [
      'its policy denies a necessary action',
      {
        policy: allows(statement(), statement({ Effect: 'Deny', Action: 'kms:decrypt' })),
        grants: { value: ALL_GRANTED },
      },
      'kms:Decrypt',
    ],
    [
      'its policy allows an action only to another role',
      {
        policy: allows(statement({ Principal: { AWS: [`${ROLE}_suffix`] } })),
        grants: { value: ALL_GRANTED.slice(1) },
      },
      'kms:CreateGrant',
    ],
  ])('cannot be used if %s', (_, over, actions) => {
    expect(found(over).missing).toEqual([
      `${AT}.encryptionKey: ${ROLE} may not ${actions} with key ${KEY}, so instances would terminate as soon as they start: allow it in the policy of the key or by a grant (docs/machine-pools.md#encrypted-volumes)`,
    ]);
  });

  it("are the account's own keys if an encrypted volume names none", () => {
    const usual = { volumeKey: { value: KEY } };
    expect(found({}, usual, {}).missing).toEqual([
      expect.stringMatching(
        /^AWSMachinePool p spec\.awsLaunchTemplate\.rootVolume: the account's key for volumes: arn:.* may not kms:/,
      ),
    ]);
    expect(found({}, usual, { rootVolume: { size: 8, encrypted: false } })).toEqual(nothing);
    expect(found({}, {}, {})).toEqual(nothing);
  });

  it('must exist and be enabled, and the role must exist', () => {
    const gone = facts(undefined);
    const wants = wantsOf({ namespace: 'default', name: 'red' }, awsCluster(), [pool(NAMED)], {
      network: false,
      machines: true,
    });
    expect(findingsOf(wants, gone).missing).toEqual([`${AT}.encryptionKey: KMS has no key ${KEY} (NotFoundException)`]);
    expect(found({ state: 'PendingDeletion' }).missing).toEqual([
      `${AT}.encryptionKey: key ${KEY} is PendingDeletion, not Enabled`,
    ]);
    expect(found({ policy: allows(statement()) }, { serviceRole: { value: {} } }).missing).toEqual([
      expect.stringMatching(
        /the role AWSServiceRoleForAutoScaling does not exist; create it with `aws iam create-service-linked-role/,
      ),
    ]);
  });

  it('report what could not be checked, once, without blocking anything', () => {
    const denied = { unknown: 'AccessDeniedException' };
    expect(found({ policy: denied })).toEqual({
      missing: [],
      unseen: [`policy of key ${KEY} (AccessDeniedException)`],
    });
    const unreadable = [`policy of key ${KEY} (it cannot be read)`];
    expect(found({ policy: { value: 'no policy' } })).toEqual({ missing: [], unseen: unreadable });
    expect(found({ grants: denied })).toEqual({
      missing: [],
      unseen: [`grants of key ${KEY} (AccessDeniedException)`],
    });
    expect(found({}, { keys: new Map([[KEY, denied]]) }).unseen).toEqual([`key ${KEY} (AccessDeniedException)`]);
    expect(found({}, { serviceRole: denied }).unseen).toEqual([
      'role AWSServiceRoleForAutoScaling (AccessDeniedException)',
    ]);
  });

  it('are not checked if the user skips them', () => {
    const cluster = awsCluster({ [SKIP_ANNOTATION]: 'volume-keys' });
    const wants = wantsOf({ namespace: 'default', name: 'red' }, cluster, [pool(NAMED)], {
      network: false,
      machines: true,
    });
    expect(findingsOf(wants, facts(keyFacts()))).toEqual(nothing);
  });

  it('are queried once, and only if they are customer managed', () => {
    const { machines } = wantsOf(
      { namespace: 'default', name: 'red' },
      awsCluster(),
      [pool({ ...NAMED, nonRootVolumes: [{ encryptionKey: KEY }, { encryptionKey: 'alias/aws/ebs' }, {}, {}] })],
      { network: false, machines: true },
    );
    expect(keysToAsk(machines, 'alias/own')).toEqual([KEY, 'alias/own']);
    expect(keysToAsk(machines, 'arn:aws:kms:us-east-1:111111111111:alias/aws/ebs')).toEqual([KEY]);
  });
});

it("report that a user's identity must create the role of Auto Scaling", () => {
  const absent = { serviceRole: { value: {} }, makesServiceRole: false };
  expect(found({ isCustomers: false }, absent)).toEqual({
    missing: [],
    unseen: [
      expect.stringMatching(/^role AWSServiceRoleForAutoScaling \(it does not exist, and Auto Scaling creates it/),
    ],
  });
  expect(found({ isCustomers: false }, { ...absent, makesServiceRole: true })).toEqual(nothing);
});
