import { describe, expect, it } from 'vitest';
import type { Lease, Node } from '../objects.ts';
import { assessNode } from './node-lifecycle.ts';

const HEARTBEAT = '2026-01-01T00:00:00Z';
const at = (seconds: number): Date => new Date(Date.parse(HEARTBEAT) + seconds * 1000);

const node = (status: 'True' | 'False' | 'Unknown', taints: { key: string; effect: string }[] = []): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', creationTimestamp: '2025-12-31T00:00:00Z' },
  spec: { taints },
  status: {
    conditions: [
      {
        type: 'Ready',
        status,
        reason: 'KubeletReady',
        message: '',
        lastHeartbeatTime: HEARTBEAT,
        lastTransitionTime: HEARTBEAT,
      },
    ],
  },
});

const lease = (seconds: number): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'n' },
  spec: { renewTime: at(seconds).toISOString() },
});

const readyOf = (assessed: Node) => assessed.status?.conditions?.[0];

describe('assessNode', () => {
  it('does not change a node within the grace period', () => {
    const current = node('True');
    expect(assessNode(current, undefined, at(40))).toBe(current);
    expect(assessNode(current, lease(30), at(70))).toBe(current);
  });

  it('sets an unresponsive node to Unknown and taints it as unreachable, once', () => {
    const silent = assessNode(node('True'), lease(30), at(71));
    expect(readyOf(silent)).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      lastTransitionTime: '2026-01-01T00:01:11Z',
    });
    expect(silent.spec?.taints?.map(({ key, effect }) => `${key}:${effect}`)).toEqual([
      'node.kubernetes.io/unreachable:NoSchedule',
      'node.kubernetes.io/unreachable:NoExecute',
    ]);
    expect(assessNode(silent, lease(30), at(80))).toBe(silent);
  });

  it('removes its own taints, and no others, from a node that is ready again', () => {
    const back = node('True', [
      { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' },
      { key: 'mine', effect: 'NoSchedule' },
    ]);
    expect(assessNode(back, lease(0), at(1)).spec?.taints).toEqual([{ key: 'mine', effect: 'NoSchedule' }]);
  });

  it('taints a node without a network, whatever its kubelet reports', () => {
    const condition = { reason: 'NoRouteCreated', message: '', lastTransitionTime: HEARTBEAT } as const;
    const withNetwork = (status: 'True' | 'False', current: Node): Node => ({
      ...current,
      status: {
        conditions: [...(current.status?.conditions ?? []), { ...condition, type: 'NetworkUnavailable', status }],
      },
    });
    const cutOff = assessNode(withNetwork('True', node('True')), lease(0), at(1));

    expect(cutOff.spec?.taints).toMatchObject([
      { key: 'node.kubernetes.io/network-unavailable', effect: 'NoSchedule' },
    ]);
    expect(assessNode(cutOff, lease(0), at(71)).status?.conditions?.[1]?.status).toBe('True');
    const back = withNetwork('False', node('True', cutOff.spec?.taints));
    expect(assessNode(back, lease(0), at(1)).spec?.taints).toEqual([]);
  });

  it('taints a node that reports itself not ready', () => {
    const taints = assessNode(node('False'), lease(0), at(1)).spec?.taints ?? [];
    expect(taints.map(({ key }) => key)).toEqual(['node.kubernetes.io/not-ready', 'node.kubernetes.io/not-ready']);
  });
});
