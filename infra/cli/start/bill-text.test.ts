import { expect, it } from 'vitest';
import { LIST_PRICES } from '../../../shared/providers/aws/plan/cost/us-east-1.ts';
import { billOf } from '../../../shared/providers/aws/plan/cost/usage.ts';
import { runBillText } from './bill-text.ts';

it('shows what a run would have cost, by service, the most expensive first', () => {
  const usage = {
    invocations: 200_000,
    transitions: 1234,
    executions: 3,
    readUnits: 20_000,
    secretMonths: 6 / 730,
    logGigabytes: 0.00001,
  };
  const text = runBillText(billOf(usage, 'us-east-1', [LIST_PRICES]));
  expect(text.split('\n')).toEqual([
    'On AWS, Windlass would have cost 0.0766 USD for this run (docs/cost.md):',
    '',
    '  0.0400   Lambda            200,000 invocations',
    '  0.0309   Step Functions    1,234 state transitions, 3 executions',
    '  0.0033   Secrets Manager   6 secret-hours',
    '  0.0025   DynamoDB          20,000 read units',
    '',
    'AWS list prices of us-east-1, 2026-07-20, without free tiers. Instances, gateways and load balancers of clusters are not included.',
  ]);
});

it('shows a lower bound if a price is unknown', () => {
  expect(runBillText(billOf({ transitions: 1 }, 'cn-north-1', [LIST_PRICES]))).toContain('at least 0.0000 USD');
});
