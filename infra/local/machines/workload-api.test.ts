import { request } from 'node:https';
import { type CoreV1Api, KubernetesObjectApi } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectApi } from './kubeadm/api-client.ts';
import { makeSigningRequest } from './kubeadm/signing-request.ts';
import { bodyFor, createTestWorld, eventually, plainUserData, type TestWorld, TOKENS } from './test-world.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('the API of a simulated workload cluster', () => {
  let world: TestWorld;
  let admin: CoreV1Api;
  let first: string;
  const consoleOf = (id: string): string => world.fleet.console(id).join('\n');

  beforeAll(async () => {
    world = await createTestWorld();
    first = world.launch(plainUserData(bodyFor(world, 'init')));
    admin = (await world.admin()).api;
    await eventually(
      async () => consoleOf(first).includes('initialized successfully'),
      () => consoleOf(first),
    );
  });
  afterAll(() => world.close());

  const connect = (token?: string) =>
    connectApi({
      endpoint: `${world.endpoint.host}:${world.endpoint.port}`,
      ca: world.certificates.ca.certificatePem,
      ...(token ? { token } : {}),
    });

  it('serves cluster-info and health to anyone, and nothing else', async () => {
    const api = connect();
    const info = await api.call('GET', '/api/v1/namespaces/kube-public/configmaps/cluster-info');
    expect(Object.keys(info.data as object)).toContain(`jws-kubeconfig-${TOKENS[0].slice(0, 6)}`);
    expect(await api.call('GET', '/version')).toMatchObject({ gitVersion: 'v1.34.0' });
    await expect(api.call('GET', '/api/v1/nodes')).rejects.toThrow(
      'nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope',
    );
    await expect(api.call('GET', '/apis')).rejects.toThrow('User "system:anonymous" cannot get path "/apis"');
    await expect(connect('aaaaaa.ffffffffffffffff').call('GET', '/version')).rejects.toThrow('Unauthorized');
    api.close();
  });

  const putToken = (id: string, expiration: string) =>
    admin.createNamespacedSecret({
      namespace: 'kube-system',
      body: {
        metadata: { name: `bootstrap-token-${id}` },
        type: 'bootstrap.kubernetes.io/token',
        data: {
          'token-id': base64(id),
          'token-secret': base64('0123456789abcdef'),
          'usage-bootstrap-authentication': base64('true'),
          'usage-bootstrap-signing': base64('true'),
          'auth-extra-groups': base64('system:bootstrappers:kubeadm:default-node-token'),
          expiration: base64(expiration),
        },
      },
    });

  it('lets a machine join with a token that was created later', async () => {
    await putToken('laterr', '2999-01-01T00:00:00Z');
    const id = world.launch(plainUserData(bodyFor(world, 'worker', 'laterr.0123456789abcdef')));
    await eventually(
      async () => consoleOf(id).includes('Successfully registered node'),
      () => consoleOf(id),
    );
  });

  it('removes an expired token, and refuses it', async () => {
    await putToken('olderr', '2020-01-01T00:00:00Z');
    const api = connect('olderr.0123456789abcdef');
    await expect(api.call('GET', '/api/v1/nodes/x')).rejects.toThrow('Unauthorized');
    api.close();
    await eventually(
      async () => {
        const { items } = await admin.listNamespacedSecret({ namespace: 'kube-system' });
        return items.every(({ metadata }) => metadata?.name !== 'bootstrap-token-olderr');
      },
      () => 'the token is still there',
    );
  });

  it('records who requests a certificate, and signs only for bootstrap tokens', async () => {
    const { config } = await world.admin();
    const objects = KubernetesObjectApi.makeApiClient(config);
    const { requestPem } = await makeSigningRequest('intruder');
    const created = (await objects.create({
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'forged' },
      spec: {
        request: base64(requestPem),
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        groups: ['system:bootstrappers:kubeadm:default-node-token'],
      },
    } as never)) as { spec: { username: string; groups: string[] }; status?: unknown };
    expect(created.spec).toMatchObject({
      username: 'kubernetes-admin',
      groups: ['system:masters', 'system:authenticated'],
    });
    expect(created.status).toBeUndefined();
  });

  it('prints nodes in the format of kubectl', async () => {
    const { config } = await world.admin();
    const user = config.getCurrentUser();
    const table = await new Promise<string>((resolve, reject) => {
      const sent = request(
        `https://${world.endpoint.host}:${world.endpoint.port}/api/v1/nodes/ip-10-0-0-10.ec2.internal`,
        {
          ca: world.certificates.ca.certificatePem,
          cert: Buffer.from(user?.certData ?? '', 'base64'),
          key: Buffer.from(user?.keyData ?? '', 'base64'),
          headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve(text));
        },
      );
      sent.on('error', reject).end();
    });
    const { columnDefinitions, rows } = JSON.parse(table);
    const names = columnDefinitions.map(({ name }: { name: string }) => name);
    const cells = Object.fromEntries(names.map((name: string, index: number) => [name, rows[0].cells[index]]));
    expect(cells).toMatchObject({
      Name: 'ip-10-0-0-10.ec2.internal',
      Status: 'Ready',
      Roles: 'control-plane',
      Version: 'v1.34.0',
      'Internal-IP': '10.0.0.10',
      'External-IP': '<none>',
      'OS-Image': 'Ubuntu 24.04.3 LTS',
    });
  });

  it('loses its state with the last control plane machine', async () => {
    world.setState(first, 'terminated');
    await eventually(
      async () => {
        const outcome = await world.nodes().then(
          () => 'answers',
          () => 'gone',
        );
        return outcome === 'gone';
      },
      () => 'the API still answers',
    );
    const second = world.launch(plainUserData(bodyFor(world, 'init')));
    await eventually(
      async () => consoleOf(second).includes('initialized successfully'),
      () => consoleOf(second),
    );
    expect((await world.nodes()).map(({ metadata }) => metadata?.name)).toEqual(['ip-10-0-0-12.ec2.internal']);
  });
});
