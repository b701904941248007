import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cloudInitIn } from '../../../infra/cli/conformance/cloud-init.ts';
import {
  CONFIGURATION_PATH,
  INCLUDED_PATH,
  SCRIPT_PATH,
} from '../../../shared/providers/aws/plan/delivery/boothook.ts';
import { type DeliveryInput, planDelivery } from '../../../shared/providers/aws/plan/delivery/plan.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { type BootedMachine, bootMachine, mayBoot } from './cloud-init-machine.ts';
import { type StoreEndpoint, startStoreEndpoint } from './store-endpoint.ts';

/**
 * Boots machines with the complete user data and the real cloud-init. Needs WINDLASS_CLOUD_INIT, which `npm run
 * conformance` sets, and permission to mount.
 */
const directory = process.env.WINDLASS_CLOUD_INIT ?? '';
const cloudInit = cloudInitIn(directory);
const skips = (directory === '' && process.env.CI !== 'true') || !mayBoot();

/** The PATH of a distribution's image, without directories that are specific to this computer. */
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const CONFIGURATION = `## template: jinja
#cloud-config
write_files:
- path: /etc/written
  content: on {{ ds.meta_data.local_hostname }}
runcmd:
- "echo ran >> /etc/order"
`;
const SCRIPT = '#!/bin/sh\necho "script on $(cat /proc/sys/kernel/ostype)" >> /etc/order\n';
const MIME = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="B"

--B
Content-Type: text/x-shellscript

#!/bin/sh
echo "from an archive" >> /etc/order
--B--
`;
const FEATURES = `${cloudInit.modules}/cloudinit/features.py`;
/**
 * Changes features.py as the images for Cluster API do, because cloud-init ignores feature_overrides.py from 23.3 on.
 */
const FORGIVING = existsSync(FEATURES)
  ? { [FEATURES]: `${readFileSync(FEATURES, 'utf8')}\nERROR_ON_USER_DATA_FAILURE = False\n` }
  : {};
/** Like systemd, terminates the cloud-init process that runs the boothook. */
const RESTART = `#!/bin/sh
[ "$*" = "restart cloud-init" ] || exit 0
touch /restart-cloud-init
kill "$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$PPID/status")" "$PPID"
sleep 5
`;
const PROGRAMS = {
  '/usr/local/bin/cloud-init': `#!/bin/sh\nPYTHONPATH=${cloudInit.modules} exec ${cloudInit.python} -m cloudinit.cmd.main "$@"\n`,
  '/usr/local/bin/systemctl': RESTART,
};
/** A CLI that reads the secret from a file of the image. */
const AWS = {
  '/usr/local/bin/aws': `#!/bin/sh\necho "aws $1 $4" >> /etc/calls\ncase "$*" in *get-secret-value*) cat /etc/kept ;; esac\n`,
};

describe.skipIf(skips)('a machine whose bootstrap data is in a store', { timeout: LIMIT }, () => {
  let endpoint: StoreEndpoint;
  let machine: BootedMachine | undefined;
  beforeAll(async () => {
    endpoint = await startStoreEndpoint();
  });
  beforeEach(() => endpoint.kept.clear());
  afterEach(() => machine?.dispose());
  afterAll(() => endpoint.close());

  const boot = async (input: Partial<DeliveryInput>, image: Readonly<Record<string, string>> = {}) => {
    const prefix = { secretPrefix: 'aws.cluster.x-k8s.io/m', region: 'eu-west-1' };
    const { userData, secrets } = planDelivery({ body: CONFIGURATION, mode: 'secrets-manager', ...prefix, ...input });
    for (const { name, data } of secrets) endpoint.kept.set(name, data);
    const [first] = secrets;
    machine = await bootMachine(cloudInit, Buffer.from(userData, 'base64'), {
      metadata: { 'instance-id': 'i-0123456789abcdef0', 'local-hostname': 'ip-10-0-0-1.ec2.internal' },
      files: { ...PROGRAMS, '/etc/kept': Buffer.from(first?.data ?? []).toString('base64'), ...image },
      removed: '/usr/local/bin/aws' in image ? [] : ['/usr/bin/aws', '/usr/local/bin/aws'],
      environment: { ...endpoint.environment, PATH: SYSTEM_PATH },
    });
    return machine;
  };
  const expectConfigured = (booted: BootedMachine) => {
    expect(booted.failed, booted.log).toBe('');
    expect(booted.read('/etc/written')).toBe('on ip-10-0-0-1.ec2.internal');
    expect(booted.read('/etc/order')).toBe('ran\n');
  };

  it.each<Partial<DeliveryInput>>([
    { mode: 'secrets-manager' },
    { mode: 'ssm-parameter-store' },
    { body: gzipSync(CONFIGURATION) },
  ])('gets the data on a distribution’s image without the AWS CLI: $mode', async (input) => {
    const booted = await boot({ ...input, withoutInclude: true });
    expectConfigured(booted);
    expect(booted.modeOf(CONFIGURATION_PATH)).toBe('0600 root:root');
    expect([...endpoint.kept.keys()]).toEqual([]);
  });

  it('gets the data on a distribution’s image with the AWS CLI', async () => {
    const booted = await boot({ withoutInclude: true }, AWS);
    expectConfigured(booted);
    expect(booted.read('/etc/calls').trim().split('\n')).toEqual([
      'aws secretsmanager --cli-connect-timeout',
      'aws secretsmanager --cli-connect-timeout',
    ]);
  });

  it('gets the data on an image for Cluster API, where cloud-init tolerates the include of a missing file', async () => {
    expectConfigured(await boot({}, FORGIVING));
  });

  it('gets no data if its cloud-init fails on the include of a missing file', async () => {
    const booted = await boot({});
    expect(booted.failed).toContain('init');
    expect(booted.log).toContain(INCLUDED_PATH);
    expect(endpoint.kept.size).toBe(1);
  });

  it.each([
    { withoutInclude: true, image: {} },
    { withoutInclude: false, image: FORGIVING },
  ])(
    'runs the data if it is a shell script, without an include: $withoutInclude',
    async ({ withoutInclude, image }) => {
      for (const body of [SCRIPT, SCRIPT.replaceAll('\n', '\r\n').replace('order\r\n', 'order\n')]) {
        const booted = await boot({ body, withoutInclude }, image);
        expect(booted.failed, booted.log).toBe('');
        expect(booted.read('/etc/order')).toBe('script on Linux\n');
        expect(booted.modeOf(SCRIPT_PATH.replace('/instance/', '/instances/i-0123456789abcdef0/'))).toBe(
          '0700 root:root',
        );
        booted.dispose();
      }
    },
  );

  it('runs the scripts of a MIME archive after a restart of cloud-init', async () => {
    const booted = await boot({ body: MIME }, FORGIVING);
    expect(booted.failed, booted.log).toBe('');
    expect(booted.read('/etc/order')).toBe('from an archive\n');
    expect(endpoint.kept.size).toBe(0);
  });

  it('keeps a MIME archive in the store if its cloud-init would not read it after a restart', async () => {
    const newer = { '/usr/local/bin/cloud-init': '#!/bin/sh\necho "/usr/bin/cloud-init 24.2"\n' };
    const booted = await boot({ body: MIME }, { ...FORGIVING, ...newer });
    expect(booted.log).toContain('spec.bootstrap.dataSecretName of the Machine: cloud-init 24.2 reads only');
    expect(endpoint.kept.size).toBe(1);
  });
});
