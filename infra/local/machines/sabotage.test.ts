import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { generateAuthority } from '../../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';
import { bodyFor, createTestWorld, eventually, plainUserData, TOKENS } from './test-world.ts';

const generateOther = () =>
  generateAuthority({ algorithm: 'ECDSA-P256', clock: systemClock, random: systemRandom, keys: webCryptoKeys });

/** Each test has its own world, so that the tests can wait in parallel. */
const makeScene = async () => {
  const world = await createTestWorld();
  const consoleOf = (id: string): string => world.fleet.console(id).join('\n');
  const said = (id: string, text: string): Promise<boolean> =>
    eventually(
      async () => consoleOf(id).includes(text),
      () => consoleOf(id),
    ) as Promise<boolean>;
  return {
    world,
    consoleOf,
    said,
    /** Launches the body and waits until its boot log says what it must. */
    expectFailure: async (body: string, reason: string): Promise<string> => {
      const id = world.launch(plainUserData(body));
      await said(id, reason);
      expect(consoleOf(id)).not.toContain('bootstrap-success.complete');
      return id;
    },
    launchFirst: async (): Promise<void> => {
      await said(world.launch(plainUserData(bodyFor(world, 'init'))), 'initialized successfully');
    },
    names: async (): Promise<string[]> => (await world.nodes()).map(({ metadata }) => metadata?.name ?? ''),
  };
};

const inScene =
  <Case>(run: (scene: Awaited<ReturnType<typeof makeScene>>, given: Case) => Promise<void>) =>
  async (given: Case): Promise<void> => {
    const scene = await makeScene();
    try {
      await run(scene, given);
    } finally {
      await scene.world.close();
    }
  };

describe.concurrent('user data', () => {
  it.each([
    {
      what: 'the hash of another CA',
      change: (body: string) => body.replace(/sha256:[0-9a-f]{64}/, `sha256:${'0'.repeat(64)}`),
      reason: 'cluster CA found in cluster-info ConfigMap is invalid: none of the public keys',
    },
    {
      what: 'a token with the wrong secret',
      change: (body: string) => body.replaceAll(TOKENS[0], 'aaaaaa.ffffffffffffffff'),
      reason: 'failed to verify JWS signature of received cluster info object',
    },
    {
      what: 'a token that does not exist',
      change: (body: string) => body.replaceAll(TOKENS[0], 'zzzzzz.ffffffffffffffff'),
      reason:
        'error: error execution phase preflight: couldn\'t validate the identity of the API Server: could not find a JWS signature in the cluster-info ConfigMap for token ID "zzzzzz"',
    },
    {
      what: 'an endpoint that does not respond',
      change: (body: string) => body.replace(/apiServerEndpoint: \S+/, 'apiServerEndpoint: 127.0.0.1:9'),
      reason: 'dial tcp 127.0.0.1:9: connect: connection refused',
    },
    {
      what: 'a label that the kubelet may not set on its node',
      change: (body: string) => body.replace('example.com/pool=blue', 'node-role.kubernetes.io/worker='),
      reason: "unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels",
    },
    {
      what: 'a cloud provider that was removed from Kubernetes',
      change: (body: string) => body.replace('node-labels', 'cloud-provider').replace('example.com/pool=blue', 'aws'),
      reason: 'cloud provider "aws" was specified, but built-in cloud providers are disabled',
    },
    {
      what: 'a variable that the instance data do not have',
      change: (body: string) => body.replace('ds.meta_data.local_hostname', 'ds.meta_data.locl_hostname'),
      reason: 'nodeRegistration.name: Invalid value: "ci_missing_jinja_var/locl_hostname"',
    },
  ])(
    'with $what does not make a worker a node',
    inScene<{ change: (body: string) => string; reason: string }>(
      async ({ world, expectFailure, launchFirst, names }, { change, reason }) => {
        await launchFirst();
        const body = bodyFor(world, 'worker');
        expect(change(body)).not.toBe(body);
        await expectFailure(change(body), reason);
        expect(await names()).toEqual(['ip-10-0-0-10.ec2.internal']);
      },
    ),
  );

  it(
    'without a kubeadm command boots the machine, which never joins',
    inScene(async ({ world, expectFailure, launchFirst, names }) => {
      await launchFirst();
      const body = bodyFor(world, 'worker').replace(/- "bash .* kubeadm join .*$/m, '- systemctl start kubelet');
      expect(body).toContain('systemctl');
      await expectFailure(body, 'cloud-init: finished');
      expect(await names()).toHaveLength(1);
    }),
  );

  it(
    'with the key of another CA yields no API server',
    inScene(async ({ world, expectFailure }) => {
      const other = await generateOther();
      const { ca } = world.certificates;
      const indent = (pem: string): string => pem.trim().split('\n').join('\n      ');
      const body = bodyFor(world, 'init').replace(indent(ca.privateKeyPem), indent(other.privateKeyPem));
      expect(parse(body.split('\n').slice(1).join('\n')).write_files[1].content).toBe(other.privateKeyPem);
      await expectFailure(
        body,
        "/etc/kubernetes/pki/ca.key: x509: provided PrivateKey doesn't match parent's PublicKey",
      );
      await expect(world.nodes()).rejects.toThrow();
    }),
  );

  it(
    'without CA files yields an API server that the administrator does not trust',
    inScene(async ({ world, said }) => {
      const body = bodyFor(world, 'init').replaceAll('/etc/kubernetes/pki/ca.', '/etc/elsewhere/ca.');
      const id = world.launch(plainUserData(body));
      await said(id, 'initialized successfully');
      await expect(world.nodes()).rejects.toMatchObject({
        cause: expect.objectContaining({ message: expect.stringMatching(/certificate/) }),
      });
    }),
  );

  it(
    "with a CA that is not the cluster's yields no control plane machine",
    inScene(async ({ world, expectFailure, launchFirst, names }) => {
      await launchFirst();
      const pin = /sha256:[0-9a-f]{64}/;
      const right = pin.exec(bodyFor(world, 'worker'))?.[0] ?? '';
      const { ca } = world.certificates;
      Object.assign(world.certificates, { ca: await generateOther() });
      const body = bodyFor(world, 'control-plane', TOKENS[1]).replace(pin, right);
      Object.assign(world.certificates, { ca });
      await expectFailure(body, 'x509: certificate signed by unknown authority');
      expect(await names()).toHaveLength(1);
    }),
  );

  it(
    'with another etcd CA yields no etcd member',
    inScene(async ({ world, expectFailure, launchFirst }) => {
      await launchFirst();
      const { etcd } = world.certificates;
      Object.assign(world.certificates, { etcd: await generateOther() });
      const body = bodyFor(world, 'control-plane', TOKENS[1]);
      Object.assign(world.certificates, { etcd });
      await expectFailure(body, 'error execution phase etcd-join');
    }),
  );

  it(
    'with a wrong control plane endpoint never completes the first machine',
    inScene(async ({ world, expectFailure, names }) => {
      const body = bodyFor(world, 'init').replace(/controlPlaneEndpoint: \S+/, 'controlPlaneEndpoint: 127.0.0.1:9');
      await expectFailure(body, 'error: error execution phase wait-control-plane: GET "https://127.0.0.1:9/readyz"');
      await eventually(
        async () => (await names()).length === 0,
        () => 'the API answers',
      );
    }),
  );

  it(
    'must install kubeadm on a stock image of the distribution',
    inScene(async ({ world, consoleOf, said }) => {
      const imageName = 'ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-20260108';
      const without = world.launch(plainUserData(bodyFor(world, 'init')), { imageName });
      await said(without, 'error: kubeadm: command not found');
      const body = bodyFor(world, 'init', TOKENS[0], { install: 'v1.34.0' });
      const id = world.launch(plainUserData(body), { imageName });
      await said(id, 'initialized successfully');
      expect(consoleOf(id)).toContain('installed kubelet, kubeadm and kubectl v1.34.0');
    }),
  );

  it(
    "for a newer version than the image's fails with a message that says so",
    inScene(async ({ world, said }) => {
      const id = world.launch(plainUserData(bodyFor(world, 'init')), { imageName: 'capa-ami-ubuntu-22.04-v1.33.2-17' });
      const reason = 'the Kubernetes version v1.34.0 is newer than kubeadm and kubelet v1.33.2 of the image';
      await said(id, reason);
    }),
  );
});
