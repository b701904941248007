/**
 * Mistakes in the bootstrap configuration of a machine. Each mistake is reported with its field on the objects where
 * users of Cluster API look; it launches nothing, reveals no secret, and is cleared once it is corrected.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type ClusterCertificates, generateAuthority } from '../../shared/bootstrap/certificates/authority.ts';
import { testCertificates, testDependencies } from '../../shared/bootstrap/certificates/fixtures.ts';
import { toSecret } from '../../shared/bootstrap/certificates/secrets.ts';
import { KINDS, type KubeadmConfig, kinds, type Secret } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { systemRandom } from '../../shared/random.ts';
import { MACHINES, type MachineName, type Machines, makeMachines } from './test-machines.ts';

const SECRET_TEXT = 'nobody may ever read this';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
let certificates: ClusterCertificates;
let expired: Awaited<ReturnType<typeof generateAuthority>>;

beforeAll(async () => {
  certificates = await testCertificates();
  const before = testDependencies('2020-01-01T00:00:00Z');
  expired = await generateAuthority({ ...before, algorithm: 'ECDSA-P256', days: 365 });
});

const at = (name: string) => ({ namespace: 'default', name });
type Spec = NonNullable<KubeadmConfig['spec']>;

const configure = (w: Machines, name: MachineName, spec: Spec | undefined) =>
  w.objects.mutate(kinds.kubeadmConfig, at(name), (config) => ({ ...config, spec }));

const userSecret = (name: string, data: Record<string, string>): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Secret', metadata: at(name), data }) as KubeObject;

const setSecret = (w: Machines, name: string, data: Record<string, string> | undefined) =>
  w.objects.mutate(kinds.secret, at(name), (secret) => ({ ...secret, data }) as Secret);

const setCa = (w: Machines, pair = certificates.ca) => setSecret(w, 'red-ca', toSecret('red', '', 'ca', pair).data);

const fromSecret = { files: [{ path: '/etc/x', contentFrom: { secret: { name: 'mine', key: 'x' } } }] };
/** Content that compression does not shorten enough. */
const noise = (): string => Buffer.from(systemRandom.bytes(7500)).toString('base64');
const long = { files: [1, 2, 3].map((n) => ({ path: `/etc/${n}`, content: `# ${noise()}` })) };

interface Case {
  mistake: string;
  cloudInit?: object;
  make(w: Machines, name: MachineName): Promise<unknown>;
  /** The object and condition that report it. */
  says: { on: 'KubeadmConfig' | 'AWSMachine'; type: string; reason: string; message: RegExp };
  /** The Machine's condition that repeats the message. */
  machine?: string;
  correct(w: Machines, name: MachineName): Promise<unknown>;
}

const data = (message: RegExp) =>
  ({ on: 'KubeadmConfig', type: 'DataSecretAvailable', reason: 'NotAvailable', message }) as const;
const keys = (message: RegExp) =>
  ({ on: 'KubeadmConfig', type: 'CertificatesAvailable', reason: 'NotAvailable', message }) as const;

const cases: Case[] = [
  {
    mistake: 'a secret that does not exist',
    make: (w, name) => configure(w, name, fromSecret),
    says: data(/^spec\.files\[0\]\.contentFrom\.secret: there is no secret "mine"/),
    correct: (w) => w.put(userSecret('mine', { x: base64(SECRET_TEXT) })),
  },
  {
    mistake: 'a missing key of a secret',
    make: async (w, name) => {
      await w.put(userSecret('mine', { y: base64(SECRET_TEXT) }));
      await configure(w, name, fromSecret);
    },
    says: data(/^spec\.files\[0\]\.contentFrom\.secret: secret "mine" has no key "x"/),
    correct: (w) => setSecret(w, 'mine', { x: base64(SECRET_TEXT) }),
  },
  {
    mistake: 'a missing key of the secret with a password',
    make: async (w, name) => {
      await w.put(userSecret('mine', {}));
      await configure(w, name, { users: [{ name: 'ada', passwdFrom: { secret: { name: 'mine', key: 'x' } } }] });
    },
    says: data(/^spec\.users\[0\]\.passwdFrom\.secret: secret "mine" has no key "x"/),
    correct: (w) => setSecret(w, 'mine', { x: base64(SECRET_TEXT) }),
  },
  {
    mistake: 'a template that is not understood',
    make: (w, name) =>
      configure(w, name, {
        files: [{ path: '/etc/x', contentFormat: 'Template', content: '{{ define "x" }}{{ end }}' }],
      }),
    says: data(/^spec\.files\[0\]\.contentFormat: the template uses define, which is not supported here/),
    correct: (w, name) =>
      configure(w, name, {
        files: [{ path: '/etc/x', contentFormat: 'Template', content: '{{ .controlPlane.version }}' }],
      }),
  },
  {
    mistake: 'a version that kubeadm does not support',
    make: (w, name) =>
      w.objects.mutate(kinds.machine, at(name), (m) => ({ ...m, spec: { ...m.spec, version: 'v1.21.0' } })),
    says: data(/^Machine spec\.version: v1\.21\.0 is too old/),
    correct: (w, name) =>
      w.objects.mutate(kinds.machine, at(name), (m) => ({ ...m, spec: { ...m.spec, version: 'v1.34.0' } })),
  },
  {
    mistake: 'user data over the limit of EC2',
    cloudInit: { insecureSkipSecretsManager: true },
    make: (w, name) => configure(w, name, long),
    says: {
      on: 'AWSMachine',
      type: 'InstanceReady',
      reason: 'InstanceProvisionFailed',
      message:
        /spec\.cloudInit\.insecureSkipSecretsManager: the user data has \d+ bytes when compressed, EC2 accepts 16384/,
    },
    machine: 'InfrastructureReady',
    correct: (w, name) => configure(w, name, undefined),
  },
  {
    mistake: 'a CA without its key',
    make: (w) => setCa(w, { ...certificates.ca, privateKeyPem: '' }),
    says: keys(/^secret default\/red-ca key tls\.key: is missing or empty/),
    correct: (w) => setCa(w),
  },
  {
    mistake: 'a CA with the key of another',
    make: (w) => setCa(w, { ...certificates.ca, privateKeyPem: certificates.etcd.privateKeyPem }),
    says: keys(/^secret default\/red-ca key tls\.key: does not belong to tls\.crt/),
    correct: (w) => setCa(w),
  },
  {
    mistake: 'an expired CA',
    make: (w) => setCa(w, expired),
    says: keys(/^secret default\/red-ca key tls\.crt: expired at 2020-12-31/),
    correct: (w) => setCa(w),
  },
];

const conditionOf = (object: KubeObject | undefined, type: string) =>
  (
    object as { status?: { conditions?: { type: string; reason?: string; status: string; message?: string }[] } }
  )?.status?.conditions?.find((condition) => condition.type === type);

const read = (w: Machines, kind: string, name: string): Promise<KubeObject | undefined> => {
  const resource = KINDS.find((known) => known.kind === kind);
  if (!resource) throw new Error(kind);
  return w.objects.get(resource, at(name));
};

/** Everything that users without access to Secrets can see. */
const visible = async (w: Machines): Promise<string> => {
  const others = KINDS.filter(({ kind }) => kind !== 'Secret');
  return JSON.stringify(await Promise.all(others.map((kind) => w.objects.list(kind))));
};

const RUNS = cases.flatMap((wrong) => MACHINES.map((name) => ({ ...wrong, name })));

describe('a machine that cannot be bootstrapped', () => {
  it.each(RUNS)(
    '$name: $mistake',
    async ({ name, cloudInit, make, says, machine = 'BootstrapConfigReady', correct }) => {
      const w = await makeMachines({ certificates, ...(cloudInit ? { cloudInit } : {}) });
      await make(w, name);
      await w.provision(name);

      const [config, chain, owner, cluster] = await Promise.all([
        read(w, says.on, name),
        read(w, 'Machine', name),
        read(w, 'KubeadmControlPlane', 'red'),
        read(w, 'Cluster', 'red'),
      ]);
      const said = conditionOf(config, says.type);
      expect(said).toMatchObject({ status: 'False', reason: says.reason });
      const repeated = new RegExp(says.message.source.replace('^', ''));
      expect(said?.message).toMatch(says.message);
      expect(conditionOf(chain, machine)).toMatchObject({ status: 'False', message: expect.stringMatching(repeated) });
      const [ready, role] = name === 'cp-1' ? ['ControlPlaneMachinesReady', 'cp'] : ['WorkerMachinesReady', 'w'];
      expect(conditionOf(cluster, ready)?.message).toMatch(repeated);
      if (role === 'cp') expect(conditionOf(owner, 'MachinesReady')?.message).toMatch(repeated);
      if (says.type === 'CertificatesAvailable') {
        expect(conditionOf(owner, 'CertificatesAvailable')).toMatchObject({ status: 'False' });
        expect(conditionOf(cluster, 'ControlPlaneAvailable')?.message).toMatch(repeated);
      }
      expect(w.launched).toEqual([]);

      await correct(w, name);
      await w.provision(name);
      expect(w.launched).toHaveLength(1);
      expect(conditionOf(await read(w, 'KubeadmConfig', name), 'Ready')).toMatchObject({ status: 'True' });
      expect(conditionOf(await read(w, 'Machine', name), 'BootstrapConfigReady')).toMatchObject({ status: 'True' });
      const shown = await visible(w);
      for (const secret of [SECRET_TEXT, 'PRIVATE KEY', 'CERTIFICATE-----']) expect(shown).not.toContain(secret);
    },
  );
});

describe('a configuration is refused when it is applied, if it has', () => {
  const refused = [
    {
      mistake: 'both content and contentFrom',
      spec: { files: [{ ...fromSecret.files[0], path: '/etc/x', content: SECRET_TEXT }] },
      message: /spec\.files\[0\]: .*only one of content or contentFrom/,
    },
    {
      mistake: 'both passwd and passwdFrom',
      spec: { users: [{ name: 'ada', passwd: SECRET_TEXT, passwdFrom: { secret: { name: 'a', key: 'b' } } }] },
      message: /spec\.users\[0\]: .*only one of passwd or passwdFrom/,
    },
    {
      mistake: 'an unknown encoding',
      spec: { files: [{ path: '/etc/x', content: SECRET_TEXT, encoding: 'rot13' }] },
      message: /spec\.files\[0\]\.encoding: .*supported values: "base64", "gzip", "gzip\+base64"/,
    },
    {
      mistake: 'an unknown algorithm',
      spec: { clusterConfiguration: { encryptionAlgorithm: 'RSA-1024' } },
      message: /spec\.clusterConfiguration\.encryptionAlgorithm: .*RSA-1024/,
    },
  ];
  it.each(refused)('$mistake', async ({ spec, message }) => {
    const w = await makeMachines({ certificates });
    const refusal = await configure(w, 'w-1', spec as Spec).catch((error: Error) => error);
    expect(refusal).toBeInstanceOf(Error);
    expect((refusal as Error).message).toMatch(message);
    expect((refusal as Error).message).not.toContain(SECRET_TEXT);
  });
});
