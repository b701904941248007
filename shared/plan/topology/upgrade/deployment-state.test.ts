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
    ['is not upgrading if all machines and nodes have its version', [{ labels, kubelet: VERSION }], false],
    ['is not upgrading if it has no machines', [], false],
    [
      'is upgrading if a machine has another version',
      [
        { labels, kubelet: VERSION },
        { labels, version: OTHER },
      ],
      true,
    ],
    ['is upgrading while a node still has another version', [{ labels, kubelet: OTHER }], true],
    ['is not upgrading if a machine has no node yet', [{ labels }], false],
    ['is not upgrading if a node does not report its version', [{ labels, kubelet: '' }], false],
    [
      'is not upgrading if only a machine of another MachineDeployment has another version',
      [{ labels: { pool: 'a' }, version: OTHER }],
      false,
    ],
  ])('%s', (_, machines, isUpgrading) => {
    expect(isDeploymentUpgrading(deployment, machines.map(machine))).toBe(isUpgrading);
  });
});

describe('a MachinePool', () => {
  const labels = { 'cluster.x-k8s.io/pool-name': 'mp' };
  const pool = (version?: string) =>
    ({ metadata: { name: 'mp' }, spec: { template: { spec: { version } } } }) as unknown as MachinePool;

  it.each<[string, string | undefined, Shape[], boolean]>([
    ['is not upgrading if all nodes have its version', VERSION, [{ labels, kubelet: VERSION }], false],
    ['is upgrading if a node has another version', VERSION, [{ labels, kubelet: OTHER }], true],
    ['is not upgrading if a machine has no node yet', VERSION, [{ labels }], false],
    [
      'is not upgrading if only a node of another pool has another version',
      VERSION,
      [{ labels: {}, kubelet: OTHER }],
      false,
    ],
    ['is not upgrading if it has no version', undefined, [{ labels, kubelet: OTHER }], false],
  ])('%s', (_, version, machines, isUpgrading) => {
    expect(isPoolUpgrading(pool(version), machines.map(machine))).toBe(isUpgrading);
  });
});
