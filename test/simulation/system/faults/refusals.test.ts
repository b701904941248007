import { expect, it } from 'vitest';
import type { HappeningKind } from './kinds.ts';
import { admitWhile } from './refusals.ts';

const CALLS = ['dynamodb:UpdateItem', 'dynamodb:Query', 'states:StartExecution', 'ec2:RunInstances', 'ec2:CreateVpc'];

const refusedWhile = (kind: HappeningKind): string[] =>
  CALLS.filter((name) => {
    const [service = '', operation = ''] = name.split(':');
    try {
      admitWhile((one) => one === kind, { service, operation });
      return false;
    } catch {
      return true;
    }
  });

it.each<[HappeningKind, string[]]>([
  ['table throttled', ['dynamodb:UpdateItem']],
  ['table fails', ['dynamodb:UpdateItem', 'dynamodb:Query']],
  ['Step Functions fails', ['states:StartExecution']],
  ['no capacity', ['ec2:RunInstances']],
  ['quota reached', ['ec2:RunInstances', 'ec2:CreateVpc']],
  ['AWS fails', ['ec2:RunInstances', 'ec2:CreateVpc']],
  ['sweep', []],
])('while %s, AWS refuses only the affected calls', (kind, refused) => {
  expect(refusedWhile(kind)).toEqual(refused);
});
