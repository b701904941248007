import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { waitsOf } from './waits.ts';

const withCondition = (name: string, labels: Record<string, string>, type: string, second: number): KubeObject => {
  const lastTransitionTime = `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
  const status = { conditions: [{ type, status: 'True', lastTransitionTime }] };
  return { apiVersion: 'v1', kind: 'Any', metadata: { name, labels }, ...{ status } };
};

const cluster = (name: string, second: number) => withCondition(name, {}, 'RemoteConnectionProbe', second);
const machine = (owner: string, second: number) =>
  withCondition(`${owner}-${second}`, { 'cluster.x-k8s.io/cluster-name': owner }, 'APIServerProvisioned', second);

describe('the wait for a connection', () => {
  it('begins with the first API server of each cluster', () => {
    const clusters = [cluster('a', 30), cluster('b', 40)];
    const machines = [machine('a', 29), machine('a', 13), machine('b', 35)];

    expect(waitsOf({ clusters, machines })).toEqual({ a: 17, b: 5 });
  });

  it('is zero if the connection came first, or if there was no API server', () => {
    expect(waitsOf({ clusters: [cluster('a', 10), cluster('b', 10)], machines: [machine('a', 12)] })).toEqual({
      a: 0,
      b: 0,
    });
  });
});
