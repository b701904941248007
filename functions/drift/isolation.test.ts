import { beforeEach, describe, expect, it } from 'vitest';
import { TransientError } from '../../shared/errors.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';
import type { ListedInstance } from '../../shared/providers/aws/plan/drift/difference.ts';
import { SWEEP_FAILED } from './reports/report-troubles.ts';
import { createTestFleet, NAMESPACE, type TestFleet } from './test-fleet.ts';

let fleet: TestFleet;

beforeEach(async () => {
  fleet = await createTestFleet();
  fleet.setTime('2026-11-20T12:00:00Z');
  for (const name of ['green', 'blue']) {
    await fleet.addCluster(name, 'here');
    await fleet.addMachines(name, 'here', 2);
  }
  fleet.setTime('2026-11-20T13:00:00Z');
});

const said = async (name: string) => {
  const cluster = await fleet.objects.get(kinds.cluster, { namespace: NAMESPACE, name });
  const { status, reason, message } = findCondition(cluster?.status?.conditions, SWEEP_FAILED) ?? {};
  return status && [status, reason, message];
};

/** Stands for any way in which a tenant can cause an exception: here, the comparison of the machine throws. */
const poison = (id: string) => {
  const listed = { ...fleet.listed('here').get(id), state: 'running' };
  const type = {
    get: () => {
      throw new SyntaxError('Unexpected token in s3cret');
    },
  };
  fleet.listed('here').set(id, Object.defineProperty(listed, 'type', type) as ListedInstance);
};

describe('an object that makes the sweep throw', () => {
  it('is reported on its own cluster, and does not block others', async () => {
    poison('i-red-1');
    fleet.alter('i-green-1', { state: 'terminated' });
    fleet.alter('i-red-2', { state: 'terminated' });

    expect(await fleet.run()).toMatchObject({ troubled: 1, touched: 2 });

    expect(fleet.touched.sort()).toEqual(['green', 'red']);
    expect(await said('red')).toEqual([
      'True',
      'ObjectNotHandled',
      'Machine default/red-1 (AWSMachine default/red-1): compare its instance: SyntaxError',
    ]);
    expect([await said('green'), await said('blue')]).toEqual([undefined, undefined]);
    expect((await fleet.warnings()).filter((reason) => reason === 'ObjectNotHandled')).toHaveLength(1);
  });

  it('is no longer reported when it stops doing so', async () => {
    const listed = fleet.listed('here').get('i-red-1') as ListedInstance;
    poison('i-red-1');
    await fleet.run();
    fleet.listed('here').set('i-red-1', listed);
    expect(await fleet.run()).toMatchObject({ troubled: 0 });
    expect(await said('red')).toEqual(['False', 'ObjectsHandled', '']);
  });

  it('may have a recorded launch that is not JSON', async () => {
    await fleet.objects.mutate(kinds.awsMachine, { namespace: NAMESPACE, name: 'red-1' }, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { 'windlass.dev/launch': '{' } },
    }));
    fleet.alter('i-green-1', { state: 'terminated' });
    await fleet.run();
    expect(fleet.touched).toEqual(['green']);
  });

  it('raises an error if most clusters have such an object, after everything else is done', async () => {
    for (const name of ['red', 'green']) poison(`i-${name}-1`);
    fleet.alter('i-blue-1', { state: 'terminated' });
    await expect(fleet.run()).rejects.toThrow('2 of 3 clusters could not be handled');
    expect(fleet.touched).toEqual(['blue']);
  });
});

describe('a cluster that cannot be touched', () => {
  it('does not keep other clusters from their passes, and the sweep fails at the end', async () => {
    fleet.due = ['a', 'b'].map((name) => ({ namespace: NAMESPACE, name, uid: name }));
    fleet.refused.add('a');
    fleet.alter('i-green-1', { state: 'terminated' });
    await expect(fleet.run()).rejects.toThrow('no execution for a');
    expect(fleet.touched).toEqual(['b', 'green']);
  });

  it('is touched by the next sweep, even though its machine is already marked', async () => {
    fleet.alter('i-green-1', { state: 'terminated' });
    fleet.refused.add('green');
    await expect(fleet.run()).rejects.toThrow('no execution for green');
    fleet.refused.clear();
    fleet.setTime('2026-11-20T13:05:00Z');
    await fleet.run();
    expect(fleet.touched).toEqual(['green']);
    fleet.setTime('2026-11-20T13:20:00Z');
    await fleet.run();
    fleet.setTime('2026-11-20T13:25:00Z');
    await fleet.run();
    expect(fleet.touched).toEqual(['green', 'green']);
  });
});

describe('a cluster whose machine cannot be marked', () => {
  it('is touched, because the mark may be stored nevertheless, and the next sweep then finds no difference', async () => {
    fleet.alter('i-green-1', { state: 'terminated' });
    const { faults } = await fleet.sweep((dependencies) => ({
      ...dependencies,
      objects: {
        ...dependencies.objects,
        mutate: async (kind, ...rest) => {
          const written = await dependencies.objects.mutate(kind, ...rest);
          if (kind.kind === 'AWSMachine') throw new TransientError('no answer');
          return written;
        },
      },
    }));
    expect(faults).toEqual([new TransientError('no answer')]);
    expect(fleet.touched).toEqual(['green']);
    fleet.setTime('2026-11-20T13:20:00Z');
    await fleet.run();
    expect(fleet.touched).toEqual(['green']);
  });
});
