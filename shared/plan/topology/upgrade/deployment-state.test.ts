import { describe, expect, it } from 'vitest';
import type { Machine, MachineDeployment } from '../../../kinds/index.ts';
import type { MachinePool } from '../../../kinds/machine-pool/schema.ts';
import { isDeploymentUpgrading, isPoolUpgrading } from './deployment-state.ts';

const VERSION = 'v1.34.0';
const OTHER = 'v1.33.0';

interface Shape {
  labels: Record<string, string>;
  version?: string;
  /** Undefined if the machine has no node yet. */
  kubelet?: string | undefined;
}

const machine = ({ labels, version = VERSION, kubelet }: Shape): Machine =>
  ({
    metadata: { name: 'm', labels },
    spec: { version },
    status: kubelet === undefined ? {} : { nodeInfo: { kubeletVersion: kubelet } },
  }) as unknown as Machine;

describe('a MachineDeployment', () => {
  const labels = { pool: 'a', tier: 'gold' };
  const deployment = {
    metadata: { name: 'md' },
    spec: { selector: { matchLabels: labels }, template: { spec: { version: VERSION } } },
  } as unknown as MachineDeployment;

  it.each<[string, Shape[], boolean]>([
    ['all machines and nodes have its version', [{ labels, kubelet: VERSION }], false],
    ['it has no machines', [], false],
    [
      'a machine has another version',
      [
        { labels, kubelet: VERSION },
        { labels, version: OTHER },
      ],
      true,
    ],
    ['a node still has another version', [{ labels, kubelet: OTHER }], true],
    ['a machine has no node yet', [{ labels }], false],
    ['a node does not say its version', [{ labels, kubelet: '' }], false],
    ['only a machine of others has another version', [{ labels: { pool: 'a' }, version: OTHER }], false],
  ])('is upgrading or not: %s', (_, machines, isUpgrading) => {
    expect(isDeploymentUpgrading(deployment, machines.map(machine))).toBe(isUpgrading);
  });
});

describe('a MachinePool', () => {
  const labels = { 'cluster.x-k8s.io/pool-name': 'mp' };
  const pool = (version?: string) =>
    ({ metadata: { name: 'mp' }, spec: { template: { spec: { version } } } }) as unknown as MachinePool;

  it.each<[string, string | undefined, Shape[], boolean]>([
    ['all nodes have its version', VERSION, [{ labels, kubelet: VERSION }], false],
    ['a node has another version', VERSION, [{ labels, kubelet: OTHER }], true],
    ['a machine has no node yet', VERSION, [{ labels }], false],
    ['only a node of others has another version', VERSION, [{ labels: {}, kubelet: OTHER }], false],
    ['it has no version', undefined, [{ labels, kubelet: OTHER }], false],
  ])('is upgrading or not: %s', (_, version, machines, isUpgrading) => {
    expect(isPoolUpgrading(pool(version), machines.map(machine))).toBe(isUpgrading);
  });
});
