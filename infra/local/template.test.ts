// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are CloudFormation's own
import { expect, it } from 'vitest';
import { creationOrder, type Identity, makeResolver, type Template } from './template.ts';

const target = {
  partition: 'aws',
  accountId: '000000000000',
  region: 'us-east-1',
  urlSuffix: 'amazonaws.com',
  stackName: 'Windlass',
};

const known = new Map<string, Identity>([
  ['Queue', { ref: 'queue-1', attributes: { Arn: 'arn:aws:sqs:a:b:queue-1' } }],
]);
const resolve = makeResolver(known, target);

it.each<[value: unknown, resolved: unknown]>([
  [{ Ref: 'Queue' }, 'queue-1'],
  [{ Ref: 'AWS::Region' }, 'us-east-1'],
  [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:aws:sqs:a:b:queue-1'],
  [{ 'Fn::GetAtt': 'Queue.Arn' }, 'arn:aws:sqs:a:b:queue-1'],
  [{ 'Fn::Join': ['-', ['a', { Ref: 'Queue' }]] }, 'a-queue-1'],
  [{ 'Fn::Select': [4, { 'Fn::Split': [':', { 'Fn::GetAtt': ['Queue', 'Arn'] }] }] }, 'b'],
  [
    { 'Fn::Sub': 'x-${AWS::AccountId}-${Queue}-${Queue.Arn}-${!Literal}' },
    'x-000000000000-queue-1-arn:aws:sqs:a:b:queue-1-${!Literal}',
  ],
  [{ 'Fn::Sub': ['${own}-${Queue}', { own: { Ref: 'AWS::Partition' } }] }, 'aws-queue-1'],
  [{ a: [{ b: { Ref: 'Queue' } }, 1, null, true] }, { a: [{ b: 'queue-1' }, 1, null, true] }],
])('resolves %j', (value, resolved) => {
  expect(resolve(value)).toEqual(resolved);
});

it.each<[value: unknown, message: string]>([
  [{ Ref: 'Nothing' }, 'refers to "Nothing"'],
  [{ 'Fn::GetAtt': ['Queue', 'Url'] }, '"Queue" has no attribute "Url"'],
  [{ 'Fn::ImportValue': 'x' }, 'uses Fn::ImportValue'],
  [{ 'Fn::If': ['a', 'b', 'c'] }, 'uses Fn::If'],
])('refuses %j by name', (value, message) => {
  expect(() => resolve(value)).toThrow(message);
});

const templateOf = (dependencies: Record<string, unknown>): Template => ({
  Resources: Object.fromEntries(
    Object.entries(dependencies).map(([id, Properties]) => [
      id,
      { Type: 'T', Properties: Properties as Record<string, unknown> },
    ]),
  ),
});

it('creates every resource after those that it refers to, at any depth', () => {
  const template = templateOf({
    A: { x: { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['B', 'Arn'] }]] } },
    B: { x: [{ 'Fn::Sub': '${C.Arn} ${AWS::Region}' }] },
    C: {},
  });
  expect(creationOrder(template)).toEqual(['C', 'B', 'A']);
  expect(creationOrder({ Resources: { A: { Type: 'T', DependsOn: ['B'] }, B: { Type: 'T' } } })).toEqual(['B', 'A']);
});

it('names the resources of a circular reference', () => {
  const template = templateOf({ A: { x: { Ref: 'B' } }, B: { x: { Ref: 'A' } } });
  expect(() => creationOrder(template)).toThrow('A → B → A');
});
