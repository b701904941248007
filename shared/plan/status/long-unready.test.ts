import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../kinds/index.ts';
import { isLongUnready } from './long-unready.ts';

const NOW = new Date('2026-01-01T00:10:00Z');

const cluster = (infrastructureProvisioned: boolean, status: string, lastTransitionTime: string) =>
  ({
    status: {
      initialization: { infrastructureProvisioned },
      conditions: [{ type: 'InfrastructureReady', status, reason: 'r', message: '', lastTransitionTime }],
    },
  }) as unknown as Cluster;

describe('infrastructure that was provisioned', () => {
  it.each([
    ['is long unready after five minutes', true, 'False', '2026-01-01T00:05:00Z', true],
    ['is long unready if its state has been unknown for that long', true, 'Unknown', '2026-01-01T00:00:00Z', true],
    ['is not long unready before that', true, 'False', '2026-01-01T00:05:01Z', false],
    ['is not long unready if it is ready', true, 'True', '2026-01-01T00:00:00Z', false],
    ['is not long unready if it was never ready', false, 'False', '2026-01-01T00:00:00Z', false],
  ])('%s', (_, provisioned, status, since, expected) => {
    expect(isLongUnready(cluster(provisioned, status, since), NOW)).toBe(expected);
  });

  it('counts as ready without a condition', () => {
    const status = { initialization: { infrastructureProvisioned: true } };
    expect(isLongUnready({ status } as Cluster, NOW)).toBe(false);
  });
});
