/** Tests machines on a host with a real sshd and real shells. kubeadm and systemctl are replacements. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRunOnHost } from '../../../functions/providers/hosts/ssh/connect.ts';
import { CONTEXT, makeHostWorld } from '../../../functions/providers/hosts/test-hosts.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { findCondition } from '../../../shared/plan/status/conditions.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { mayHost, type SshdHost, startSshdHost } from './sshd-host.ts';

const SSHD = process.env.WINDLASS_SSHD;
const mayRun = SSHD !== undefined && mayHost();

it.runIf(process.env.CI)('tests of real hosts run in CI', () => {
  expect(mayRun).toBe(true);
});

const DATA = `## template: jinja
#cloud-config
write_files:
  - path: /etc/with space/kubeadm.yaml
    owner: root:daemon
    permissions: '0640'
    content: |
      name: {{ v1.local_hostname }}
  - path: /etc/motd
    append: true
    content: "more\\n"
bootcmd:
  - echo first > /first
runcmd:
  - [sh, -c, 'echo "it''s $0" > /quoted', 'a  b']
  - value=kept
  - 'kubeadm join "$value" && mkdir -p /run/cluster-api && echo success > /run/cluster-api/bootstrap-success.complete'
  - 'true'
`;

describe.runIf(mayRun)('a host', () => {
  let host: SshdHost;
  let world: Awaited<ReturnType<typeof makeHostWorld>>;
  const run = makeRunOnHost({ reach: { loopback: true }, deadline: () => AbortSignal.timeout(20_000) });

  beforeAll(async () => {
    host = await startSshdHost(SSHD ?? '');
    world = await makeHostWorld({ run, privateKey: host.privateKey });
    await addHost('a');
  });
  afterAll(() => host?.stop());

  const addHost = (name: string, spec: object = {}) =>
    world.addHost(name, { address: '127.0.0.1', port: host.port, hostKey: host.hostKey, ...spec });
  const launch = (input: MachineInput) => world.steps().launchInstance(input, CONTEXT);
  const until = async (step: () => Promise<{ progress: string }>): Promise<string> => {
    for (;;) {
      const { progress } = await step();
      if (progress !== 'wait') return progress;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const boot = (input: MachineInput) => until(() => world.steps().observeInstance(input, CONTEXT));
  const release = (input: MachineInput) => until(() => world.steps().terminateInstance(input, CONTEXT));
  const reachable = async (name: string) =>
    findCondition((await world.host(name))?.status?.conditions as never, 'Reachable') as
      | { reason?: string }
      | undefined;
  const withoutHost = async (name: string) => world.objects.delete(kinds.host, { namespace: 'default', name });
  const readyOf = async (name: string) =>
    findCondition((await world.machine(name))?.status?.conditions as never, 'HostReady') as { message?: string };

  it('runs its bootstrap data once, and is restored to its earlier state by its release', async () => {
    const before = host.run('cat /etc/motd');
    const input = await world.addMachine('m', { data: DATA });
    await launch(input);
    await launch(input);
    expect(await boot(input)).toBe('done');

    expect(host.run('cat "/etc/with space/kubeadm.yaml"')).toBe('name: node-1\n');
    expect(host.run('stat -c "%a %U:%G" "/etc/with space/kubeadm.yaml"')).toBe('640 root:daemon\n');
    expect(host.run('cat /etc/motd')).toBe(`${before}more\n`);
    expect(host.run('cat /first /quoted')).toBe("first\nit's a  b\n");
    expect(host.run('cat /calls')).toBe('kubeadm join kept\n');
    expect(host.run('ls -A /var/lib/windlass; stat -c %a /var/lib/windlass')).not.toContain('payload');
    expect((await world.machine('m'))?.status?.addresses).toEqual([
      { type: 'Hostname', address: 'node-1' },
      { type: 'InternalIP', address: '127.0.0.1' },
    ]);

    expect(await release(input)).toBe('done');
    expect(host.run('ls -d /var/lib/windlass /etc/kubernetes "/etc/with space/kubeadm.yaml" 2>/dev/null')).toBe('');
    expect(host.run("cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -ac '[k]ubelet 1000'")).toBe('0\n');
    expect(host.run('cat /calls')).toContain('kubeadm reset --force');
    expect((await world.host('a'))?.status?.claim).toBeUndefined();
  });

  it('continues its boot script without a connection, and reports the result on request', async () => {
    host.run('echo 2 > /slow; rm -f /calls');
    const input = await world.addMachine('slow', { data: DATA });
    await launch(input);
    expect(await world.steps().observeInstance(input, CONTEXT)).toMatchObject({ progress: 'wait' });
    expect(await boot(input)).toBe('done');
    expect(host.run('rm /slow; cat /calls')).toBe('kubeadm join kept\n');
    await release(input);
  });

  it('can be released in the middle of its boot script', async () => {
    host.run('echo 100 > /slow');
    const input = await world.addMachine('hasty', { data: DATA });
    await launch(input);
    expect(await release(input)).toBe('done');
    expect(host.run("rm /slow; cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -ac '[s]leep 100'")).toBe('0\n');
  });

  it('reports why its boot script failed, without secrets, and can still be released', async () => {
    host.run('touch /broken');
    const input = await world.addMachine('broken', { data: DATA });
    await launch(input);
    expect(await boot(input)).toBe('failed');
    expect((await readyOf('broken')).message).toBe(
      'the boot script ended with exit code 74: error execution phase preflight: token … is wrong; windlass: the bootstrap data did not report success',
    );
    expect(await release(input)).toBe('done');
    host.run('rm /broken');
  });

  it('that is already a node or belongs to another machine is left alone', async () => {
    host.run('mkdir -p /etc/kubernetes; touch /etc/kubernetes/kubelet.conf');
    const input = await world.addMachine('late', { data: DATA });
    await expect(launch(input)).rejects.toThrow('the host is a node of a cluster already');
    expect((await reachable('a'))?.reason).toBe('InUse');
    host.run('rm -r /etc/kubernetes; mkdir -p /var/lib/windlass; printf other > /var/lib/windlass/owner');
    await expect(launch(input)).rejects.toThrow('the host is marked as belonging to another HostMachine');
    expect(host.run('cat /var/lib/windlass/owner; rm -r /var/lib/windlass')).toBe('other');
    await launch(input);
    expect(await boot(input)).toBe('done');
    await release(input);
  });

  it('with another data folder of RKE2 counts as a node, and is wiped there', async () => {
    const script = 'echo "$(basename $0) $RKE2_DATA_DIR" >>/calls; rm -rf "$RKE2_DATA_DIR" /etc/rancher/rke2';
    const scripts = ['rke2-killall.sh', 'rke2-uninstall.sh'].map((name) => `/usr/local/bin/${name}`);
    for (const path of scripts) host.run(`echo '#!/bin/sh\n${script}' >${path}; chmod 755 ${path}`);
    const config =
      "mkdir -p /etc/rancher/rke2 /data/x/agent && echo 'data-dir: /data/x' >/etc/rancher/rke2/config.yaml";
    host.run(config);
    const input = await world.addMachine('elsewhere', { data: `#cloud-config\nruncmd: ["${config}"]\n` });
    await expect(launch(input)).rejects.toThrow('the host is a node of a cluster already');
    host.run('rm -r /etc/rancher/rke2; rm /calls');
    await launch(input);
    expect(await boot(input)).toBe('done');
    expect(await release(input)).toBe('done');
    expect(host.run('cat /calls')).toContain('rke2-killall.sh /data/x\nrke2-uninstall.sh ');
    expect(host.run(`ls -d /data/x 2>/dev/null; rm ${scripts.join(' ')}`)).toBe('');
  });

  it('does not boot for a machine that was already released', async () => {
    const input = await world.addMachine('racing');
    const uid = (await world.machine('racing'))?.metadata.uid ?? '';
    host.run(`mkdir -p /var/lib/windlass.released && touch /var/lib/windlass.released/${uid}`);
    await expect(launch(input)).rejects.toThrow('the host is marked as belonging to another HostMachine');
    await release(input);
  });

  describe('is refused', () => {
    /** Creates a machine for which only this Host is available. */
    const prepared = async (name: string, spec: object): Promise<MachineInput> => {
      for (const { metadata } of await world.objects.list(kinds.host, 'default')) await withoutHost(metadata.name);
      await addHost(name, spec);
      return world.addMachine(`of-${name}`);
    };

    it('before any authentication if it has another key', async () => {
      const said = await host.log();
      const hostKey = host.hostKey.replace(/ AAAAC3NzaC1lZDI1NTE5AAAAI.{4}/, ' AAAAC3NzaC1lZDI1NTE5AAAAIAAAA');
      await expect(launch(await prepared('other-key', { hostKey }))).rejects.toThrow(
        'has another key than spec.hostKey',
      );
      const since = (await host.log()).slice(said.length);
      expect(since).toContain('[preauth]');
      expect(since).not.toMatch(/Accepted|Failed|Postponed/);
    });

    it('if the user or the key of the user is wrong', async () => {
      await expect(launch(await prepared('stranger', { user: 'stranger' }))).rejects.toThrow(
        'refuses the user stranger',
      );
    });

    it('if nothing listens', async () => {
      await expect(launch(await prepared('silent', { port: 1 }))).rejects.toThrow(
        '127.0.0.1:1 cannot be reached over SSH: ECONNREFUSED',
      );
    });
  });
});
