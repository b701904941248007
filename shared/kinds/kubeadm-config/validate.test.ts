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
  it('refuses a file with two sources of content', () => {
    const lines = refusals(kubeadmConfig, withSpec({ files: [{ path: '/a', content: 'hunter2', contentFrom: from }] }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('spec.files[0]: Invalid value');
    expect(lines[0]).toContain('only one of content or contentFrom may be specified for a single file');
    expect(lines[0]).not.toContain('hunter2');
  });

  it('refuses duplicate file paths', () => {
    const files = [
      { path: '/a', content: 'x' },
      { path: '/b', content: 'x' },
      { path: '/a', content: 'y' },
    ];
    expect(refusals(kubeadmConfig, withSpec({ files }))).toEqual([
      'spec.files[2].path: Invalid value: "/a": path property must be unique among all files',
    ]);
  });

  it('refuses a user with two sources of a password, without repeating the password', () => {
    const lines = refusals(kubeadmConfig, withSpec({ users: [{ name: 'ann', passwd: 'hunter2', passwdFrom: from }] }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('only one of passwd or passwdFrom may be specified for a single user');
    expect(lines[0]).not.toContain('hunter2');
  });

  it('refuses partitions that exceed the disk', () => {
    const diskLayout = [{ percentage: 60 }, { percentage: 50 }];
    expect(
      refusals(kubeadmConfig, withSpec({ diskSetup: { partitions: [{ device: '/dev/sdb', diskLayout }] } })),
    ).toEqual([
      'spec.diskSetup.partitions[0].diskLayout: Invalid value: 110: the sum of all partition percentages must not be greater than 100',
    ]);
    expect(refusals(kubeadmConfig, withSpec({ diskSetup: { partitions: [{ device: '/dev/sdb' }] } }))).toHaveLength(1);
  });

  it('refuses a kubelet flag that is given twice', () => {
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

  it('refuses fields that Ignition does not support', () => {
    const object = withSpec({
      format: 'ignition',
      bootCommands: ['true'],
      files: [{ path: '/a', content: 'x', encoding: 'gzip+base64' }],
      users: [{ name: 'ann', inactive: true }],
      diskSetup: {
        partitions: [{ device: '/dev/sdb', layout: true, tableType: 'mbr' }],
        filesystems: [{ device: '/dev/sdb', filesystem: 'ext4', partition: 'auto', replaceFS: 'ntfs' }],
      },
    });
    const unsupported = 'not supported when spec.format is set to: "ignition"';
    expect(refusals(kubeadmConfig, object)).toEqual([
      `spec.users[0].inactive: Forbidden: ${unsupported}`,
      `spec.files[0].encoding: Forbidden: ${unsupported}`,
      `spec.bootCommands: Forbidden: ${unsupported}`,
      'spec.diskSetup.partitions[0].tableType: Invalid value: "mbr": only partition type "gpt" is supported when spec.format is set to "ignition"',
      `spec.diskSetup.filesystems[0].replaceFS: Forbidden: ${unsupported}`,
      `spec.diskSetup.filesystems[0].partition: Forbidden: ${unsupported}`,
    ]);
  });

  it('accepts settings for Ignition only with the format ignition', () => {
    const ignition = { containerLinuxConfig: { additionalConfig: 'systemd: {}' } };
    expect(refusals(kubeadmConfig, withSpec({ ignition }))).toEqual([
      'spec.format: Invalid value: "": must be set to "ignition" if spec.ignition is set',
    ]);
    expect(refusals(kubeadmConfig, withSpec({ ignition, format: 'ignition' }))).toEqual([]);
  });

  it('warns about cloud-init templates if nothing renders them', () => {
    const joinConfiguration = { nodeRegistration: { name: '{{ ds.meta_data.local_hostname }}' } };
    const warnings = (spec: KubeadmConfigSpec) => kubeadmConfig.warnings?.(withSpec(spec), undefined);
    expect(warnings({ joinConfiguration })).toEqual([]);
    expect(warnings({ joinConfiguration, format: 'ignition' })).toEqual([
      expect.stringMatching(/^spec\.joinConfiguration\.nodeRegistration\.name: Ignition does not render/),
    ]);
  });

  it('refuses empty sections', () => {
    expect(refusals(kubeadmConfig, withSpec({ ntp: {} }))).toHaveLength(1);
  });
});
