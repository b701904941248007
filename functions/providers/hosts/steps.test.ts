import { beforeEach, describe, expect, it } from 'vitest';
import { testCertificates } from '../../../shared/bootstrap/certificates/fixtures.ts';
import { toKubeconfigSecret, toSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { RELEASE_ANNOTATION } from '../../../shared/kinds/rules/host-wishes.ts';
import { findCondition } from '../../../shared/plan/status/conditions.ts';
import { hosts } from '../../../shared/providers/hosts/infrastructure.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { HostError } from './ssh/host-error.ts';
import { CONTEXT, makeHostWorld } from './test-hosts.ts';

type World = Awaited<ReturnType<typeof makeHostWorld>>;
let world: World;
beforeEach(async () => {
  world = await makeHostWorld();
});

const launch = (input: MachineInput) => world.steps().launchInstance(input, CONTEXT);
const observe = (input: MachineInput) => world.steps().observeInstance(input, CONTEXT);
const release = (input: MachineInput) => world.steps().terminateInstance(input, CONTEXT);
const conditionOf = async (name: string, type: string) =>
  findCondition((await world.machine(name))?.status?.conditions as never, type) as {
    reason?: string;
    message?: string;
  };
const reachableOf = async (name: string) =>
  findCondition((await world.host(name))?.status?.conditions as never, 'Reachable') as {
    reason?: string;
    message?: string;
  };

/** Gives the cluster a control plane, and the machine a configuration with which kubeadm joins it. */
const withKubeadm = async (input: MachineInput): Promise<void> => {
  const { objects } = world;
  const at = { namespace: 'default', name: 'red' };
  await objects.ensure(kinds.secret, toSecret('red', 'default', 'ca', (await testCertificates()).ca));
  await objects.ensure(kinds.secret, toKubeconfigSecret('red', 'default', 'a kubeconfig'));
  await objects.mutate(kinds.cluster, at, (current) => ({
    ...current,
    status: { ...current.status, initialization: { controlPlaneInitialized: true } },
  }));
  const configRef = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'm' };
  await objects.mutate(kinds.machine, input.machine, (current) => ({
    ...current,
    spec: { ...current.spec, bootstrap: { ...current.spec.bootstrap, configRef } },
  }));
};

describe('a machine on a host', () => {
  it('has a bootstrap token in its cluster while kubeadm joins, until the boot script ends', async () => {
    const computer = await world.addHost('a');
    const input = await world.addMachine('m');
    await withKubeadm(input);
    await launch(input);
    expect(await observe(input)).toMatchObject({ progress: 'wait' });
    world.created.tokens = [];
    expect(await observe(input)).toMatchObject({ progress: 'wait' });
    const [token] = world.created.tokens;
    expect(token?.metadata.name).toMatch(/^bootstrap-token-[a-z0-9]{6}$/);
    computer.state = '0';
    await observe(input);
    expect(world.created.tokens).toHaveLength(1);
  });

  it('claims the host, boots once, and releases the host when it is deleted', async () => {
    const computer = await world.addHost('a');
    const input = await world.addMachine('m');

    await launch(input);

    const uid = (await world.machine('m'))?.metadata.uid;
    expect((await world.host('a'))?.status?.claim).toMatchObject({ machine: 'm', uid });
    expect((await world.machine('m'))?.spec.providerID).toBe(`host://default/a/${uid}`);
    expect(computer).toMatchObject({ owner: uid, started: 1 });
    const [expectLine, file, run] = computer.payload.trim().split('\n');
    expect(expectLine).toMatch(/^expect /);
    expect(file).toBe(['file', btoa('/etc/a file'), 'root:root', '0600', '0', btoa('hello')].join(' '));
    expect(run).toMatch(/^run /);

    await launch(input);
    expect(computer.started).toBe(1);
    expect(await observe(input)).toMatchObject({ progress: 'wait' });
    computer.state = '0';
    expect(await observe(input)).toEqual({ progress: 'done', waitSeconds: 0 });
    expect((await world.machine('m'))?.status).toMatchObject({ ready: true, state: 'Running' });
    expect(await world.objects.get(kinds.machine, input.machine)).toMatchObject({
      spec: { providerID: `host://default/a/${uid}` },
      status: { initialization: { infrastructureProvisioned: true } },
    });

    computer.resets = ['running'];
    expect(await release(input)).toMatchObject({ progress: 'wait' });
    expect(await release(input)).toEqual({ progress: 'done', waitSeconds: 0 });
    expect((await world.host('a'))?.status?.claim).toBeUndefined();
    expect((await world.host('a'))?.metadata.finalizers ?? []).toEqual([]);
    expect(computer.owner).toBe('');
    const left = await world.machine('m');
    expect(left && hosts.instance(left)).toMatchObject({ gone: true, running: false });
    expect(await world.reasons()).toEqual(
      ['BootScriptStarted', 'BootScriptSucceeded', 'HostClaimed', 'HostClaimed', 'HostReleased'].sort(),
    );
  });

  it('does not share the host with other machines', async () => {
    await world.addHost('a');
    await launch(await world.addMachine('m'));
    await expect(launch(await world.addMachine('n'))).rejects.toThrow(
      'none of the 1 Hosts in namespace default can be claimed: 1 are claimed by other machines',
    );
    expect((await world.machine('n'))?.spec.providerID).toBeUndefined();
  });

  it('reports the output of a host without possible secrets', async () => {
    const computer = await world.addHost('a');
    const input = await world.addMachine('m');
    await launch(input);
    computer.state = '1';
    computer.words = 'hunter2\n[preflight] token abcdef.0123456789abcdef is wrong\nkubeadm-until-done: giving up\n';
    expect(await observe(input)).toMatchObject({ progress: 'failed' });
    expect((await conditionOf('m', 'HostReady')).message).toBe(
      'the boot script ended with exit code 1: [preflight] token … is wrong; kubeadm-until-done: giving up',
    );
    expect(await observe(input)).toMatchObject({ progress: 'failed' });
    await launch(input);
    expect(computer.started).toBe(1);
  });
});

describe('a host that cannot be used', () => {
  it.each(['Unreachable', 'HostKeyMismatch', 'AuthenticationFailed', 'SudoRefused'] as const)(
    'is reported (%s), and another is used instead',
    async (reason) => {
      (await world.addHost('a')).trouble = new HostError(reason, 'it is so');
      const other = await world.addHost('b');
      await launch(await world.addMachine('m'));
      expect(other.started).toBe(1);
      expect(await reachableOf('a')).toMatchObject({ status: 'False', reason, message: 'it is so' });
      expect((await world.host('a'))?.status?.claim).toBeUndefined();
    },
  );

  it('is not claimed if it already belongs to a cluster', async () => {
    (await world.addHost('a')).hasKubelet = true;
    (await world.addHost('b')).owner = 'other';
    await expect(launch(await world.addMachine('m'))).rejects.toThrow(
      /none of the 2 Hosts .*: 2 cannot be used now; Host a: the host is a node of a cluster already.*; Host b: the host is marked as belonging to another HostMachine/,
    );
    expect((await world.machine('m'))?.status?.host).toBeUndefined();
  });

  it('keeps its machine waiting if it is already claimed', async () => {
    const computer = await world.addHost('a');
    await world.addHost('b');
    const input = await world.addMachine('m');
    await launch(input);
    computer.trouble = new HostError('Unreachable', 'gone');
    await expect(observe(input)).rejects.toThrow('Host a: gone');
    expect((await world.host('a'))?.status?.claim).toBeDefined();
    expect((await world.host('b'))?.status?.claim).toBeUndefined();
  });

  it('is not released while it does not answer, unless an administrator requests it', async () => {
    const computer = await world.addHost('a');
    const input = await world.addMachine('m');
    await launch(input);
    computer.trouble = new HostError('Unreachable', 'gone');
    await expect(release(input)).rejects.toThrow('Host a cannot be reset: gone');
    const { claim } = (await world.host('a'))?.status ?? {};
    expect((await conditionOf('m', 'HostReady')).message).toContain(`${RELEASE_ANNOTATION}=${claim?.uid}`);

    await world.objects.mutate(kinds.host, { namespace: 'default', name: 'a' }, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { [RELEASE_ANNOTATION]: claim?.uid ?? '' } },
    }));
    expect(await release(input)).toMatchObject({ progress: 'done' });
    expect((await world.host('a'))?.status?.claim).toBeUndefined();
    expect((await world.host('a'))?.metadata.annotations ?? {}).toEqual({});
    expect(await world.reasons()).toContain('HostReleasedByHand');
  });

  it('is reset again if the first reset failed', async () => {
    const computer = await world.addHost('a');
    const input = await world.addMachine('m');
    await launch(input);
    computer.resets = ['failed'];
    computer.words = 'windlass: a kubelet still runs\n';
    await expect(release(input)).rejects.toThrow('the reset has failed: windlass: a kubelet still runs');
    expect((await world.host('a'))?.status?.claim).toBeDefined();
    expect(await release(input)).toMatchObject({ progress: 'done' });
  });
});

describe('bootstrap data', () => {
  it.each([
    ['users: [{name: a}]', 'users cannot be applied to hosts that exist'],
    ['write_files: [{path: a}]', 'write_files.0.path is not as cloud-init expects it'],
    ['write_files: [{path: /a, encoding: rot13}]', 'the encoding of /a must be base64 or gzip+base64'],
  ])('are refused if they cannot be applied to a host: %s', async (yaml, says) => {
    const computer = await world.addHost('a');
    const input = await world.addMachine('m', { data: `#cloud-config\n${yaml}\n` });
    await expect(launch(input)).rejects.toThrow(says);
    expect(computer.started).toBe(0);
    expect((await world.machine('m'))?.spec.providerID).toBeUndefined();
  });

  it('may contain the host name as a variable, and no other variable', async () => {
    const computer = await world.addHost('a');
    const data = "## template: jinja\n#cloud-config\nruncmd: ['echo {{ v1.local_hostname }}']\n";
    await launch(await world.addMachine('m', { data }));
    expect(computer.payload).toBe(`run ${btoa('echo node\n')}\n`);

    await world.addHost('b');
    const other = await world.addMachine('n', { data: data.replace('v1.local_hostname', 'cycler.__init__') });
    await expect(launch(other)).rejects.toThrow('has the variable cycler.__init__, which is not known on hosts');
  });
});

describe('a cluster on hosts', () => {
  const endpoint = () => world.steps().endpoint(world.cluster, CONTEXT);
  const at = { namespace: 'default', name: 'red' };

  it('requires an endpoint, and reports the zones of the Hosts', async () => {
    await world.addHost('a');
    await world.objects.mutate(kinds.host, { namespace: 'default', name: 'a' }, (current) => ({
      ...current,
      metadata: { ...current.metadata, labels: { 'topology.kubernetes.io/zone': 'z' } },
    }));
    expect(await endpoint()).toEqual({ ready: false });
    const before = await world.objects.get(kinds.hostCluster, at);
    expect(before?.status?.conditions?.[0]?.message).toContain('spec.controlPlaneEndpoint.host');

    await world.objects.mutate(kinds.hostCluster, at, (current) => ({
      ...current,
      spec: { controlPlaneEndpoint: { host: 'api.example.com', port: 6443 } },
    }));
    expect(await endpoint()).toEqual({ ready: true });
    const after = await world.objects.get(kinds.hostCluster, at);
    expect(after?.status).toMatchObject({ ready: true, failureDomains: { z: { controlPlane: true } } });
  });
});
