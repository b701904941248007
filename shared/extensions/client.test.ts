import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExtensionConfig } from '../kinds/extension-config/schema.ts';
import { registrationsOf } from '../plan/hooks/registrations.ts';
import { makeClusterPems } from '../workload/test-server.ts';
import { callAll, discover } from './client.ts';
import { makeHttpsCall } from './https.ts';
import { startExtension, type TestExtension } from './test-extension.ts';

let extension: TestExtension;

const call = makeHttpsCall({ deadline: (ms) => AbortSignal.timeout(ms), reach: { loopback: true } });

beforeAll(async () => {
  extension = await startExtension();
});

afterAll(() => extension.close());

const config = (handlers: object[] = [], caBundle = extension.caBundle, url = `${extension.url}/prefix/`) =>
  ({
    apiVersion: 'runtime.cluster.x-k8s.io/v1beta2',
    kind: 'ExtensionConfig',
    metadata: { name: 'policy' },
    spec: { clientConfig: { url, caBundle }, settings: { a: '1', b: '2' } },
    status: { handlers },
  }) as ExtensionConfig;

const handler = (name: string, more: object = {}) => ({
  name: `${name}.policy`,
  requestHook: { apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1', hook: 'BeforeClusterCreate' },
  ...more,
});

const callWith = (handlers: object[], body: object = {}) =>
  callAll(call, registrationsOf([config(handlers)]), 'BeforeClusterCreate', { ...body });

const PATH = '/prefix/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclustercreate';
const FAILED = 'failed to call extension handlers for hook "BeforeClusterCreate.hooks.runtime.cluster.x-k8s.io": ';

describe('calls of extensions over HTTPS', () => {
  it("post the request with its settings to the handler's path", async () => {
    extension.asked.length = 0;
    extension.requests.length = 0;
    extension.answer = () => ({ body: { status: 'Success', message: 'well', retryAfterSeconds: 0 } });
    expect(await callWith([handler('Create', { timeoutSeconds: 3 })], { settings: { b: '3' } })).toEqual({
      message: 'well',
      retryAfterSeconds: 0,
    });
    expect(extension.asked).toEqual([`${PATH}/create?timeout=3s`]);
    expect(extension.requests).toEqual([
      {
        apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1',
        kind: 'BeforeClusterCreateRequest',
        settings: { a: '1', b: '3' },
      },
    ]);
  });

  it('combine all answers into one: the shortest wait and all messages', async () => {
    extension.answer = (path) => ({
      body: {
        status: 'Success',
        message: path.includes('/one') ? 'one' : 'two',
        retryAfterSeconds: path.includes('/one') ? 30 : 10,
      },
    });
    expect(await callWith([handler('two'), handler('one')])).toEqual({ message: 'one, two', retryAfterSeconds: 10 });
  });

  it("fail with the extension's answer, regardless of the policy", async () => {
    extension.answer = () => ({ body: { status: 'Failure', message: 'no quota' } });
    await expect(callWith([handler('one', { failurePolicy: 'Ignore' })])).rejects.toThrow(
      `${FAILED}failed to call extension handler "one.policy": got failure response with message: no quota`,
    );
    extension.answer = () => ({ body: {} });
    await expect(callWith([handler('one')])).rejects.toThrow('got unknown response status "" with message: ');
  });

  it('fail without quoting the answer if it is invalid', async () => {
    extension.answer = () => ({ code: 500, body: 'a secret' });
    await expect(callWith([handler('one')])).rejects.toThrow(
      `${FAILED}failed to call extension handler "one.policy": http call failed: got response with status code 500 != 200`,
    );
    extension.answer = () => ({ body: 'a secret' });
    await expect(callWith([handler('one')])).rejects.toThrow('http call failed: failed to decode response');
  });

  it('continue after a failure if the failure policy is Ignore', async () => {
    extension.answer = () => ({ code: 500, body: '' });
    expect(await callWith([handler('one', { failurePolicy: 'Ignore' })])).toEqual({
      message: '',
      retryAfterSeconds: 0,
    });
  });

  it('follow no redirect', async () => {
    extension.asked.length = 0;
    extension.answer = () => ({ code: 307, body: '', headers: { location: `${extension.url}/other` } });
    await expect(callWith([handler('one')])).rejects.toThrow('status code 307 != 200');
    expect(extension.asked).toHaveLength(1);
  });

  it('end after the timeout of the handler', async () => {
    extension.answer = () => ({ body: undefined });
    await expect(callWith([handler('one', { timeoutSeconds: 1 })])).rejects.toThrow('http request timeout expired');
  });

  it('trust only the CA bundle', async () => {
    const other = Buffer.from((await makeClusterPems()).ca.certificatePem).toString('base64');
    await expect(discover(call, config([], other))).rejects.toThrow(
      'failed to discover extension "policy": http call failed: its certificate is not signed by the authority of spec.clientConfig.caBundle',
    );
  });

  it('do not connect to special addresses, by number or by name', async () => {
    const guarded = makeHttpsCall({
      deadline: (ms) => AbortSignal.timeout(ms),
      reach: { loopback: false },
      resolve: async () => [{ address: '169.254.169.254', family: 4 }],
    });
    await expect(discover(guarded, config([]))).rejects.toThrow('the address 127.0.0.1 is a loopback address');
    await expect(discover(guarded, config([], extension.caBundle, 'https://hooks.example.com'))).rejects.toThrow(
      'its name resolves to an address that is a link-local, metadata or other special address',
    );
  });
});

describe('discovery', () => {
  const found = (handlers: object[]) => {
    extension.answer = () => ({ body: { status: 'Success', handlers } });
    return discover(call, config());
  };
  const requestHook = { apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1', hook: 'GeneratePatches' };

  it('qualifies handler names with the name of the ExtensionConfig, and fills in defaults', async () => {
    extension.asked.length = 0;
    expect(await found([{ name: 'patch', requestHook }])).toEqual([
      { name: 'patch.policy', requestHook, timeoutSeconds: 10, failurePolicy: 'Fail' },
    ]);
    expect(extension.asked).toEqual(['/prefix/hooks.runtime.cluster.x-k8s.io/v1alpha1/discovery?timeout=10s']);
  });

  it.each([
    [[{ name: 'a.b', requestHook }], 'handler name a.b is not valid: [must not contain dots]'],
    [[{ name: 'a', requestHook, timeoutSeconds: 31 }], 'handler a timeoutSeconds 31 must be between 0 and 30'],
    [[{ name: 'a', requestHook, failurePolicy: 'Hope' }], 'handler a failurePolicy Hope must equal "Ignore" or "Fail"'],
    [
      [{ name: 'a', requestHook: { ...requestHook, hook: 'BeforeLunch' } }],
      'handler a requestHook hooks.runtime.cluster.x-k8s.io/v1alpha1/BeforeLunch is not in the Runtime SDK catalog',
    ],
    [
      [
        { name: 'a', requestHook },
        { name: 'a', requestHook },
      ],
      'duplicate name for handler a found',
    ],
  ])('refuses %j', async (handlers, why) => {
    await expect(found(handlers)).rejects.toThrow(
      `failed to discover extension "policy": failed to validate discovery response: ${why}`,
    );
  });

  it("reports the extension's own message", async () => {
    extension.answer = () => ({ body: { status: 'Failure', message: 'not yet' } });
    await expect(discover(call, config())).rejects.toThrow(
      /^failed to discover extension "policy": got failure response with message: not yet$/,
    );
  });
});
