import { beforeEach, describe, expect, it } from 'vitest';
import type { CallExtension } from '../../../shared/extensions/transport.ts';
import { classWith } from '../../../shared/kinds/cluster-class/test-class.ts';
import { type ExtensionConfig, KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { silentLog } from '../../../shared/log.ts';
import { UnansweredError } from '../../../shared/plan/hooks/error.ts';
import { systemRandom } from '../../../shared/random.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import { createMemoryPledges } from '../../../shared/store/work/memory-pledges.ts';
import { startRun } from '../run.ts';
import { discoverExtensions } from './extensions.ts';

const HOUR = '2026-01-01T10:00:00Z';
const key = { namespace: '', name: 'policy' };

let clock: ReturnType<typeof testClock>;
let objects: ObjectClient;
let asked: number;
let answer: object | Error;
let answerSeconds: number;

const callExtension: CallExtension = async () => {
  asked += 1;
  clock.advance(answerSeconds);
  if (answer instanceof Error) throw answer;
  return answer;
};

const sweep = async () => {
  const run = startRun({ log: silentLog, pledges: createMemoryPledges({ clock }) });
  await discoverExtensions({ objects, clock, sweepMinutes: 5, callExtension }, run);
  return run.faults;
};

const found = async () => {
  const config = await objects.get(kinds.extensionConfig, key);
  const condition = config?.status?.conditions?.find(({ type }) => type === 'Discovered');
  return { handlers: config?.status?.handlers?.map(({ name }) => name), status: condition?.status, condition };
};

const change = (how: (config: ExtensionConfig) => ExtensionConfig) => objects.mutate(kinds.extensionConfig, key, how);

beforeEach(async () => {
  clock = testClock('2026-01-01T10:30:00Z');
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  objects = createObjectClient(registry);
  asked = 0;
  answerSeconds = 0;
  const requestHook = { apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1', hook: 'BeforeClusterCreate' };
  answer = { status: 'Success', handlers: [{ name: 'quota', requestHook }] };
  await objects.ensure(kinds.extensionConfig, {
    apiVersion: 'runtime.cluster.x-k8s.io/v1beta2',
    kind: 'ExtensionConfig',
    metadata: { name: 'policy' },
    spec: { clientConfig: { url: 'arn:aws:lambda:us-east-1:123456789012:function:policy' } },
  });
});

describe('a sweep over extensions', () => {
  it('discovers a new one, and does not repeat that for an hour', async () => {
    expect(await sweep()).toEqual([]);
    expect(await found()).toMatchObject({ handlers: ['quota.policy'], status: 'True' });
    await sweep();
    expect(asked).toBe(1);
    clock = testClock(HOUR);
    await sweep();
    expect(asked).toBe(2);
  });

  it('discovers a changed one again', async () => {
    await sweep();
    await change((config) => ({ ...config, spec: { ...config.spec, settings: { a: 'b' } } }));
    await sweep();
    expect(asked).toBe(2);
    expect((await found()).condition?.observedGeneration).toBe(2);
  });

  it('keeps the handlers of one that does not answer, reports it, and retries', async () => {
    await sweep();
    await change((config) => ({ ...config, spec: { ...config.spec, settings: { a: 'b' } } }));
    answer = new UnansweredError('http call failed: the connection was refused');
    await sweep();
    expect(await found()).toMatchObject({
      handlers: ['quota.policy'],
      status: 'False',
      condition: {
        reason: 'NotDiscovered',
        message:
          'Error in discovery: failed to discover extension "policy": http call failed: the connection was refused',
      },
    });
    await sweep();
    expect(asked).toBe(3);
  });

  it('ignores a paused one', async () => {
    await change((config) => ({
      ...config,
      metadata: { ...config.metadata, annotations: { 'cluster.x-k8s.io/paused': '' } },
    }));
    await sweep();
    expect(asked).toBe(0);
    const config = await objects.get(kinds.extensionConfig, key);
    expect(config?.status?.conditions).toEqual([expect.objectContaining({ type: 'Paused', status: 'True' })]);
  });

  it('discovers the variables of classes whose patches define some', async () => {
    const external = { generatePatchesExtension: 'x.policy', discoverVariablesExtension: 'quota.policy' };
    const classes = { plain: classWith({}), discovering: classWith({ patches: [{ name: 'one', external }] }) };
    for (const [name, clusterClass] of Object.entries(classes))
      await objects.ensure(kinds.clusterClass, { ...clusterClass, metadata: { namespace: 'a', name } });
    await sweep();
    const ready = async (name: string) =>
      (await objects.get(kinds.clusterClass, { namespace: 'a', name }))?.status?.conditions?.find(
        ({ type }) => type === 'VariablesReady',
      );
    // The handler belongs to another hook.
    expect((await ready('discovering'))?.message).toBe(
      'VariableDiscovery failed: failed to call DiscoverVariables for patch one: failed to call extension handler "quota.policy": handler does not match GroupHook "DiscoverVariables"',
    );
    expect(await ready('plain')).toMatchObject({ status: 'True' });
  });

  it('stops calling slow handlers for classes after twenty seconds', async () => {
    const requestHook = { apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1', hook: 'DiscoverVariables' };
    answer = { status: 'Success', handlers: [{ name: 'quota', requestHook }] };
    await sweep();
    const external = { generatePatchesExtension: 'x.policy', discoverVariablesExtension: 'quota.policy' };
    const patches = Array.from({ length: 10 }, (_, index) => ({ name: `p${index}`, external }));
    await objects.ensure(kinds.clusterClass, { ...classWith({ patches }), metadata: { namespace: 'a', name: 'slow' } });
    [asked, answerSeconds, answer] = [0, 8, { status: 'Success', variables: [] }];
    expect(await sweep()).toEqual([]);
    expect(asked).toBe(3);
    const slow = await objects.get(kinds.clusterClass, { namespace: 'a', name: 'slow' });
    const ready = slow?.status?.conditions?.find(({ type }) => type === 'VariablesReady');
    expect(ready?.message).toContain('the calls together took 20 seconds; they are tried again');
  });

  describe('with many classes in one namespace', () => {
    const classReady = async (namespace: string, name: string) =>
      (await objects.get(kinds.clusterClass, { namespace, name }))?.status?.conditions?.find(
        ({ type }) => type === 'VariablesReady',
      )?.status;

    beforeEach(async () => {
      const requestHook = { apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1', hook: 'DiscoverVariables' };
      answer = { status: 'Success', handlers: [{ name: 'quota', requestHook }] };
      await sweep();
      const external = { generatePatchesExtension: 'x.policy', discoverVariablesExtension: 'quota.policy' };
      const clusterClass = classWith({ patches: [{ name: 'one', external }] });
      const names = Array.from({ length: 20 }, (_, index) => ({ namespace: 'many', name: `c${index}` }));
      for (const metadata of [...names, { namespace: 'one', name: 'c' }])
        await objects.ensure(kinds.clusterClass, { ...clusterClass, metadata });
      [asked, answer] = [0, { status: 'Success', variables: [] }];
    });

    it('calls a few handlers in parallel', async () => {
      let [open, most] = [0, 0];
      const call: CallExtension = async () => {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return answer;
      };
      const run = startRun({ log: silentLog, pledges: createMemoryPledges({ clock }) });
      await discoverExtensions({ objects, clock, sweepMinutes: 5, callExtension: call }, run);
      expect(most).toBe(8);
      expect(await classReady('many', 'c19')).toBe('True');
    });

    it('handles a class of each namespace in turn, and does not change those that it has no time for', async () => {
      answerSeconds = 30;
      await sweep();
      expect(await classReady('one', 'c')).toBeDefined();
      const all = await Promise.all(Array.from({ length: 20 }, (_, index) => classReady('many', `c${index}`)));
      expect(all.filter((status) => status === undefined)).toHaveLength(13);
    });
  });

  it('does not discover the variables of a paused class', async () => {
    const external = { generatePatchesExtension: 'x.policy', discoverVariablesExtension: 'quota.policy' };
    const annotations = { 'cluster.x-k8s.io/paused': '' };
    const clusterClass = classWith({ patches: [{ name: 'one', external }] });
    await objects.ensure(kinds.clusterClass, { ...clusterClass, metadata: { namespace: 'a', name: 'c', annotations } });
    const before = await objects.get(kinds.clusterClass, { namespace: 'a', name: 'c' });
    await sweep();
    expect(await objects.get(kinds.clusterClass, { namespace: 'a', name: 'c' })).toEqual(before);
  });

  it('fails at the end for an error that the extension did not cause', async () => {
    answer = new TypeError('a defect');
    expect(await sweep()).toEqual([expect.any(TypeError)]);
  });
});
