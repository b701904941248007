import { describe, expect, it } from 'vitest';
import { kubeadm } from '../../shared/distributions/kubeadm/distribution.ts';
import { rke2 } from '../../shared/distributions/rke2/distribution.ts';
import { aws } from '../../shared/providers/aws/infrastructure.ts';
import { provided } from '../../shared/providers/registry.ts';
import type { ClusterSnapshot } from './snapshot.ts';
import { withStage, writtenFrom } from './staged.ts';

const TARGET = 'v1.33.1';
const ownedBy = (uid: string) => ({ ownerReferences: [{ uid, controller: true }] });
const template = (version: string) => ({
  template: { spec: { version, infrastructureRef: { kind: 'AWSMachineTemplate', name: 't' } } },
});

/** A control plane with its machines, and a deployment whose machine has the first version. */
const snapshotOf = (machines: string[], annotations = {}): ClusterSnapshot =>
  ({
    distribution: kubeadm,
    controlPlane: {
      metadata: { name: 'cp', uid: 'cp', annotations },
      spec: {
        version: TARGET,
        machineTemplate: { spec: { infrastructureRef: { kind: 'AWSMachineTemplate', name: 't' } } },
      },
    },
    deployments: [{ metadata: { name: 'md', uid: 'md' }, spec: template(TARGET) }],
    sets: [{ metadata: { name: 'ms', uid: 'ms', ...ownedBy('md') }, spec: template('v1.31.0') }],
    machines: [
      ...machines.map((version, index) => ({ metadata: { name: `cp-${index}`, ...ownedBy('cp') }, spec: { version } })),
      { metadata: { name: 'w', ...ownedBy('ms') }, spec: { version: 'v1.31.0' } },
    ],
    infrastructureMachines: new Map(),
  }) as never;

const PATH = { 'windlass.dev/upgrade-path': 'v1.32.4' };
const versionsOf = ({ controlPlane, deployments }: ClusterSnapshot) => [
  controlPlane?.spec.version,
  deployments[0]?.spec.template.spec.version,
];

describe('a snapshot in the middle of an upgrade', () => {
  it('shows each owner with the version of the step, and workers after the control plane', () => {
    expect(versionsOf(withStage(snapshotOf(['v1.31.0'], PATH)))).toEqual(['v1.32.4', 'v1.31.0']);
    expect(versionsOf(withStage(snapshotOf(['v1.31.0', 'v1.32.4'], PATH)))).toEqual(['v1.32.4', 'v1.31.0']);
    const followed = withStage(snapshotOf(['v1.32.4'], PATH));
    expect(versionsOf(followed)).toEqual(['v1.32.4', 'v1.32.4']);
    expect(followed.upgrade).toMatchObject({
      target: TARGET,
      waits: ['* Machine w must be upgraded to v1.32.4 first'],
    });
  });

  it('omits a set that was created before the control plane received its upgrade path', () => {
    const snapshot = snapshotOf(['v1.32.4'], PATH);
    const [set] = snapshot.sets;
    const ahead = { ...set, metadata: { ...set?.metadata, name: 'ahead' }, spec: template(TARGET) } as never;
    expect(versionsOf(withStage({ ...snapshot, sets: [...snapshot.sets, ahead] }))).toEqual(['v1.32.4', 'v1.32.4']);
  });

  it('prevents any write of a version that no user has requested', () => {
    const before = snapshotOf(['v1.31.0'], PATH);
    const { controlPlane, deployments } = withStage(before);
    for (const object of [controlPlane, deployments[0]]) expect(writtenFrom(object as never)).toEqual({});
    expect(writtenFrom(before.controlPlane as never)).toEqual({ from: before.controlPlane });
  });

  it('is unchanged if there is no path, and stops a control plane that would skip a minor version', () => {
    expect(versionsOf(withStage(snapshotOf(['v1.32.4'])))).toEqual([TARGET, TARGET]);
    expect(withStage(snapshotOf(['v1.31.0'])).upgrade?.waits).toHaveLength(1);
    expect(withStage({ ...snapshotOf(['v1.31.0']), distribution: rke2 }).upgrade).toBeUndefined();
  });

  it('does not start an upgrade if a machine template names an image', () => {
    const annotations = { 'cluster.x-k8s.io/cloned-from-name': 't' };
    const fixed = { metadata: { name: 'cp-0', annotations }, spec: { ami: { id: 'ami-1' } } };
    const snapshot = {
      ...snapshotOf(['v1.31.0'], PATH),
      infrastructureMachines: new Map([['cp-0', provided(aws, fixed as never)]]),
    };
    expect(withStage(snapshot).upgrade?.waits.join()).toContain('spec.ami.id');
  });
});
