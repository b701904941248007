import type { V1Node } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import type { KnownMachine } from './finding.ts';
import { planNodeDrift } from './nodes.ts';

const PROVIDER_ID = 'aws:///us-east-1a/i-1';
const PAUSED = { 'cluster.x-k8s.io/paused': '' };
const RUNNING = { running: true, interruptible: false };

type Change = (known: {
  machine: { metadata: object; spec: object; status: object };
  infrastructure: { metadata: object; spec: object };
  cluster: { metadata: object; spec: object };
}) => void;

const known = (change: Change = () => {}): KnownMachine => {
  const labels = { 'node-role.kubernetes.io/gpu': '' };
  const object = {
    machine: {
      metadata: { name: 'm-1', namespace: 'default', labels },
      spec: { clusterName: 'red', providerID: PROVIDER_ID },
      status: { nodeRef: { name: 'node-1' } },
    },
    infrastructure: { metadata: { name: 'm-1' }, spec: { providerID: PROVIDER_ID } },
    cluster: { metadata: { name: 'red' }, spec: {} },
  };
  change(object);
  return object as unknown as KnownMachine;
};

describe('a node that was deleted', () => {
  it('is reported as drift of its machine', () => {
    const message = 'its Node node-1 was deleted';
    expect(planNodeDrift(known(), RUNNING, [])).toMatchObject([{ kind: 'NodeDeleted', message }]);
  });

  const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  const paused = { annotations: PAUSED };
  it.each<[string, Change]>([
    ['the machine never had a node', ({ machine }) => Object.assign(machine, { status: {} })],
    ['the machine is being deleted', ({ machine }) => Object.assign(machine.metadata, deleted)],
    ['its instance is being deleted', ({ infrastructure }) => Object.assign(infrastructure.metadata, deleted)],
    ['its instance is not recorded yet', ({ infrastructure }) => Object.assign(infrastructure, { spec: {} })],
    ['the cluster is paused', ({ cluster }) => Object.assign(cluster.spec, { paused: true })],
    ['the machine is paused', ({ machine }) => Object.assign(machine.metadata, paused)],
    ['its infrastructure is paused', ({ infrastructure }) => Object.assign(infrastructure.metadata, paused)],
  ])('is no drift if %s', (_, change) => {
    expect(planNodeDrift(known(change), RUNNING, [])).toEqual([]);
  });

  it('is no drift if the instance does not run, because then the instance is the cause', () => {
    expect(planNodeDrift(known(), { ...RUNNING, running: false }, [])).toEqual([]);
  });
});

describe('a node whose labels are not those of its machine', () => {
  const node = (labels: Record<string, string>): V1Node => ({
    metadata: { name: 'node-1', labels, annotations: {} },
    spec: { providerID: PROVIDER_ID },
  });

  it('is reported as drift that a pass of the machine would correct', () => {
    const [drift] = planNodeDrift(known(), RUNNING, [node({})]);
    expect(drift).toMatchObject({
      kind: 'NodeMetadata',
      message: "labels, annotations or taints of Node node-1 are not the Machine's",
    });
  });

  it('is left alone while the machine is paused, as a pass leaves it', () => {
    const paused = known(({ machine }) => Object.assign(machine.metadata, { annotations: PAUSED }));
    expect(planNodeDrift(paused, RUNNING, [node({})])).toEqual([]);
    const held = known(({ infrastructure }) => Object.assign(infrastructure.metadata, { annotations: PAUSED }));
    expect(planNodeDrift(held, RUNNING, [node({})])).toHaveLength(1);
  });
});
