import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { testCertificates } from '../../bootstrap/certificates/fixtures.ts';
import type { Resource } from '../../bootstrap/ignition/config.ts';
import { dataOf } from '../../bootstrap/ignition/decode.ts';
import { machineToken, tokenSeed } from '../../bootstrap/tokens.ts';
import { kinds, type Machine } from '../../kinds/index.ts';
import { LABEL } from '../../plan/labels.ts';
import type { BootstrapRequest } from '../distribution.ts';
import { kubeadm } from './distribution.ts';

const certificates = await testCertificates();
const seed = tokenSeed(certificates.ca.privateKeyPem);

const machineNamed = (name: string, isServer = false): Machine =>
  ({
    metadata: { name, uid: name, labels: isServer ? { [LABEL.controlPlane]: '' } : {} },
    spec: { version: 'v1.34.0' },
  }) as unknown as Machine;
const named = (count: number, name: string, isServer = false) =>
  Array.from({ length: count }, (_, index) => machineNamed(`${name}-${index}`, isServer));
const nodeRegistration = { name: '{{ ds.meta_data.local_hostname }}' };

/** All files of bootstrap data in the Ignition format; other data as they are. */
const readable = (body: string): string =>
  body.startsWith('{')
    ? (JSON.parse(body).storage.files as { contents: Resource }[]).map(({ contents }) => dataOf(contents)).join('\n')
    : body;

/** The bootstrap data of `cp-0`, whose cluster has these machines. Workers may come first, as in the store. */
const render = async (machines: Machine[], over: Partial<BootstrapRequest> = {}, spec: object = {}) => {
  const machine = machineNamed('cp-0', true);
  const request = {
    role: 'init',
    cluster: {
      metadata: { name: 'demo' },
      spec: { controlPlaneEndpoint: { host: 'demo-apiserver.elb.us-east-1.amazonaws.com', port: 6443 } },
    },
    machine,
    config: {
      kind: kinds.kubeadmConfig.kind,
      metadata: { name: 'cp-0' },
      spec: { initConfiguration: { nodeRegistration }, ...spec },
    },
    controlPlane: { metadata: { name: 'demo' }, spec: { version: 'v1.34.0' } },
    machines: async () => [...machines, machine],
    authority: async (purpose: 'ca' | 'etcd' | 'proxy' | 'sa') => certificates[purpose],
    secret: async () => undefined,
    configMap: async () => undefined,
    storedSecret: async () => undefined,
    ...over,
  } as unknown as BootstrapRequest;
  const { body } = await kubeadm.render(request);
  const text = readable(body);
  return { body, has: ({ metadata }: Machine): boolean => text.includes(machineToken(seed, metadata.uid ?? '')) };
};

describe('the data of the first machine', () => {
  it('contain the tokens of a cluster with 3 control plane machines and 10 workers', async () => {
    const others = [...named(10, 'worker'), ...named(2, 'server', true)];
    const { has } = await render(others);
    expect(others.filter((machine) => !has(machine))).toEqual([]);
  });

  it('contain a limited number of tokens, those of the control plane first', async () => {
    const others = [...named(500, 'worker'), ...named(4, 'server', true)];
    const { body, has } = await render(others);
    expect(others.filter(has)).toHaveLength(32);
    expect(others.slice(-4).every(has)).toBe(true);
    const again = await render([...named(1000, 'worker'), ...named(4, 'server', true)]);
    expect(again.body.length).toBe(body.length);
  });

  it('fit into the 16 KiB of compressed user data with 100 machines', async () => {
    const { body } = await render(named(100, 'worker'));
    expect(gzipSync(body, { level: 9 }).length).toBeLessThan(12 * 1024);
  });

  it('contain only the tokens that fit, those of the control plane first, in the Ignition format', async () => {
    const others = [...named(100, 'worker'), ...named(2, 'server', true)];
    const ignition = { format: 'ignition' };
    const alone = (await render([], {}, ignition)).body.length;
    const { body, has } = await render(others, { maxBytes: alone + 400 }, ignition);
    expect(body.length).toBeLessThanOrEqual(alone + 400);
    expect(others.filter(has).length).toBeLessThan(32);
    expect(others.slice(-2).every(has)).toBe(true);
    expect((await render(others, { maxBytes: 10 }, ignition)).body.length).toBe(alone);
    expect((await render(others, {}, ignition)).body.length).toBeGreaterThan(alone + 400);
  });
});
