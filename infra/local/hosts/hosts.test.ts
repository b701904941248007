/** Simulated hosts, reached by the provider's own SSH client. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRunOnHost } from '../../../functions/providers/hosts/ssh/connect.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { Host } from '../../../shared/kinds/index.ts';
import { silentLog } from '../../../shared/log.ts';
import { type HostVerb, hostCommand } from '../../../shared/providers/hosts/boot/agent.ts';
import { readCheck, readJob } from '../../../shared/providers/hosts/boot/answer.ts';
import { readCloudConfig } from '../../../shared/providers/hosts/boot/cloud-config.ts';
import { payloadOf } from '../../../shared/providers/hosts/boot/payload.ts';
import { systemRandom } from '../../../shared/random.ts';
import { TEST_SUBNET } from '../../../shared/test-subnet.ts';
import { type Hosts, startHosts } from './hosts.ts';

const options = {
  ...{ subnet: TEST_SUBNET, bootMilliseconds: 1, retryMilliseconds: 5 },
  ...{ clock: systemClock, random: systemRandom, log: silentLog },
};
const runOnHost = makeRunOnHost({ reach: { loopback: true }, deadline: () => AbortSignal.timeout(10_000) });

let hosts: Hosts;
beforeAll(async () => {
  hosts = await startHosts({ ...options, count: 2 });
});
afterAll(() => hosts?.close());

const addressOf = (index: number, change: Partial<Host['spec']> = {}) => {
  const { spec } = hosts.objects[index + 1] as Host;
  const { data } = hosts.objects[0] as unknown as { data: Record<string, string> };
  const privateKey = Buffer.from(data['ssh-privatekey'] ?? '', 'base64');
  return { ...spec, port: spec.port ?? 22, user: spec.user ?? '', privateKey, ...change };
};

const ask = (verb: HostVerb, uid: string, argument = '', input = '') =>
  runOnHost(addressOf(0), hostCommand(verb, 'admin', uid, argument), input);

const job = async (...question: Parameters<typeof ask>) => readJob(await ask(...question));

const ended = async (verb: 'poll' | 'reset', uid: string) => {
  for (;;) {
    const found = await job(verb, uid);
    if (found?.state !== 'running') return found;
  }
};

const payload = (runcmd: string) =>
  payloadOf(readCloudConfig(`#cloud-config\nwrite_files:\n- {path: /etc/a, content: x}\nruncmd:\n- ${runcmd}\n`));

const DONE = payload('echo success > /run/cluster-api/bootstrap-success.complete');

describe('a simulated host', () => {
  it('runs a boot script once, and is free after a reset', async () => {
    expect(readCheck(await ask('check', 'one'))).toEqual({
      ...{ owner: '', hostname: 'host-1', address: `${TEST_SUBNET}.1`, hasKubelet: false },
    });
    expect((await job('start', 'one', DONE.sha256, DONE.text))?.state).toBe('running');
    expect((await ended('poll', 'one'))?.state).toBe('done');
    expect((await job('start', 'one', 'another', 'script'))?.state).toBe('done');
    expect(readCheck(await ask('check', 'two'))).toMatchObject({ owner: 'one', hasKubelet: true });
    expect((await job('start', 'two', DONE.sha256, DONE.text))?.state).toBe('foreign');
    expect((await job('reset', 'two'))?.state).toBe('foreign');
    expect((await ended('reset', 'one'))?.state).toBe('free');
    expect(readCheck(await ask('check', 'two'))).toMatchObject({ owner: '', hasKubelet: false });
    // A delayed start that arrives after the host was released.
    expect((await job('start', 'one', DONE.sha256, DONE.text))?.state).toBe('foreign');
  });

  it('runs nothing of a truncated payload', async () => {
    expect((await job('start', 'three', DONE.sha256, DONE.text.slice(0, -9)))?.state).toBe('incomplete');
    expect((await job('start', 'three', DONE.sha256, DONE.text))?.state).toBe('running');
    expect((await ended('poll', 'three'))?.state).toBe('done');
    expect((await ended('reset', 'three'))?.state).toBe('free');
  });

  it.each([
    ['kubeadm join --config /missing && echo success > /run/cluster-api/bootstrap-success.complete', 1, 'no such file'],
    ['"true || echo success > /run/cluster-api/bootstrap-success.complete"', 74, 'did not report success'],
  ])('reports how a boot script failed: %s', async (runcmd, exitCode, words) => {
    const { sha256, text } = payload(runcmd);
    await ask('start', `failing-${exitCode}`, sha256, text);
    const failed = await ended('poll', `failing-${exitCode}`);
    expect(failed).toMatchObject({ state: 'failed', exitCode });
    expect(failed?.words).toContain(words);
    expect((await ended('reset', `failing-${exitCode}`))?.state).toBe('free');
  });

  it.each([
    [{ user: 'root' }, 'AuthenticationFailed'],
    [{ hostKey: () => addressOf(1).hostKey }, 'HostKeyMismatch'],
    [{ port: 1 }, 'Unreachable'],
  ])('refuses logins with a wrong %o', async (change, reason) => {
    const { hostKey, ...others } = { hostKey: undefined, ...change };
    const address = addressOf(0, { ...others, ...(hostKey ? { hostKey: hostKey() } : {}) });
    await expect(runOnHost(address, 'uptime', '')).rejects.toMatchObject({ reason });
  });

  it('executes no other commands', async () => {
    expect(await runOnHost(addressOf(1), 'uptime', '')).toBe('');
  });

  it('is refused if another program uses its address', async () => {
    await expect(startHosts({ ...options, count: 1 })).rejects.toThrow(
      `a simulated host cannot listen on ${TEST_SUBNET}.1:2222 (EADDRINUSE): another program listens there; stop it`,
    );
  });
});
