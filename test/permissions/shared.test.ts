/** A resource that another account shares with AWS Resource Access Manager is in that account, also for IAM. */
import { expect, it } from 'vitest';
import type { FunctionName } from '../../infra/bundle/entries.ts';
import { roleOf } from './granted.ts';
import { judge } from './judge.ts';

const OTHER = '999999999999';
const shared = (type: string, id: string): string => `arn:aws:ec2:us-east-1:${OTHER}:${type}/${id}`;
const GROUP = shared('security-group', 'sg-0123456789abcdef0');

it.each<[FunctionName, string, string]>([
  ['cluster-network', 'ec2:CreateVpc', `arn:aws:ec2::${OTHER}:ipam-pool/ipam-pool-0123456789abcdef0`],
  ['cluster-network', 'ec2:CreateSecurityGroup', shared('vpc', 'vpc-0123456789abcdef0')],
  ['machine-instance', 'ec2:RunInstances', shared('subnet', 'subnet-0123456789abcdef0')],
  ['machine-instance', 'ec2:RunInstances', GROUP],
  ['drift', 'ec2:ModifyNetworkInterfaceAttribute', GROUP],
])('%s may call %s on a resource that another account shares: %s', async (name, action, resource) => {
  const verdict = await judge(roleOf(name), { action, resource, context: {}, mutates: true });
  expect(verdict.allowed).toBe(true);
});
