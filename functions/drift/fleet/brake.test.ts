import { describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import type { NamespaceTally } from '../../../shared/plan/drift/brake.ts';
import { type BrakeSummary, isBraked } from '../../../shared/plan/drift/brake.ts';
import type { FleetBrake } from '../../../shared/store/limits/fleet-brake.ts';
import { createTestFleet } from '../test-fleet.ts';

const LIMITS = { share: 0.5, least: 5 };

/** A brake in memory that behaves as the one in the table. */
const memoryBrake = (first: NamespaceTally[] = []): FleetBrake & { noted: BrakeSummary[] } => {
  const noted: BrakeSummary[] = [];
  const all = first.reduce(
    (sum, { considered, broken }) => ({ considered: sum.considered + considered, broken: sum.broken + broken }),
    { considered: 0, broken: 0 },
  );
  let kept: BrakeSummary = { all, worst: first };
  return {
    noted,
    holds: async () => {
      const summary = kept;
      return (namespace) => isBraked(summary, namespace, LIMITS);
    },
    note: async (_part, summary) => {
      noted.push(summary);
      kept = summary;
    },
  };
};

const BROKEN = [{ namespace: 'default', considered: 10, broken: 10 }];
const withBrake =
  (fleetBrake: FleetBrake) =>
  <Deps extends object>(deps: Deps): Deps => ({ ...deps, fleetBrake });

describe('a sweep under the fleet brake', () => {
  it('repairs nothing, reports that in its result, and continues when less is broken', async () => {
    const fleet = await createTestFleet();
    const brake = memoryBrake(BROKEN);
    const { MachineName: _, ...tags } = fleet.listed('here').get('i-red-1')?.tags ?? {};
    fleet.alter('i-red-1', { tags });
    const instance = () => fleet.listed('here').get('i-red-2');
    fleet.alter('i-red-2', { state: 'terminated' });

    await fleet.run(withBrake(brake));
    expect([fleet.calls, instance()?.state]).toEqual([[], 'terminated']);
    expect((await fleet.machine('red-2'))?.status?.conditions ?? []).not.toContainEqual(
      expect.objectContaining({ type: 'InfrastructureReady', status: 'False' }),
    );
    expect(brake.noted).toEqual([{ all: { considered: 0, broken: 0 }, worst: [] }]);

    await fleet.run(withBrake(brake));
    expect(fleet.calls.length).toBeGreaterThan(0);
    expect((await fleet.machine('red-2'))?.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'InfrastructureReady', status: 'False' }),
    );
  });

  it('warns on the clusters of a namespace when the brake is applied', async () => {
    const fleet = await createTestFleet();
    const kept = memoryBrake();
    const beginning: FleetBrake = {
      ...kept,
      note: async (part, summary) => kept.note(part, { ...summary, ...{ all: BROKEN[0] as never, worst: BROKEN } }),
    };
    const first = await fleet.run(withBrake(beginning));
    const second = await fleet.run(withBrake(beginning));
    expect([first.isSuspicious, second.isSuspicious]).toEqual([true, true]);
    const events = (await fleet.objects.list(kinds.event, 'default')).filter(({ reason }) => reason === 'FleetBraked');
    expect(events.map(({ count, involvedObject }) => [involvedObject?.kind, count])).toEqual([['Cluster', 1]]);
  });
});
