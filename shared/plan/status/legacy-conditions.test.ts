import { describe, expect, it } from 'vitest';
import type { LegacyCondition } from '../../kinds/schema/meta.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { type LegacyClaim, withLegacyConditions } from './legacy-conditions.ts';

type Reporting = KubeObject & { status?: { conditions?: LegacyCondition[] } };

const bare: Reporting = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'thing' } };

const readyOf = (...claims: LegacyClaim[]): LegacyCondition | undefined =>
  withLegacyConditions(bare, claims, new Date(0)).status?.conditions?.find(({ type }) => type === 'Ready');

const bad = (type: string, severity: LegacyClaim['severity'], reason: string): LegacyClaim => ({
  type,
  status: 'False',
  ...(severity ? { severity } : {}),
  reason,
  message: `${type} says ${reason}`,
});

describe('Ready of an object of the AWS provider', () => {
  it('is True if all other conditions are', () => {
    expect(readyOf({ type: 'VpcReady', status: 'True' })).toMatchObject({ status: 'True' });
  });

  it.each([
    ['Warning', 'Info'],
    ['Error', 'Warning'],
    ['Error', 'Info'],
  ] as const)('prefers an %s to an %s, whatever the alphabetical order', (worse, better) => {
    const ready = readyOf(bad('LoadBalancerReady', better, 'Waits'), bad('VpcReady', worse, 'Fails'));
    expect(ready).toMatchObject({ status: 'False', severity: worse, reason: 'Fails', message: 'VpcReady says Fails' });
  });

  it('has a message that is no longer than its version allows', () => {
    const ready = readyOf({ ...bad('VpcReady', 'Error', 'Fails'), message: 'x'.repeat(20_000) });
    expect(ready?.message).toBe(`${'x'.repeat(10_239)}…`);
  });

  it('prefers False to Unknown', () => {
    const ready = readyOf({ type: 'AReady', status: 'Unknown', reason: 'NotAsked' }, bad('BReady', 'Info', 'Waits'));
    expect(ready).toMatchObject({ status: 'False', reason: 'Waits' });
  });

  it('prefers the condition of the VPC among equals, as upstream does', () => {
    const claims = ['LoadBalancerReady', 'NatGatewaysReady', 'VpcReady'].map((type) => bad(type, 'Info', `Of${type}`));
    expect(readyOf(...claims)).toMatchObject({ reason: 'OfVpcReady' });
  });

  it('prefers what is still being deleted to what is gone', () => {
    const ready = readyOf(bad('SubnetsReady', 'Info', 'Deleted'), bad('VpcReady', 'Info', 'Deleted'), {
      ...bad('ZoneReady', 'Info', 'Deleting'),
      message: 'Waiting for network interface eni-1',
    });
    expect(ready).toMatchObject({ reason: 'Deleting', message: 'Waiting for network interface eni-1' });
  });
});

it('legacy conditions do not change when AWS refuses the same again', () => {
  const refused = (request: string): LegacyClaim => ({
    ...bad('VpcReady', 'Error', 'Failed'),
    message: `Denied: no (request ${request})`,
  });
  const first = withLegacyConditions(bare, [refused('r-1')], new Date(0));

  expect(withLegacyConditions(first, [refused('r-2')], new Date(1))).toEqual(first);
});
