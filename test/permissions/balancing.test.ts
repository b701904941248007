import { expect, it } from 'vitest';
import { FUNCTION_NAMES } from '../../infra/bundle/entries.ts';
import { READ_BY_QUOTAS, readByBalancing } from './balancing.ts';
import { roleOf } from './granted.ts';
import { judge } from './judge.ts';
import { questionsOf } from './requests.ts';

const PREFIX = 'elasticloadbalancing:';

it.each(FUNCTION_NAMES)(
  'the role of %s allows the reads of EC2 that Elastic Load Balancing makes for its calls',
  async (name) => {
    const role = roleOf(name);
    const granted = role.statements.flatMap(({ actions }) => actions).filter((action) => action.startsWith(PREFIX));
    const needed = new Set(granted.flatMap((action) => readByBalancing(action.slice(PREFIX.length))));
    const denied: string[] = [];
    for (const action of needed) {
      const { allowed } = await judge(role, { action, resource: '*', context: {}, mutates: false });
      if (!allowed) denied.push(action);
    }
    expect(denied).toEqual([]);
  },
);

it('the role of cluster-network allows the read that Service Quotas makes for quotas of load balancers', async () => {
  const input = { ServiceCode: 'elasticloadbalancing', QuotaCode: 'L-69A177A2' };
  const arn = 'arn:aws:servicequotas:us-east-1:000000000000:elasticloadbalancing/L-69A177A2';
  const questions = await questionsOf({
    ...{ requestId: '1', functionName: 'f', accessKeyId: '000000000000', region: 'us-east-1' },
    ...{ service: 'servicequotas', operation: 'GetServiceQuota', input, touched: [{ arn, tags: {}, exists: true }] },
  });
  expect(questions.map(({ action }) => action)).toEqual(['servicequotas:GetServiceQuota', READ_BY_QUOTAS]);
  for (const question of questions)
    expect((await judge(roleOf('cluster-network'), question)).allowed, question.action).toBe(true);
});
