import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { createTestFleet, NAMESPACE, type TestFleet } from '../test-fleet.ts';

let fleet: TestFleet;

beforeEach(async () => {
  fleet = await createTestFleet();
});

const fail = (name: string) =>
  fleet.objects.mutate(kinds.machine, { namespace: NAMESPACE, name }, (machine) => ({
    ...machine,
    status: { ...machine.status, phase: 'Failed' as const },
  }));

const find = (name: string) =>
  fleet.objects.mutate(kinds.awsCluster, { namespace: NAMESPACE, name }, (awsCluster) => ({
    ...awsCluster,
    status: {
      ...awsCluster.status,
      conditions: [{ type: 'VpcReady', status: 'True' as const, lastTransitionTime: '2026-11-20T12:00:00Z' }],
    },
  }));

describe('a region that cannot be read', () => {
  beforeEach(async () => {
    await fleet.addCluster('green', 'there');
    await fleet.addMachines('green', 'there', 2);
    fleet.regions.delete('there');
  });

  it('is a fault, but the metrics of the whole fleet are complete', async () => {
    fleet.due = [{ namespace: NAMESPACE, name: 'blue', uid: 'blue' }];
    fleet.unbegun = 5;
    await fail('red-0');
    await fail('green-0');
    fleet.alter('i-red-1', { state: 'terminated' });

    const { result, faults } = await fleet.sweep();

    expect(faults).toEqual([new Error('no answer from there')]);
    expect(result).toMatchObject({ due: 1, stalled: 1, found: 1, touched: 2 });
    expect(result.fleetMetrics.phases).toMatchObject({ Failed: 2 });
    expect(fleet.touched).toEqual(['blue', 'red']);
  });

  it('does not keep other faults from being counted', async () => {
    fleet.setTime('2030-01-01T01:00:00Z');
    const { result, faults } = await fleet.sweep((deps) => ({
      ...deps,
      records: { ...deps.records, list: () => Promise.reject(new Error('no answer from the table')) },
    }));

    expect(faults.map(String)).toEqual(['Error: no answer from there', 'Error: no answer from the table']);
    expect(result).toMatchObject({ considered: 6 });
  });
});

describe('a nonexistent region that a user specified', () => {
  beforeEach(async () => {
    await fleet.addCluster('odd', 'moon-1');
  });

  it('is not a fault of the sweep', async () => {
    fleet.alter('i-red-1', { state: 'terminated' });
    const { result, faults } = await fleet.sweep();
    expect(faults).toEqual([]);
    expect(result).toMatchObject({ found: 1, troubled: 0 });
    expect(fleet.touched).toEqual(['red']);
  });

  it('is a fault if a network has been recorded for it', async () => {
    await find('odd');
    expect((await fleet.sweep()).faults).toEqual([new Error('no answer from moon-1')]);
  });
});
