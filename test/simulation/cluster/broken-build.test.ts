import { expect, it, vi } from 'vitest';
import { appliedCluster } from './applied.ts';

/**
 * This build lacks the rules that protect etcd's quorum: one change of the control plane at a time, and only in a
 * healthy state.
 */
vi.mock('../../../shared/plan/control-plane/preflight.ts', async (original) => ({
  ...(await original<object>()),
  preflight: () => undefined,
}));

const { play } = await import('./play.ts');
const { shrink } = await import('./shrink.ts');

/** A seed for the first 22 kinds of changes. */
const [SEED, CHANGES] = [1, 22];

it('catches a build that changes a control plane without checking its health', async () => {
  const { breaches } = await play(await appliedCluster(), SEED, CHANGES);
  expect(breaches).toContainEqual(expect.stringContaining('the control plane is changed while'));
});

it('a scenario with a violation is reduced to the happenings that cause it', async () => {
  const applied = await appliedCluster();
  const broken = await play(applied, SEED, CHANGES);
  const least = await shrink(applied, broken);

  expect(least.breaches).not.toEqual([]);
  expect(least.happenings).toBeLessThan(broken.happenings);
  expect(least.lines.filter((line) => line.startsWith('> '))).toHaveLength(least.happenings + 1);
});
