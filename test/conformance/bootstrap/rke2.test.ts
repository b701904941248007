import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { cloudInitIn } from '../../../infra/cli/conformance/cloud-init.ts';
import { cloudConfig } from '../../../shared/bootstrap/cloud-init/cloud-config.ts';
import { initInput, serverInput, workerInput } from '../../../shared/bootstrap/rke2/fixtures.ts';
import { rke2Setup } from '../../../shared/bootstrap/rke2/setup.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { type BootedMachine, bootMachine, mayBoot } from './cloud-init-machine.ts';
import { validateCloudConfigs } from './cloud-init-schema.ts';

/**
 * Needs WINDLASS_CLOUD_INIT, which `npm run conformance` sets. Boots machines only if mounts are permitted, for example
 * as root.
 */
const directory = process.env.WINDLASS_CLOUD_INIT ?? '';
const cloudInit = cloudInitIn(directory);
const isMissing = directory === '' && process.env.CI !== 'true';

const spec = {
  agentConfig: {
    kubelet: { extraArgs: ['provider-id=aws:///{{ v1.availability_zone }}/{{ v1.instance_id }}'] },
    cisProfile: 'cis' as const,
    ntp: { servers: ['169.254.169.123'] },
    additionalUserData: { config: 'disable_root: true' },
  },
  preRKE2Commands: ['echo before >> /etc/order'],
  postRKE2Commands: ['echo after >> /etc/order'],
};

const documents = {
  init: cloudConfig(rke2Setup(initInput(spec))),
  'control-plane': cloudConfig(rke2Setup(serverInput(spec))),
  worker: cloudConfig(rke2Setup(workerInput(spec))),
};

describe.skipIf(isMissing)('the user data of RKE2 machines', () => {
  it('is valid by the schema of cloud-init', () => {
    const bodies = Object.entries(documents).map(([role, body]) => [role, body.replace(/^## template: jinja\n/, '')]);
    expect(validateCloudConfigs(cloudInit, Object.fromEntries(bodies))).toEqual({
      init: '',
      'control-plane': '',
      worker: '',
    });
  });
});

/** curl returns a script that records its arguments; the service starts on the second attempt. */
const STANDINS = {
  '/usr/local/bin/curl': `#!/bin/sh\necho 'echo "install $INSTALL_RKE2_TYPE $INSTALL_RKE2_VERSION" >> /etc/order'\n`,
  '/usr/local/bin/systemctl':
    '#!/bin/sh\necho "systemctl $*" >> /etc/order\n[ "$1" = start ] || exit 0\n[ -e /etc/tried ] && exit 0\ntouch /etc/tried\nexit 1\n',
  '/usr/local/bin/sleep': '#!/bin/sh\nexit 0\n',
  '/usr/local/bin/sysctl': '#!/bin/sh\necho "sysctl $*" >> /etc/order\n',
  '/usr/local/share/rke2/rke2-cis-sysctl.conf': 'kernel.panic=10\n',
};

describe.skipIf(isMissing || !mayBoot())('a server that boots with them', () => {
  let machine: BootedMachine;
  beforeAll(async () => {
    machine = await bootMachine(cloudInit, documents.init, {
      metadata: { 'instance-id': 'i-0123456789abcdef0', 'local-hostname': 'ip-10-0-0-1.ec2.internal' },
      files: STANDINS,
    });
  }, LIMIT);
  afterAll(() => machine?.dispose());

  it('installs RKE2, prepares itself, starts the service until it runs, and only then reports success', () => {
    expect(machine.failed, machine.log).toBe('');
    expect(machine.read('/etc/order').trim().split('\n')).toEqual([
      'before',
      'install server v1.34.2+rke2r1',
      'sysctl -p /etc/sysctl.d/90-rke2-cis.conf',
      'systemctl mask rke2-agent.service',
      'systemctl enable rke2-server.service',
      'systemctl start rke2-server.service',
      'systemctl start rke2-server.service',
      'after',
    ]);
    expect(machine.read('/run/cluster-api/bootstrap-success.complete')).toBe('success\n');
  });

  it('has a configuration that names the instance, and keys that other users cannot read', () => {
    expect(parse(machine.read('/etc/rancher/rke2/config.yaml'))['kubelet-arg'][0]).toMatch(/\/i-0123456789abcdef0$/);
    expect(machine.modeOf('/etc/rancher/rke2/config.yaml')).toBe('0640 root:root');
    for (const name of ['server-ca', 'client-ca', 'etcd/peer-ca', 'etcd/server-ca']) {
      expect(machine.modeOf(`/var/lib/rancher/rke2/server/tls/${name}.key`)).toBe('0600 root:root');
    }
  });
});
