import { beforeEach, expect, it } from 'vitest';
import { type AWSCluster, kinds } from '../../shared/kinds/index.ts';
import { API_CALL } from '../../shared/providers/aws/plan/drift/api-call.ts';
import { makeAccount, NAMESPACE, type TestAccount } from './test-account.ts';

let account: TestAccount;

beforeEach(async () => {
  account = await makeAccount();
  await account.objects.ensure(kinds.awsCluster, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: { namespace: NAMESPACE, name: 'red' },
    spec: { region: 'us-east-1', network: { vpc: { id: 'vpc-0123456789abcdef0' } } },
  } as AWSCluster);
});

const call = (VpcId: string) => ({
  'detail-type': API_CALL,
  source: 'aws.ec2',
  detail: { eventName: 'ModifyVpcAttribute', requestParameters: { VpcId } },
});

it("an API call that changes a cluster's resources requests a pass over it", async () => {
  expect(await account.handle(call('vpc-0123456789abcdef0'))).toEqual({ instances: 0, known: 1, changed: 1 });
  expect(account.touched).toEqual(['red']);
});

it('a call that changes what others own does nothing', async () => {
  expect(await account.handle(call('vpc-00000000000000000'))).toEqual({ instances: 0, known: 0, changed: 0 });
  expect(account.touched).toEqual([]);
});
