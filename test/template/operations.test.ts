import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { fixedUsage } from '../../infra/cli/bench/cost/fixed.ts';
import { KEPT } from '../../infra/cli/commands/kept-settings.ts';
import { loadAssembly, type Template } from '../../infra/local/template.ts';
import { INSTALLATION_MONTH } from '../../shared/providers/aws/plan/cost/own-counted.ts';
import { BY_VERSION, DUE } from '../../shared/store/table.ts';

let template: Template;
let runbooks: string;

beforeAll(() => {
  template = loadAssembly(inject('outdir')).template;
  runbooks = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'runbooks.md'), 'utf8');
});

const ofType = (type: string) => Object.entries(template.Resources).filter(([, { Type }]) => Type === type);

/** The only resource of its type. */
const only = (type: string) => {
  const [[id, definition] = ['', undefined], ...others] = ofType(type);
  if (!definition || others.length > 0) throw new Error(`${others.length} more of ${type}`);
  return { id, dependsOn: [definition.DependsOn ?? []].flat(), properties: definition.Properties ?? {} };
};

const alarms = () =>
  ofType('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties as Record<string, unknown>);

it('the logical ids of the table and the key are those that `windlass deploy` expects', () => {
  expect(Object.values(KEPT).map(({ logicalId }) => logicalId)).toEqual([
    only('AWS::DynamoDB::Table').id,
    only('AWS::KMS::Key').id,
  ]);
});

describe('alarms', () => {
  it('each have a section of the runbooks, and no section is about anything else', () => {
    const names = alarms().map(({ AlarmName }) => String(AlarmName).replace('Windlass-', ''));
    const sections = [...runbooks.matchAll(/^## ([a-z-]+)$/gm)].map((match) => match[1]);
    expect(names.length).toBeGreaterThan(8);
    // Regular exports are off here, so their alarm does not exist.
    expect(sections.sort()).toEqual([...names, 'export-failed'].sort());
    for (const { AlarmName, AlarmDescription } of alarms())
      expect(AlarmDescription).toContain(`docs/runbooks.md#${String(AlarmName).replace('Windlass-', '')}`);
  });

  it('notify the topic when they fire and when they end', () => {
    const { id: topic } = only('AWS::SNS::Topic');
    for (const { AlarmActions, OKActions } of alarms())
      expect([AlarmActions, OKActions]).toEqual([[{ Ref: topic }], [{ Ref: topic }]]);
  });

  it('notify the topic if the sweep sends no signal, but not before its first one', () => {
    const { id: topic } = only('AWS::SNS::Topic');
    // A new alarm has no data, and sends no notification until it has had data.
    expect(alarms().filter(({ TreatMissingData }) => TreatMissingData === 'breaching')).toEqual([]);
    const silent = alarms().filter(({ TreatMissingData }) => TreatMissingData === 'missing');
    expect(silent).toMatchObject([{ AlarmName: 'Windlass-sweep-missing', InsufficientDataActions: [{ Ref: topic }] }]);
    expect(alarms().filter(({ InsufficientDataActions }) => InsufficientDataActions)).toHaveLength(1);
  });

  it('cost at most 4 USD a month together, 0.10 for each of their metrics', () => {
    const { alarmMetricMonths = 0 } = fixedUsage(template.Resources);
    expect(alarmMetricMonths).toBeGreaterThanOrEqual(alarms().length);
    expect(alarmMetricMonths).toBeLessThanOrEqual(40);
    expect(alarmMetricMonths).toBe(INSTALLATION_MONTH.alarmMetricMonths);
  });

  it('about errors of functions exclude the authorizer, whose refusals of tokens count as errors', () => {
    const [authorizer] = ofType('AWS::Lambda::Function').find(([, { Properties }]) =>
      JSON.stringify(Properties?.FunctionName).includes('authorizer'),
    ) ?? [''];
    const errors = JSON.stringify(alarms().find(({ AlarmName }) => AlarmName === 'Windlass-function-errors'));
    const answers = alarms().find(({ AlarmName }) => AlarmName === 'Windlass-api-errors');
    expect(authorizer).not.toBe('');
    expect(errors).not.toContain(JSON.stringify({ Ref: authorizer }));
    // The authorizer's other errors are counted here, because the gateway responds to them with 500.
    expect(answers).toMatchObject({ MetricName: '5XXError' });
  });

  it('and the dashboard cover throttled writes of the global indexes that every write and every pass updates', () => {
    const throttled = alarms().find(({ AlarmName }) => AlarmName === 'Windlass-table-throttles');
    const body = JSON.stringify(only('AWS::CloudWatch::Dashboard').properties);
    for (const index of [BY_VERSION.name, DUE.name]) {
      expect(JSON.stringify(throttled)).toContain(JSON.stringify({ Name: 'GlobalSecondaryIndexName', Value: index }));
      expect(body).toContain(`WriteThrottleEvents ${index}`);
    }
    expect(throttled?.Metrics).toHaveLength(6);
  });

  it('are all on the dashboard', () => {
    const body = JSON.stringify(only('AWS::CloudWatch::Dashboard').properties);
    for (const [id] of ofType('AWS::CloudWatch::Alarm')) expect(body).toContain(id);
  });
});

describe('the dashboard', () => {
  it('contains prices as plain decimals, which CloudWatch can read', () => {
    const body = JSON.stringify(only('AWS::CloudWatch::Dashboard').properties);
    const prices = [...body.matchAll(/FILL\(\w+, 0\) \* ([^ "\\]+)/g)].map(([, price]) => price);
    expect(prices.length).toBeGreaterThan(10);
    expect(prices.filter((price) => !/^0\.\d+$/.test(String(price)) || Number(price) === 0)).toEqual([]);
  });
});

describe('the guard', () => {
  it('is deleted before everything else, because it depends on everything else', () => {
    const { id, dependsOn } = only('Custom::WindlassGuard');
    expect([...dependsOn].sort()).toEqual(
      Object.keys(template.Resources)
        .filter((other) => other !== id)
        .sort(),
    );
  });

  it('has the settings of the stack', () => {
    expect(only('Custom::WindlassGuard').properties).toMatchObject({
      destroyWithClusters: 'false',
      ServiceTimeout: '300',
    });
  });
});
