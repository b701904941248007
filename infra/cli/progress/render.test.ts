import { describe, expect, it } from 'vitest';
import { begun, blocked, complete, worker } from './fixtures.ts';
import { type Frame, render } from './render.ts';
import type { ClusterSnapshot } from './snapshot.ts';
import { advance, type Timeline } from './timeline.ts';
import { viewOf } from './tree.ts';

const timelineOf = (...moments: [number, ClusterSnapshot][]): Timeline =>
  moments.reduce<Timeline>((timeline, [seconds, snapshot]) => advance(timeline, snapshot, seconds), new Map());

const frame = (options: Partial<Frame> = {}): Frame => ({
  columns: 80,
  rows: 50,
  tick: 0,
  seconds: 5,
  paint: (_style, text) => text,
  ...options,
});

const draw = (snapshot: ClusterSnapshot, options?: Partial<Frame>, timeline = timelineOf([0, snapshot])): string[] =>
  render([viewOf(snapshot, timeline, options?.seconds ?? 5)], frame(options));

describe('the live display', () => {
  it('consists of a bar and the tree of the cluster', () => {
    const lines = draw(complete, { columns: 60, seconds: 8.4 }, timelineOf([0.1, begun], [3, begun], [8.4, complete]));

    expect(lines).toEqual([
      '',
      ' demo  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 100 %   8.4 s',
      '',
      ' ✔ Cluster demo         Available  127.1.2.3:6443     8.4 s',
      ' ├─ AWSCluster demo-aws',
      ' │  ├─ ✔ network        vpc-1                         0.1 s',
      ' │  ├─ ✔ NAT gateways   1 zone                        8.4 s',
      ' │  └─ ✔ load balancer  127.1.2.3:6443                8.4 s',
      ' ├─ KubeadmControlPlane demo-cp  1 of 1 Running',
      ' │  ├─ ✔ certificates                                 0.1 s',
      ' │  ├─ ✔ API server                                   8.4 s',
      ' │  └─ ✔ demo-cp-a      Running  i-demo-cp-a us-ea…   8.4 s',
      ' └─ MachineDeployment demo-md  1 of 1 Running',
      '    └─ ✔ demo-md-x      Running  i-demo-md-x us-ea…   5.4 s',
    ]);
  });

  it('shows work in progress with its duration and its reason', () => {
    const line = draw(begun, { columns: 100 }).find((one) => one.includes('demo-cp-a'));

    expect(line).toMatch(/⠋ demo-cp-a +Provisioning {2}InstanceNotReady: pending +5\.0 s$/);
  });

  it('animates only work in progress', () => {
    const [first, second] = [draw(begun, { tick: 1 }), draw(begun, { tick: 2 })];

    expect(first).not.toEqual(second);
    expect(first.join().replaceAll('⠙', '?')).toBe(second.join().replaceAll('⠹', '?'));
  });

  it('marks errors that only a person can correct', () => {
    expect(draw(blocked, { columns: 120 }).find((line) => line.includes('NAT gateways'))).toMatch(
      /✘ NAT gateways +AddressLimitExceeded: The maximum number/,
    );
  });

  it.each([40, 60, 80, 120, 200])('is never wider than %i columns', (columns) => {
    const long = { ...complete, machines: [worker('Running', `demo-md-${'x'.repeat(60)}`), ...blocked.machines] };

    for (const snapshot of [begun, complete, blocked, long])
      expect(Math.max(...draw(snapshot, { columns }).map((line) => [...line].length))).toBeLessThanOrEqual(columns);
  });

  it('adds styles without moving any text', () => {
    const painted = draw(begun, { paint: (style, text) => (text === '' ? '' : `<${style}>${text}</>`) });

    expect(painted.map((line) => line.replaceAll(/<[^>]*>/g, '').trimEnd())).toEqual(draw(begun));
  });

  it('folds running machines if the terminal has too few lines', () => {
    const many = {
      ...complete,
      machines: Array.from({ length: 20 }, (_, index) => worker('Running', `demo-md-${index}`)),
    };

    const lines = draw({ ...many, machines: [...many.machines, worker('Provisioned', 'demo-md-late')] }, { rows: 20 });

    expect(lines.length).toBeLessThanOrEqual(20);
    expect(lines.join('\n')).toMatch(/demo-md-late.*20 machines +Running/s);
  });

  it('truncates what does not fit after folding, and says so', () => {
    const lines = draw(complete, { rows: 6 });

    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toBe(' … 9 more lines');
  });
});
