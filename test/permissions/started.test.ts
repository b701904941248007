import { EC2Client, RunInstancesCommand } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { imagesOf } from '../../infra/local/engines/ec2/images/images.ts';
import { startTestAws, type TestAws } from '../../infra/local/test-aws.ts';
import { roleOf } from './granted.ts';
import { judge } from './judge.ts';
import { type Question, questionsOf } from './requests.ts';
import { touchedBy } from './touched.ts';

const KEY = 'arn:aws:kms:us-east-1:999999999999:key/99999999-2222-3333-4444-555555555555';
const SHARED = new Map([
  [
    KEY,
    {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::000000000000:root' }, Action: 'kms:*', Resource: '*' },
      ],
    },
  ],
]);

let test: TestAws;
let grants: Question[];

beforeAll(async () => {
  test = await startTestAws();
  const [ImageId = ''] = imagesOf('us-east-1').keys();
  const { Instances = [] } = await new EC2Client(test.direct).send(
    new RunInstancesCommand({
      ...{ ImageId, InstanceType: 't3.large', MinCount: 1, MaxCount: 1 },
      BlockDeviceMappings: [{ DeviceName: '/dev/sdb', Ebs: { VolumeSize: 8, Encrypted: true, KmsKeyId: KEY } }],
    }),
  );
  const recorded = {
    ...{ requestId: '1', functionName: 'f', accessKeyId: '000000000000', region: 'us-east-1' },
    ...{ service: 'ec2', operation: 'StartInstances', input: { InstanceIds: [Instances[0]?.InstanceId] } },
  };
  const questions = await questionsOf({ ...recorded, touched: touchedBy(test.account, recorded) });
  grants = questions.filter(({ resource }) => resource === KEY);
});
afterAll(() => test.aws.close());

it('starting an instance needs a grant for EC2 on the key of its volumes', () => {
  expect(grants).toMatchObject([
    { action: 'kms:CreateGrant', mutates: true, context: { 'kms:GrantIsForAWSResource': 'true' } },
  ]);
});

it('the sweep may create a grant on that key only through EC2 and only for AWS services', async () => {
  const [grant] = grants;
  if (!grant) throw new Error('there is no question about a grant');
  const isAllowed = async (context: Question['context']) =>
    (await judge(roleOf('drift'), { ...grant, context }, SHARED)).allowed;
  const { 'kms:ViaService': _, ...direct } = grant.context;
  expect(await isAllowed(grant.context)).toBe(true);
  expect(await isAllowed(direct)).toBe(false);
  expect(await isAllowed({ ...grant.context, 'kms:GrantIsForAWSResource': 'false' })).toBe(false);
});
