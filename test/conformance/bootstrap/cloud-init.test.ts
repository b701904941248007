import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloudInitIn } from '../../../infra/cli/conformance/cloud-init.ts';
import { KUBEADM_VERSIONS } from '../../../infra/cli/conformance/kubeadm.ts';
import { renderBootstrapData } from '../../../shared/bootstrap/bootstrap-data.ts';
import type { BootstrapInput } from '../../../shared/bootstrap/kubeadm/input.ts';
import type { KubeadmConfigSpec } from '../../../shared/bootstrap/kubeadm/spec.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { certificates, inputOf, ROLES } from './cases.ts';
import { type BootedMachine, bootMachine, mayBoot } from './cloud-init-machine.ts';
import { validateCloudConfigs } from './cloud-init-schema.ts';
import { SPECS } from './specs.ts';

/**
 * Needs WINDLASS_CLOUD_INIT, which `npm run conformance` sets. Boots machines only if mounts are permitted, for example
 * as root.
 */
const directory = process.env.WINDLASS_CLOUD_INIT ?? '';
const cloudInit = cloudInitIn(directory);
const isMissing = directory === '' && process.env.CI !== 'true';
const VERSION = '1.34.0';

/** Characters that YAML parsers treat specially. */
const ODD = 'a\u007f\u0085\u009f\u2028b\u2029c\ufeff\ufffe\uffff\u00a0\nd"\'\\\r\n';

/** Files and commands of a machine besides kubeadm, in every form that they can have. */
const surroundings: KubeadmConfigSpec = {
  files: [
    { path: '/etc/plain.conf', content: 'a: yes\nb: 0640\n', owner: 'root:root', permissions: '0640' },
    { path: '/etc/twice.conf', content: 'one\n' },
    { path: '/etc/twice.conf', content: 'two\n', append: true },
    { path: '/usr/local/bin/tool.sh', content: '#!/bin/sh\necho "{{ v1.instance_id }}"\n', permissions: '0755' },
    { path: '/etc/base64.conf', content: Buffer.from('in {{ base64 }}').toString('base64'), encoding: 'base64' },
    { path: '/etc/odd.conf', content: ODD },
    { path: '/etc/blank.conf', content: ' \n\t ' },
    { path: '/etc/zipped.conf', content: gzipSync('zipped').toString('base64'), encoding: 'gzip+base64' },
  ],
  bootCommands: ['echo "$(ls /etc/plain.conf 2>/dev/null || echo early)" > /etc/boot-command'],
  preKubeadmCommands: ['echo "before {{ ds.meta_data.local_hostname }}" >> /etc/order'],
  postKubeadmCommands: ['echo after >> /etc/order', 'echo \'a: "quoted" $word\' > /etc/quoted'],
  users: [
    {
      name: 'maintainer',
      sudo: 'ALL=(ALL) NOPASSWD:ALL',
      shell: '/bin/bash',
      sshAuthorizedKeys: ['ssh-ed25519 AAAA me'],
    },
    { name: 'locked', inactive: true, lockPassword: true, gecos: 'Someone, else', groups: 'users' },
  ],
};

const devices: KubeadmConfigSpec = {
  ntp: { enabled: true, servers: ['169.254.169.123'] },
  mounts: [['LABEL=etcd_disk', '/var/lib/etcddisk', 'ext4', 'defaults,nofail', '0', '2']],
  diskSetup: {
    partitions: [{ device: '/dev/nvme1n1', layout: true, overwrite: false, tableType: 'gpt' }],
    filesystems: [
      {
        device: '/dev/nvme1n1',
        filesystem: 'ext4',
        label: 'etcd_disk',
        partition: 'auto',
        extraOpts: ['-E', 'lazy_itable_init=1'],
      },
    ],
  },
};

describe.skipIf(isMissing)('the user data of machines, according to cloud-init’s own schema', () => {
  const specs = Object.entries({ ...SPECS, 'what surrounds kubeadm': surroundings, 'disks and time': devices });
  const cases = KUBEADM_VERSIONS.flatMap((version) =>
    ROLES.flatMap((role) =>
      specs.map(([title, spec]) => ({ version, role, title, spec, name: `${version}, ${role}, ${title}` })),
    ),
  );
  let errors: Readonly<Record<string, string>>;
  beforeAll(() => {
    const documents = cases.map(({ name, version, role, spec }) => {
      const { body } = renderBootstrapData(inputOf(role, version, spec));
      // The header that marks the document as a template is not part of the cloud-config.
      return [name, body.replace(/^## template: jinja\n/, '')] as const;
    });
    errors = validateCloudConfigs(cloudInit, Object.fromEntries(documents));
  }, LIMIT);

  it.each(cases)('is valid for $version $role by cloud-init, with $title', ({ name }) => {
    expect(errors[name]).toBe('');
  });
});

describe.skipIf(isMissing || !mayBoot())('a machine of a warm pool that boots with its user data', () => {
  let machine: BootedMachine;
  beforeAll(async () => {
    const node = { nodeRegistration: { name: '{{ ds.meta_data.local_hostname }}' } };
    const spec = { joinConfiguration: node, preKubeadmCommands: ['echo before >> /etc/order'] };
    const { body } = renderBootstrapData({
      ...inputOf('worker', VERSION, spec),
      joinsInService: true,
    } as BootstrapInput);
    machine = await bootMachine(cloudInit, body, {
      metadata: { 'instance-id': 'i-0123456789abcdef0', 'local-hostname': 'ip-10-0-0-1.ec2.internal' },
      files: {
        '/usr/local/bin/kubeadm': '#!/bin/sh\necho "kubeadm $*" >> /etc/order\n',
        '/usr/local/bin/systemctl': '#!/bin/sh\necho "systemctl $*" >> /etc/order\n',
      },
    });
  }, LIMIT);
  afterAll(() => machine?.dispose());

  it('completes all stages, prepares itself, and leaves the join to a service', () => {
    expect(machine.failed, machine.log).toBe('');
    expect(machine.read('/etc/order').trim().split('\n')).toEqual([
      'before',
      'systemctl daemon-reload',
      'systemctl enable --now --no-block windlass-join.service',
    ]);
    expect(machine.read('/etc/systemd/system/windlass-join.service')).toContain('/etc/windlass/join-in-service.sh');
  });

  it('keeps the data for joining while it is stopped, unreadable for other users', () => {
    expect(machine.read('/etc/windlass/kubeadm.yaml')).toMatch(/name: "?ip-10-0-0-1.ec2.internal/);
    expect(machine.modeOf('/etc/windlass/kubeadm.yaml')).toBe('0600 root:root');
    expect(machine.modeOf('/etc/windlass/join.sh')).toBe('0700 root:root');
  });
});

describe.skipIf(isMissing || !mayBoot())('a machine that boots with its user data', () => {
  let machine: BootedMachine;
  beforeAll(async () => {
    const { body } = renderBootstrapData(inputOf('init', VERSION, surroundings));
    machine = await bootMachine(cloudInit, body, {
      metadata: { 'instance-id': 'i-0123456789abcdef0', 'local-hostname': 'ip-10-0-0-1.ec2.internal' },
      files: {
        '/usr/local/bin/kubeadm': '#!/bin/sh\necho "kubeadm $*" >> /etc/order\n',
        // Simulates an endpoint that responds, so that the first machine need not wait for its load balancer.
        '/usr/local/bin/curl': '#!/bin/sh\nexit 0\n',
      },
    });
  }, LIMIT);
  afterAll(() => machine?.dispose());

  it('completes all stages', () => {
    expect(machine.failed, machine.log).toBe('');
  });

  it('has the files as specified, with their modes and owners', () => {
    expect(machine.read('/etc/plain.conf')).toBe('a: yes\nb: 0640\n');
    expect(machine.modeOf('/etc/plain.conf')).toBe('0640 root:root');
    expect(machine.read('/etc/odd.conf')).toBe(ODD);
    expect(machine.read('/etc/blank.conf')).toBe(' \n\t \n');
    expect(machine.read('/etc/twice.conf')).toBe('one\ntwo\n');
    expect(machine.read('/usr/local/bin/tool.sh')).toBe('#!/bin/sh\necho "i-0123456789abcdef0"\n');
    expect(machine.modeOf('/usr/local/bin/tool.sh')).toBe('0755 root:root');
    expect(machine.read('/etc/base64.conf')).toBe('in {{ base64 }}');
    expect(machine.read('/etc/zipped.conf')).toBe('zipped');
  });

  it('has keys that other users cannot read', () => {
    expect(machine.read('/etc/kubernetes/pki/ca.key')).toBe(certificates.ca.privateKeyPem);
    for (const name of ['ca.key', 'etcd/ca.key', 'front-proxy-ca.key', 'sa.key']) {
      expect([name, machine.modeOf(`/etc/kubernetes/pki/${name}`)]).toEqual([name, '0600 root:root']);
    }
    expect(machine.modeOf('/run/kubeadm/kubeadm.yaml')).toBe('0640 root:root');
  });

  it('has run its commands in order, before and after kubeadm', () => {
    expect(machine.read('/etc/boot-command')).toBe('early\n');
    expect(machine.read('/etc/order').trim().split('\n')).toEqual([
      'before ip-10-0-0-1.ec2.internal',
      'kubeadm init --config /run/kubeadm/kubeadm.yaml',
      'after',
    ]);
    expect(machine.read('/etc/quoted')).toBe('a: "quoted" $word\n');
    expect(machine.read('/run/cluster-api/bootstrap-success.complete')).toBe('success\n');
  });

  it('has the specified users', () => {
    expect(machine.read('/etc/passwd')).toMatch(/^maintainer:.*:\/bin\/bash$/m);
    expect(machine.read('/etc/passwd')).toMatch(/^locked:.*:Someone, else:/m);
    expect(machine.read('/etc/shadow')).toMatch(/^locked:!:\d*:\d*:\d*:\d*:0:/m);
    expect(machine.read('/etc/sudoers.d/90-cloud-init-users')).toContain('maintainer ALL=(ALL) NOPASSWD:ALL');
    expect(machine.read('/home/maintainer/.ssh/authorized_keys')).toContain('ssh-ed25519 AAAA me');
    expect(machine.modeOf('/home/maintainer/.ssh/authorized_keys')).toBe('0600 maintainer:maintainer');
  });
});
