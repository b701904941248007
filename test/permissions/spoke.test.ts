/** The role that users create in another account, as docs/identities.md describes it, judged by a simulation of IAM. */
import { expect, it } from 'vitest';
import { accountGrantsOf } from '../../infra/constructs/grants/grants.ts';
import { DEFAULT_INSTANCE_PROFILES } from '../../shared/providers/aws/plan/launch/profiles.ts';
import { judge } from './judge.ts';
import { spokeRole } from './spoke.ts';

const HUB = '000000000000';
const SPOKE = '111111111111';
const role = spokeRole(SPOKE, { HubAccount: HUB, ExternalId: 'windlass' });

it.each([
  ['Windlass-DriftRole1B2C3D4E-u7Dt1VwbCyC1', HUB, 'windlass', true],
  ['Windlass-DriftRole1B2C3D4E-u7Dt1VwbCyC1', HUB, 'another', false],
  ['Admin', HUB, 'windlass', false],
  ['Windlass-DriftRole1B2C3D4E-u7Dt1VwbCyC1', '999999999999', 'windlass', false],
])(
  'the spoke role may be assumed by %s of the account %s with the external id %s: %s',
  async (name, account, externalId, isAllowed) => {
    const document = { Effect: 'Allow', Action: 'sts:AssumeRole', Resource: role.arn };
    const statements = [{ actions: ['sts:AssumeRole'], resources: [role.arn], document }];
    const arn = `arn:aws:iam::${account}:role/${name}`;
    const context = { 'sts:ExternalId': externalId, 'aws:PrincipalArn': arn };
    const question = { action: 'sts:AssumeRole', resource: role.arn, context, mutates: true };
    const caller = { functionName: name, arn, statements };
    expect((await judge(caller, question, new Map([[role.arn, role.trust]]))).allowed).toBe(isAllowed);
  },
);

it.each([
  ['sts:TagSession', 'Windlass-DriftRole1B2C3D4E-u7Dt1VwbCyC1', true],
  ['sts:SetSourceIdentity', 'Windlass-DriftRole1B2C3D4E-u7Dt1VwbCyC1', true],
  ['sts:TagSession', 'Admin', false],
])('the spoke role permits %s in sessions of %s: %s', async (action, name, isAllowed) => {
  const document = { Effect: 'Allow', Action: action, Resource: role.arn };
  const arn = `arn:aws:iam::${HUB}:role/${name}`;
  const question = { action, resource: role.arn, context: { 'aws:PrincipalArn': arn }, mutates: true };
  const caller = { functionName: name, arn, statements: [{ actions: [action], resources: [role.arn], document }] };
  expect((await judge(caller, question, new Map([[role.arn, role.trust]]))).allowed).toBe(isAllowed);
});

it('the spoke role has exactly the actions of the functions that work in accounts', () => {
  const grants = Object.values(accountGrantsOf({ instanceProfiles: DEFAULT_INSTANCE_PROFILES })).flat();
  const wanted = new Set(grants.flatMap(({ actions }) => actions));
  expect(new Set(role.statements.flatMap(({ actions }) => actions))).toEqual(wanted);
});

it('the spoke role changes only resources of clusters in its own account', async () => {
  const terminate = (account: string, tags: Record<string, string>) =>
    judge(role, {
      action: 'ec2:TerminateInstances',
      resource: `arn:aws:ec2:us-east-1:${account}:instance/i-0123456789abcdef0`,
      context: Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:ResourceTag/${key}`, value])),
      mutates: true,
    });
  const ours = { 'sigs.k8s.io/cluster-api-provider-aws/role': 'node' };
  expect((await terminate(SPOKE, ours)).allowed).toBe(true);
  expect((await terminate(SPOKE, { team: 'web' })).allowed).toBe(false);
  expect((await terminate(HUB, ours)).allowed).toBe(false);
});
