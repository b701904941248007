import type { V1Node, V1Taint } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { nodePatch, readSyncedKeys } from './node-metadata.ts';
import type { NodePatch } from './node-patch.ts';

type Taints = NonNullable<Machine['spec']['taints']>;
interface Given {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  taints?: Taints;
}

const machine = ({ taints, ...metadata }: Given = {}): Machine =>
  ({
    metadata: {
      name: 'm',
      namespace: 'default',
      ...metadata,
      ownerReferences: [{ kind: 'MachineSet', name: 's', controller: true }],
    },
    spec: { clusterName: 'red', ...(taints ? { taints } : {}) },
  }) as unknown as Machine;
const facts = { interruptible: false, outdated: undefined };
const taint = (key: string, effect = 'NoSchedule', value?: string): V1Taint => ({
  key,
  effect,
  ...(value ? { value } : {}),
});
const always = (key: string, value?: string) =>
  ({ ...taint(key, 'NoSchedule', value), propagation: 'Always' }) as Taints[number];
const once = (key: string) => ({ ...taint(key), propagation: 'OnInitialization' }) as Taints[number];

/** The node after an API server has applied a merge patch. */
const patched = (node: V1Node, patch: NodePatch | undefined): V1Node => {
  const merge = (values: Record<string, string> = {}, changes: Record<string, string | null> = {}) =>
    Object.fromEntries(
      Object.entries({ ...values, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null),
    );
  const { labels, annotations } = node.metadata ?? {};
  return {
    metadata: {
      ...node.metadata,
      labels: merge(labels, patch?.labels),
      annotations: merge(annotations, patch?.annotations),
    },
    spec: { ...node.spec, ...(patch?.taints ? { taints: patch.taints } : {}) },
  };
};
const synced = (given: Given, node: V1Node, over: Partial<Parameters<typeof nodePatch>[2]> = {}): V1Node =>
  patched(node, nodePatch(machine(given), node, { ...facts, ...over }));
const bare: V1Node = { metadata: { name: 'n', resourceVersion: '7' }, spec: {} };

describe('nodePatch', () => {
  it('copies labels and annotations of the domains for nodes, and is empty afterwards', () => {
    const given = {
      labels: {
        'node-role.kubernetes.io/gpu': '',
        'a.node-restriction.kubernetes.io/zone': 'z',
        'node.cluster.x-k8s.io/pool': 'p',
        team: 'red',
      },
      annotations: { 'node.cluster.x-k8s.io/note': 'n', 'example.com/other': 'o' },
    };
    const node = synced(given, bare);

    expect(Object.keys(node.metadata?.labels ?? {}).sort()).toEqual([
      'a.node-restriction.kubernetes.io/zone',
      'node-role.kubernetes.io/gpu',
      'node.cluster.x-k8s.io/pool',
    ]);
    expect(node.metadata?.annotations).toMatchObject({
      'node.cluster.x-k8s.io/note': 'n',
      'cluster.x-k8s.io/owner-name': 's',
      'cluster.x-k8s.io/annotations-from-machine': 'node.cluster.x-k8s.io/note',
    });
    expect(node.metadata?.annotations).not.toHaveProperty('example.com/other');
    expect(nodePatch(machine(given), node, facts)).toBeUndefined();
  });

  it('removes what was copied from the machine and is gone there, but nothing that others set', () => {
    const given = { labels: { 'node.cluster.x-k8s.io/a': '1' }, annotations: { 'node.cluster.x-k8s.io/b': '2' } };
    const node = patched(synced(given, bare), { labels: { 'node.cluster.x-k8s.io/theirs': 'x' } });

    expect(nodePatch(machine(), node, facts)).toEqual({
      labels: { 'node.cluster.x-k8s.io/a': null },
      annotations: {
        'node.cluster.x-k8s.io/b': null,
        'cluster.x-k8s.io/labels-from-machine': '',
        'cluster.x-k8s.io/annotations-from-machine': '',
      },
    });
  });

  it('also copies the configured labels and annotations', () => {
    const also = readSyncedKeys({ syncMachineLabels: '^team$,example.com/', syncMachineAnnotations: 'note' });
    const given = {
      labels: { team: 'red', teams: 'no', 'a.example.com/b': 'c' },
      annotations: { note: 'n', other: 'o' },
    };
    const { labels, annotations } = synced(given, bare, { also }).metadata ?? {};

    expect(labels).toEqual({ team: 'red', 'a.example.com/b': 'c' });
    expect(annotations).toMatchObject({ note: 'n' });
    expect(annotations).not.toHaveProperty('other');
  });

  it("sets the annotations of the node's configuration, except for those that identify the node", () => {
    const given = (annotations: object) => ({
      annotations: { 'windlass.dev/node-annotations': JSON.stringify(annotations) },
    });
    const mine = { rack: 'r1', 'cluster.x-k8s.io/machine': 'other', 'cluster.x-k8s.io/labels-from-machine': 'other' };
    const node = synced(given(mine), bare);
    expect(node.metadata?.annotations).toMatchObject({
      rack: 'r1',
      'cluster.x-k8s.io/machine': 'm',
      'cluster.x-k8s.io/labels-from-machine': '',
      'cluster.x-k8s.io/annotations-from-machine': 'rack',
    });
    expect(synced(given({}), node).metadata?.annotations).not.toHaveProperty('rack');
  });

  it('labels the nodes of interruptible instances', () => {
    expect(synced({}, bare, { interruptible: true }).metadata?.labels).toEqual({
      'cluster.x-k8s.io/interruptible': '',
    });
  });

  it('keeps permanent taints, and initial taints until the initialization is complete', () => {
    const joined: V1Node = {
      ...bare,
      spec: { taints: [taint('node.cluster.x-k8s.io/uninitialized'), taint('kept', 'NoExecute')] },
    };
    const given = { taints: [always('a'), once('b')] };
    const first = nodePatch(machine(given), joined, facts);
    expect(first?.taints?.map(({ key }) => key)).toEqual(['kept', 'a', 'b']);
    expect(first?.resourceVersion).toBe('7');

    const bared: V1Node = { ...patched(joined, first), spec: { taints: [taint('kept', 'NoExecute')] } };
    expect(synced(given, bared).spec?.taints?.map(({ key }) => key)).toEqual(['kept', 'a']);
  });

  it('changes the value of a taint, removes taints that were removed from the machine, and keeps others', () => {
    const node = synced(
      { taints: [always('a', 'old'), always('b')] },
      { ...bare, spec: { taints: [taint('theirs')] } },
    );
    const after = synced({ taints: [always('a', 'new')] }, node);

    expect(after.spec?.taints).toEqual([taint('theirs'), taint('a', 'NoSchedule', 'new')]);
    expect(after.metadata?.annotations?.['cluster.x-k8s.io/taints-from-machine']).toBe('a:NoSchedule');
  });

  it('taints a node of an older revision until it is known to be of the current one', () => {
    const marked = synced({}, bare, { outdated: true });
    expect(marked.spec?.taints).toEqual([taint('node.cluster.x-k8s.io/outdated-revision', 'PreferNoSchedule')]);
    expect(nodePatch(machine(), marked, { ...facts, outdated: true })).toBeUndefined();
    expect(nodePatch(machine(), marked, facts)).toBeUndefined();
    expect(synced({}, marked, { outdated: false }).spec?.taints).toEqual([]);
  });
});
