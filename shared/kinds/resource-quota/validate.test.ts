import { describe, expect, it } from 'vitest';
import { admit, refusals } from '../test-admission.ts';
import { resourceQuota } from './definition.ts';
import type { ResourceQuota } from './schema.ts';

const withSpec = (spec: ResourceQuota['spec']): ResourceQuota => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'small', namespace: 'default' },
  spec,
});

describe('ResourceQuota admission', () => {
  it('stores quantities as strings', () => {
    const { spec } = admit(resourceQuota, withSpec({ hard: { secrets: 5, 'count/machines.cluster.x-k8s.io': '2k' } }));
    expect(spec?.hard).toEqual({ secrets: '5', 'count/machines.cluster.x-k8s.io': '2k' });
  });

  it.each([
    ['2e3', '2e3'],
    [' 5 ', '5'],
    [5, '5'],
  ])('reads %j as the quantity %s', (given, kept) => {
    expect(admit(resourceQuota, withSpec({ hard: { secrets: given } })).spec?.hard).toEqual({ secrets: kept });
  });

  it('drops an empty list of limits', () => {
    expect(admit(resourceQuota, withSpec({ hard: {} })).spec).toEqual({});
  });

  it.each([
    ['count/secrets', '-1', 'must be greater than or equal to 0'],
    ['count/secrets', '1.5', 'must be an integer'],
    ['count/secrets', 'many', 'must be an integer'],
    ['count/events', '1', 'must be count/<resource>.<group>, or a standard resource for quotas'],
    ['machines', '1', 'must be count/<resource>.<group>, or a standard resource for quotas'],
    ['cpu', 'much', 'must be a quantity, such as 10 or 2Gi'],
  ])('refuses %s: %s', (name, quantity, fault) => {
    expect(refusals(resourceQuota, withSpec({ hard: { [name]: quantity } }))).toEqual([
      `spec.hard[${name}]: Invalid value: ${JSON.stringify(quantity)}: ${fault}`,
    ]);
  });

  it('refuses scopes, because they select pods, which are not counted', () => {
    expect(refusals(resourceQuota, withSpec({ scopes: ['BestEffort'] }))).toEqual([
      'spec.scopes: Forbidden: scopes select pods, which are not counted here; leave it out',
    ]);
  });

  it('warns about resources that are not counted', () => {
    const quota = withSpec({ hard: { cpu: '4', 'requests.storage': '10Gi', secrets: '1' } });
    expect(resourceQuota.warnings?.(admit(resourceQuota, quota), undefined)).toEqual([
      'spec.hard[cpu]: it has no effect, because this resource is not counted',
      'spec.hard[requests.storage]: it has no effect, because this resource is not counted',
    ]);
  });
});
