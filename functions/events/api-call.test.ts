import { beforeEach, expect, it, vi } from 'vitest';
import {
  type AWSCluster,
  type AWSClusterRoleIdentity,
  type AWSClusterStaticIdentity,
  kinds,
  type Secret,
} from '../../shared/kinds/index.ts';
import { API_CALL } from '../../shared/providers/aws/plan/drift/api-call.ts';
import { makeAccount, NAMESPACE, type TestAccount } from './test-account.ts';

let account: TestAccount;

beforeEach(async () => {
  account = await makeAccount();
  await account.objects.ensure(kinds.awsCluster, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: { namespace: NAMESPACE, name: 'red' },
    spec: { region: 'us-east-1', network: { vpc: { id: VPC } } },
  } as AWSCluster);
});

const VPC = 'vpc-0123456789abcdef0';

const call = (VpcId: string, userIdentity?: object) => ({
  'detail-type': API_CALL,
  source: 'aws.ec2',
  detail: { eventName: 'ModifyVpcAttribute', requestParameters: { VpcId }, userIdentity },
});

it("an API call that changes a cluster's resources requests a pass over it", async () => {
  expect(await account.handle(call(VPC))).toEqual({ instances: 0, known: 1, changed: 1 });
  expect(account.touched).toEqual(['red']);
});

it('an API call that changes resources of others does nothing', async () => {
  expect(await account.handle(call('vpc-00000000000000000'))).toEqual({ instances: 0, known: 0, changed: 0 });
  expect(account.touched).toEqual([]);
});

it.each([
  ['its label names it', 'red', 0],
  ['its label names another', 'blue', 1],
])('the cluster of an AWSCluster is found if %s', async (_, label, lists) => {
  await account.objects.mutate(kinds.awsCluster, { namespace: NAMESPACE, name: 'red' }, (current) => ({
    ...current,
    metadata: { ...current.metadata, labels: { 'cluster.x-k8s.io/cluster-name': label } },
  }));
  const list = vi.spyOn(account.objects, 'list');
  await account.handle(call(VPC));
  expect(account.touched).toEqual(['red']);
  expect(list).toHaveBeenCalledTimes(lists);
});

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/v1beta2';

const useIdentity = (kind: 'AWSClusterRoleIdentity' | 'AWSClusterStaticIdentity') =>
  account.objects.mutate(kinds.awsCluster, { namespace: NAMESPACE, name: 'red' }, (current) => ({
    ...current,
    spec: { ...current.spec, identityRef: { kind, name: 'spoke' } },
  }));

it.each([
  ['platform', []],
  ['ann', ['red']],
])(
  "a call by the role of the cluster's identity, in a session named %s, requests passes over %j",
  async (name, touched) => {
    await useIdentity('AWSClusterRoleIdentity');
    await account.objects.ensure(kinds.awsClusterRoleIdentity, {
      apiVersion: INFRASTRUCTURE,
      kind: 'AWSClusterRoleIdentity',
      metadata: { name: 'spoke' },
      spec: {
        roleARN: 'arn:aws:iam::222222222222:role/controllers',
        sessionName: 'platform',
        sourceIdentityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
      },
    } as AWSClusterRoleIdentity);
    const arn = `arn:aws:sts::222222222222:assumed-role/controllers/${name}`;
    await account.handle(call(VPC, { type: 'AssumedRole', arn, accessKeyId: 'ASIAEXAMPLE' }));
    expect(account.touched).toEqual(touched);
  },
);

it.each([
  ['AKIAEXAMPLE', []],
  ['AKIAOTHER', ['red']],
])('a call with the access key %s requests passes over %j if the identity has another key', async (key, touched) => {
  await useIdentity('AWSClusterStaticIdentity');
  await account.objects.ensure(kinds.awsClusterStaticIdentity, {
    apiVersion: INFRASTRUCTURE,
    kind: 'AWSClusterStaticIdentity',
    metadata: { name: 'spoke' },
    spec: { secretRef: 'keys' },
  } as AWSClusterStaticIdentity);
  await account.objects.ensure(kinds.secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'capa-system', name: 'keys' },
    data: { AccessKeyID: Buffer.from('AKIAEXAMPLE').toString('base64') },
  } as unknown as Secret);
  await account.handle(call(VPC, { type: 'IAMUser', arn: 'arn:aws:iam::222222222222:user/capi', accessKeyId: key }));
  expect(account.touched).toEqual(touched);
});

it('a call requests a pass if the identity of the cluster does not exist', async () => {
  await useIdentity('AWSClusterRoleIdentity');
  await account.handle(call(VPC, { arn: 'arn:aws:sts::222222222222:assumed-role/controllers/windlass-spoke' }));
  expect(account.touched).toEqual(['red']);
});
