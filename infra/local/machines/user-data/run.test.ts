import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeBootLog } from '../boot-log.ts';
import type { Instance } from '../ports.ts';
import { makeFileSystem } from './file-system.ts';
import type { KubeadmCall } from './kubeadm-call.ts';
import { runUserData } from './run.ts';

const INSTANCE: Instance = {
  id: 'i-0123456789abcdef0',
  region: 'us-east-1',
  vpcId: 'vpc-1',
  availabilityZone: 'us-east-1b',
  imageId: 'ami-1',
  instanceType: 't3.large',
  privateIp: '10.0.1.23',
  privateDnsName: 'ip-10-0-1-23.ec2.internal',
};

const CLOUD_CONFIG = `## template: jinja
#cloud-config

write_files:
-   path: /run/kubeadm/kubeadm.yaml
    owner: root:root
    permissions: '0640'
    content: |
      name: '{{ ds.meta_data.local_hostname }}'
      provider: aws:///{{ v1.availability_zone }}/{{ ds.meta_data.instance_id }}
-   path: /etc/packed
    encoding: gzip+base64
    content: ${gzipSync('packed').toString('base64')}
-   path: /etc/packed
    append: true
    content: ' and more'
runcmd:
  - echo before
  - 'kubeadm init --config /run/kubeadm/kubeadm.yaml --v=5 && echo success > /run/cluster-api/bootstrap-success.complete'
`;

const BOOTHOOK = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="xyz"

--xyz
Content-Type: text/cloud-boothook; charset="us-ascii"

#!/bin/bash
REGION="us-east-1"
SECRET_PREFIX="aws.cluster.x-k8s.io/abc"
CHUNKS="2"
FILE="/etc/secret-userdata.txt"
for i in $(seq 0 "$((CHUNKS - 1))"); do get_secret_value "$i"; done

--xyz
Content-Type: text/x-include-url; charset="us-ascii"

file:///etc/secret-userdata.txt
--xyz--
`;

const secretsOf = (kept: Map<string, Uint8Array>, { isRemovable = true } = {}) => ({
  read: async (id: string) => {
    const value = kept.get(id);
    if (!value) throw Object.assign(new Error('not there'), { name: 'ResourceNotFoundException' });
    return value;
  },
  remove: async (id: string) => {
    if (!isRemovable) throw Object.assign(new Error('denied'), { name: 'AccessDeniedException' });
    kept.delete(id);
  },
});

const boot = async (userData: string | Uint8Array, secrets = secretsOf(new Map()), succeeds: boolean[] = [true]) => {
  const files = makeFileSystem();
  let time = 0;
  const clock = {
    now: () => new Date(time),
    sleep: async (milliseconds: number) => {
      time += milliseconds;
    },
  };
  const log = makeBootLog(clock);
  const calls: KubeadmCall[] = [];
  const rke2: string[] = [];
  await runUserData(Buffer.from(userData).toString('base64'), {
    instance: INSTANCE,
    secrets,
    files,
    log,
    kubeadm: async (call) => {
      calls.push(call);
      return succeeds[calls.length - 1] ?? true;
    },
    install: () => true,
    answers: async () => true,
    rke2: {
      install: ({ type, version }) => rke2.push(`install ${type} ${version}`) > 0,
      start: async (type) => rke2.push(`start ${type}`) > 0,
    },
    waiting: { clock, signal: new AbortController().signal, retryMilliseconds: 1000 },
  });
  return { files, calls, rke2, log: log.lines().join('\n') };
};

describe('user data on a simulated machine', () => {
  it('renders the template, writes the files and runs kubeadm', async () => {
    const { files, calls } = await boot(CLOUD_CONFIG);
    expect(files.read('/run/kubeadm/kubeadm.yaml')).toBe(
      "name: 'ip-10-0-1-23.ec2.internal'\nprovider: aws:///us-east-1b/i-0123456789abcdef0\n",
    );
    expect(files.read('/etc/packed')).toBe('packed and more');
    expect(files.stat('/run/kubeadm/kubeadm.yaml')?.permissions).toBe('0640');
    expect(calls).toEqual([{ verb: 'init', configPath: '/run/kubeadm/kubeadm.yaml', otherFlags: [] }]);
    expect(files.read('/run/cluster-api/bootstrap-success.complete')).toBe('success\n');
  });

  it('writes no sentinel file if kubeadm fails', async () => {
    const { files } = await boot(CLOUD_CONFIG, undefined, [false]);
    expect(files.stat('/run/cluster-api/bootstrap-success.complete')).toBeUndefined();
  });

  it('reads gzip user data', async () => {
    expect((await boot(gzipSync(CLOUD_CONFIG))).calls).toHaveLength(1);
  });

  it('reads what the boothook fetched even if no part includes it', async () => {
    const kept = new Map([['aws.cluster.x-k8s.io/abc-0', gzipSync(CLOUD_CONFIG)]]);
    const alone = BOOTHOOK.replace(/--xyz\nContent-Type: text\/x-include-url[\s\S]*?\n--xyz--/, '--xyz--');
    expect(alone).not.toContain('file://');
    expect((await boot(alone.replace('CHUNKS="2"', 'CHUNKS="1"'), secretsOf(kept))).calls).toHaveLength(1);
    expect(kept.size).toBe(0);
  });

  it('fetches and deletes the secrets that the boothook names', async () => {
    const packed = gzipSync(CLOUD_CONFIG);
    const kept = new Map([
      ['aws.cluster.x-k8s.io/abc-0', packed.subarray(0, 100)],
      ['aws.cluster.x-k8s.io/abc-1', packed.subarray(100)],
    ]);
    const { calls } = await boot(BOOTHOOK, secretsOf(kept));
    expect(calls).toHaveLength(1);
    expect(kept.size).toBe(0);
  });

  it.each([
    { what: 'a secret is missing', kept: new Map(), isRemovable: true, says: 'ResourceNotFoundException' },
    {
      what: 'a secret cannot be deleted',
      kept: new Map([
        ['aws.cluster.x-k8s.io/abc-0', gzipSync(CLOUD_CONFIG)],
        ['aws.cluster.x-k8s.io/abc-1', new Uint8Array()],
      ]),
      isRemovable: false,
      says: 'DeleteSecret aws.cluster.x-k8s.io/abc-0 failed: AccessDeniedException',
    },
  ])('never runs kubeadm when $what', async ({ kept, isRemovable, says }) => {
    const { calls, log } = await boot(BOOTHOOK, secretsOf(kept, { isRemovable }));
    expect(calls).toEqual([]);
    expect(log).toContain(says);
  });

  it('renders a missing variable like cloud-init, and warns', async () => {
    const { files, log } = await boot(CLOUD_CONFIG.replace('ds.meta_data.local_hostname', 'ds.meta_data.hostnam'));
    expect(files.read('/run/kubeadm/kubeadm.yaml')).toContain("name: 'CI_MISSING_JINJA_VAR/hostnam'");
    expect(log).toContain("Could not render jinja template variables in file 'part-001': 'hostnam'");
  });

  it('does not let a template access anything except its data', async () => {
    const attack = '{{ "x"["constr" ~ "uctor"]["constructor"]("return process")() }}';
    const { calls, log } = await boot(CLOUD_CONFIG.replace('{{ ds.meta_data.local_hostname }}', attack));
    expect(calls).toEqual([]);
    expect(log).toContain("'constructor' is undefined");
  });

  it('finds kubeadm in a script that the user data wrote, and repeats kubeadm if the script does', async () => {
    const script = '#!/bin/bash\nset -o errexit\nuntil kubeadm join --config=/k.yaml; do\n  sleep 5 # a while\ndone\n';
    const { calls } = await boot(
      `#cloud-config\nwrite_files:\n- {path: /opt/join.sh, content: ${JSON.stringify(script)}}\nruncmd: [[bash, /opt/join.sh]]\n`,
      undefined,
      [false, false, true],
    );
    expect(calls.map(({ verb, configPath }) => `${verb} ${configPath}`)).toEqual(Array(3).fill('join /k.yaml'));
  });

  it('runs no command after one that ended the script', async () => {
    const join = 'kubeadm join --config=/k.yaml';
    const ended = await boot(`#cloud-config\nruncmd: ["false || exit 1", "${join}"]\n`);
    expect(ended.calls).toEqual([]);
    const others = await boot(`#cloud-config\nruncmd: [[sh, -c, "false || exit 1"], "${join}"]\n`);
    expect(others.calls).toHaveLength(1);
  });

  it('reports what it does not execute, but only by name', async () => {
    const { calls, log } = await boot(
      '#cloud-config\nntp: {enabled: true}\nruncmd: ["curl -H secret https://x | tee /y"]\n',
    );
    expect(calls).toEqual([]);
    expect(log).toContain('not executed on the simulated machine: module ntp');
    expect(log).toContain('not executed on the simulated machine: curl');
    expect(log).not.toContain('secret');
  });

  it.each([
    ['#cloud-config\nruncmd: {a: b}\n', 'runcmd: must be a list'],
    ['#cloud-config\n[secret', '[ERROR] failed to process user-data: yaml: '],
    ['#cloud-config\nruncmd: ["echo \'unclosed"]\n', 'unterminated quoted string'],
    ['{"ignition": {"version": "2.3.0"}}', 'application/vnd.coreos.ignition+json'],
    ['hello', 'nothing to do'],
  ])('reports user data that cannot work: %j', async (userData, says) => {
    const { calls, log } = await boot(userData);
    expect(calls).toEqual([]);
    expect(log).toContain(says);
    expect(log).not.toContain('secret');
  });
});
