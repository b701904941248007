import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { testCertificates } from '../../shared/bootstrap/certificates/fixtures.ts';
import { type AWSCluster, type AWSMachine, kinds, type Machine, type Secret } from '../../shared/kinds/index.ts';
import { planIgnition } from '../providers/aws/instance/ignition.ts';
import { makeMachines } from './test-machines.ts';

const certificates = await testCertificates();
const WORKER = { namespace: 'default', name: 'w-1' };

/** Launches a worker whose bootstrap data is a user's Secret. */
const launch = async (
  value: Uint8Array,
  infrastructure: { cloudInit?: object; ignition?: object; annotations?: Record<string, string> } = {},
) => {
  const stored: Uint8Array[] = [];
  const bootstrapSecrets = {
    create: async ({ data }: { data: Uint8Array }) => void stored.push(data),
    delete: async () => 'gone' as const,
  };
  const world = await makeMachines({ certificates, ...infrastructure, bootstrapSecrets });
  const format = infrastructure.ignition ? 'ignition' : 'cloud-config';
  const data = { value: Buffer.from(value).toString('base64'), format: btoa(format) };
  await world.put({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name: 'mine' },
    data,
  } as Secret);
  await world.objects.mutate(
    kinds.machine,
    WORKER,
    (current): Machine => ({ ...current, spec: { ...current.spec, bootstrap: { dataSecretName: 'mine' } } }),
  );
  await world.objects.mutate(
    kinds.awsMachine,
    WORKER,
    (current): AWSMachine => ({
      ...current,
      metadata: {
        ...current.metadata,
        annotations: { ...current.metadata.annotations, ...infrastructure.annotations },
      },
    }),
  );
  await world.provision('w-1');
  const { status } = (await world.objects.get(kinds.machine, WORKER)) ?? {};
  return {
    userData: Buffer.from(world.launched[0]?.UserData ?? '', 'base64'),
    stored: Buffer.concat(stored),
    messages: status?.conditions?.map(({ message }) => message).join('\n'),
  };
};

const BODY = '#cloud-config\nruncmd: []\n';

it.each([true, false])('includes no other data on a stock image: %s', async (isStock) => {
  const annotations = { 'windlass.dev/install-kubernetes': String(isStock) };
  const { userData } = await launch(Buffer.from(BODY), { annotations });
  expect(userData.toString()).toContain('#cloud-boothook');
  expect(userData.toString().includes('text/x-include-url')).toBe(!isStock);
});

it('puts compressed data of the user into the user data unchanged', async () => {
  const value = gzipSync(BODY);
  expect((await launch(value, { cloudInit: { insecureSkipSecretsManager: true } })).userData).toEqual(value);
});

it.each([{}, { secureSecretsBackend: 'ssm-parameter-store' }])(
  'stores compressed data of the user as the document that cloud-init reads: %j',
  async (cloudInit) => {
    expect(gunzipSync((await launch(gzipSync(BODY), { cloudInit })).stored).toString()).toBe(BODY);
    expect(gunzipSync((await launch(Buffer.from(BODY), { cloudInit })).stored).toString()).toBe(BODY);
  },
);

it('does not launch a machine whose compressed data are damaged', async () => {
  const { userData, messages } = await launch(gzipSync(BODY).subarray(0, 20));
  expect(userData).toHaveLength(0);
  expect(messages).toContain('spec.bootstrap.dataSecretName: names a Secret whose value is damaged gzip');
});

it('does not decode data for Ignition', async () => {
  const value = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
  const ignition = { storageType: 'UnencryptedUserData' };
  expect((await launch(value, { ignition })).userData).toEqual(value);

  const machine = { metadata: { name: 'w-1' } } as Machine;
  const awsMachine = { metadata: { name: 'w-1', uid: 'uid' }, spec: {} } as AWSMachine;
  const bucket = { spec: { s3Bucket: { name: 'bucket' } } } as AWSCluster;
  expect(planIgnition(value, machine, awsMachine, bucket).object?.body).toBe(value);
});
