import { describe, expect, it } from 'vitest';
import type { AWSMachine } from '../../../kinds/index.ts';
import { instanceFacts, instanceOfNode } from './instance-facts.ts';
import { withRecordedLaunch } from './launch/recorded.ts';

const AT = '2026-01-01T00:00:00Z';
const bare = { metadata: { name: 'm' }, spec: {} } as AWSMachine;
const launched = withRecordedLaunch(bare, { at: AT, request: {} as never });
const refused = withRecordedLaunch(bare, { at: AT, attempt: 1 });
const unproven = withRecordedLaunch(bare, { at: AT, isUnproven: true });
const running = {
  ...bare,
  spec: { instanceID: 'i-1', providerID: 'aws:///us-east-1a/i-1', instanceType: 't3.large' },
  status: { instanceState: 'running' },
} as AWSMachine;

describe('the facts of an AWSMachine', () => {
  it.each([
    { which: 'nothing was done for', machine: bare, mayHaveRun: false, decidedAt: undefined },
    { which: 'a launch was decided for', machine: launched, mayHaveRun: true, decidedAt: AT },
    { which: 'EC2 has refused', machine: refused, mayHaveRun: false, decidedAt: AT },
    { which: 'version 0.1 may have launched', machine: unproven, mayHaveRun: true, decidedAt: AT },
    { which: 'was launched elsewhere', machine: running, mayHaveRun: true, decidedAt: undefined },
  ])('reflect a machine that $which', ({ machine, mayHaveRun, decidedAt }) => {
    expect(instanceFacts(machine)).toMatchObject({ mayHaveRun, decidedAt });
  });

  it('are the state, zone and name of its instance', () => {
    expect(instanceFacts(running)).toMatchObject({ running: true, gone: false, zone: 'us-east-1a', name: 'i-1' });
    expect(instanceFacts({ ...running, status: { instanceState: 'terminated' } })).toMatchObject({ gone: true });
    expect(instanceFacts(bare)).toMatchObject({ running: false, gone: false, zone: undefined, name: undefined });
  });

  it.each([
    { spec: { spotMarketOptions: {} }, status: {} },
    { spec: {}, status: { interruptible: true } },
  ])('report a spot instance as interruptible: %o', (over) => {
    expect(instanceFacts({ ...bare, ...over } as never).interruptible).toBe(true);
    expect(instanceFacts(bare).interruptible).toBe(false);
  });
});

it('a node identifies its instance by its provider id', () => {
  const node = (providerID: string) => ({ spec: { providerID } });
  expect(instanceOfNode(node('aws:///us-east-1a/i-0a1'))).toBe('i-0a1');
  expect(instanceOfNode(node('gce://project/zone/i-7'))).toBeUndefined();
  expect(instanceOfNode({})).toBeUndefined();
});
