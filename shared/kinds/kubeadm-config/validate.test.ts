import { describe, expect, it } from 'vitest';
import type { KubeadmConfigSpec } from '../schema/kubeadm-config-spec.ts';
import { refusals } from '../test-admission.ts';
import { kubeadmConfig } from './definition.ts';

const withSpec = (spec: KubeadmConfigSpec) => ({
  apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
  kind: 'KubeadmConfig',
  metadata: { name: 'worker' },
  spec,
});

const from = { secret: { name: 'files', key: 'motd' } };

describe('KubeadmConfig admission', () => {
  it('takes the content of a file from one place', () => {
    const lines = refusals(kubeadmConfig, withSpec({ files: [{ path: '/a', content: 'hunter2', contentFrom: from }] }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('spec.files[0]: Invalid value');
    expect(lines[0]).toContain('only one of content or contentFrom may be specified for a single file');
    expect(lines[0]).not.toContain('hunter2');
  });

  it('writes each path once', () => {
    const files = [
      { path: '/a', content: 'x' },
      { path: '/b', content: 'x' },
      { path: '/a', content: 'y' },
    ];
    expect(refusals(kubeadmConfig, withSpec({ files }))).toEqual([
      'spec.files[2].path: Invalid value: "/a": path property must be unique among all files',
    ]);
  });

  it('takes the password of a user from one place, and does not repeat it', () => {
    const lines = refusals(kubeadmConfig, withSpec({ users: [{ name: 'ann', passwd: 'hunter2', passwdFrom: from }] }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('only one of passwd or passwdFrom may be specified for a single user');
    expect(lines[0]).not.toContain('hunter2');
  });

  it('partitions no more than the whole disk', () => {
    const diskLayout = [{ percentage: 60 }, { percentage: 50 }];
    expect(
      refusals(kubeadmConfig, withSpec({ diskSetup: { partitions: [{ device: '/dev/sdb', diskLayout }] } })),
    ).toEqual([
      'spec.diskSetup.partitions[0].diskLayout: Invalid value: 110: the sum of all partition percentages must not be greater than 100',
    ]);
    expect(refusals(kubeadmConfig, withSpec({ diskSetup: { partitions: [{ device: '/dev/sdb' }] } }))).toHaveLength(1);
  });

  it('names each kubelet flag once', () => {
    const kubeletExtraArgs = [
      { name: 'v', value: '2' },
      { name: 'v', value: '4' },
    ];
    expect(
      refusals(kubeadmConfig, withSpec({ joinConfiguration: { nodeRegistration: { kubeletExtraArgs } } })),
    ).toEqual([
      'spec.joinConfiguration.nodeRegistration.kubeletExtraArgs: Invalid value: kubeletExtraArgs name must be unique',
    ]);
  });

  it('accepts ignition with a warning', () => {
    const object = withSpec({ format: 'ignition' });
    expect(refusals(kubeadmConfig, object)).toEqual([]);
    expect(kubeadmConfig.warnings?.(object, undefined)).toEqual(['spec.format: not reconciled yet']);
  });

  it('refuses empty parts, which mean nothing', () => {
    expect(refusals(kubeadmConfig, withSpec({ ntp: {} }))).toHaveLength(1);
  });
});
