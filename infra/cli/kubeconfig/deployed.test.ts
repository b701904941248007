import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { deployedKubeconfig, deployedOf } from './deployed.ts';

const STACK = {
  StackId: 'arn:aws-cn:cloudformation:cn-north-1:111111111111:stack/Windlass-blue/1',
  Outputs: [
    { OutputKey: 'ApiUrl', OutputValue: 'https://abc.execute-api.cn-north-1.amazonaws.com.cn/k8s/' },
    { OutputKey: 'ClusterId', OutputValue: 'Windlass-blue.cn-north-1.111111111111' },
  ],
};

it('writes a kubeconfig for the API of a stack, with the AWS CLI as the source of tokens', () => {
  const { clusters, users } = parse(deployedKubeconfig(deployedOf('Windlass-blue', STACK)));
  expect(clusters[0].cluster).toEqual({ server: 'https://abc.execute-api.cn-north-1.amazonaws.com.cn/k8s' });
  expect(users[0].user.exec).toMatchObject({
    command: 'aws',
    args: [
      ...['eks', 'get-token', '--cluster-name', 'Windlass-blue.cn-north-1.111111111111'],
      ...['--region', 'cn-north-1', '--role-arn', 'arn:aws-cn:iam::111111111111:role/WindlassAdmin'],
    ],
  });
});

it('uses another role if the user names one, and refuses stacks of other software', () => {
  const role = 'arn:aws:iam::111111111111:role/Other';
  expect(deployedOf('Windlass', STACK, role).roleArn).toBe(role);
  expect(() => deployedOf('Other', { StackId: STACK.StackId })).toThrow('has no output ApiUrl');
});
