import { beforeAll, describe, expect, it } from 'vitest';
import { KUBEADM_VERSIONS } from '../../../infra/cli/conformance/kubeadm.ts';
import { renderBootstrapData } from '../../../shared/bootstrap/bootstrap-data.ts';
import { IGNITION_VERSIONS, type IgnitionVersion } from '../../../shared/bootstrap/ignition/config.ts';
import { flatcarInstaller } from '../../../shared/bootstrap/kubeadm/install/flatcar.ts';
import { INSTALL_SCRIPT_PATH, installCommand } from '../../../shared/bootstrap/kubeadm/install/script.ts';
import { initInput, serverInput, workerInput } from '../../../shared/bootstrap/rke2/fixtures.ts';
import { rke2Ignition } from '../../../shared/bootstrap/rke2/ignition.ts';
import { ignitionStub, ignitionUserData } from '../../../shared/providers/aws/plan/delivery/ignition.ts';
import { certificates, inputOf, ROLES, type Role } from './cases.ts';
import { IGNITION_SPECS } from './ignition-specs.ts';
import { type Finding, readByIgnition } from './ignition-validator.ts';
import { SPECS } from './specs.ts';

/** Needs WINDLASS_IGNITION, which `npm run conformance` sets: a program that wraps the parsers of Ignition. */
const program = process.env.WINDLASS_IGNITION ?? '';
const isMissing = program === '' && process.env.CI !== 'true';

const specs = Object.entries({ ...SPECS, ...IGNITION_SPECS });

const render = (
  role: Role,
  version: string,
  title: string,
  ignitionVersion: IgnitionVersion,
  install?: string,
): string => {
  const spec = { ...SPECS, ...IGNITION_SPECS }[title];
  const base = inputOf(role, version, { ...spec, format: 'ignition' });
  const input = { ...base, ...(install === undefined ? {} : { install }) };
  const { body, warnings } = renderBootstrapData(input, { ignitionVersion });
  expect(warnings).toEqual([]);
  return body;
};

describe.skipIf(isMissing)('the bootstrap data of machines', () => {
  const cases = KUBEADM_VERSIONS.flatMap((version) =>
    ROLES.flatMap((role) =>
      IGNITION_VERSIONS.flatMap((ignition) =>
        specs.map(([title]) => ({ version, role, ignition, title, name: `${version} ${role} ${ignition} ${title}` })),
      ),
    ),
  );
  let findings: Record<string, Finding>;
  beforeAll(() => {
    const documents = cases.map((each) => [each.name, render(each.role, each.version, each.title, each.ignition)]);
    findings = readByIgnition(program, Object.fromEntries(documents));
  });

  it.each(cases)('is accepted by Ignition without objections: $version $role in $ignition, with $title', ({ name }) => {
    expect(findings[name]?.said).toBe('');
  });

  it.each(IGNITION_VERSIONS)('contains in %s exactly the bytes that the specs specify', (ignition) => {
    const { files = {} } = findings[`1.35.4 init ${ignition} all that Ignition can do`] ?? {};

    expect(files['/etc/plain']?.toString()).toBe("what's in: 100 % (of it) ~ «ünicode»\n");
    expect(files['/etc/long']?.toString()).toBe('the same again and again\n'.repeat(100));
    expect(files['/etc/binary']).toEqual(Buffer.from('AAECA/8=', 'base64'));
    expect(files['/etc/kubernetes/pki/ca.key']?.toString()).toBe(certificates.ca.privateKeyPem);
    expect(files['/etc/kubeadm.sh']?.toString().split('\n')[2]).toBe('echo before');
  });
});

describe.skipIf(isMissing)('the bootstrap data of RKE2 machines', () => {
  const butane = `variant: flatcar
version: 1.1.0
passwd: {users: [{name: core, ssh_authorized_keys: [key]}]}
storage:
  files: [{path: /etc/mine, mode: 0600, contents: {inline: "mine\\n"}}, {path: /etc/hosts, append: [{inline: more}]}]
systemd:
  units: [{name: rke2-install.service, dropins: [{name: 10-x.conf, contents: "[Unit]\\nAfter=x.service\\n"}]}]
`;
  const spec = { preRKE2Commands: ['echo before'], agentConfig: { cisProfile: 'cis' as const } };
  const added = {
    ...spec,
    agentConfig: { additionalUserData: { config: butane }, ntp: { servers: ['169.254.169.123'] } },
  };
  const cases = IGNITION_VERSIONS.flatMap((version) =>
    [spec, added].flatMap((one, index) =>
      [initInput(one), serverInput(one), workerInput(one)].map(
        (input) => [`${version} ${input.role} ${index}`, rke2Ignition(input, version)] as const,
      ),
    ),
  );

  it('is accepted by Ignition, in each version', () => {
    const findings = readByIgnition(program, Object.fromEntries(cases));
    expect(Object.entries(findings).filter(([, { said }]) => said !== '')).toEqual([]);
    const { files = {} } = findings['3.3 worker 1'] ?? {};
    expect(files['/etc/mine']?.toString()).toBe('mine\n');
    expect(files['/etc/rke2-install.sh']?.toString().split('\n')[2]).toBe('echo before');
    expect(files['/etc/rancher/rke2/config.yaml']?.toString()).toContain('worker-token');
  });
});

describe.skipIf(isMissing)('the script that installs Kubernetes on a plain image', () => {
  it.each(IGNITION_VERSIONS)('is contained unchanged in the data in %s, and runs before everything else', (version) => {
    const findings = readByIgnition(program, { data: render('worker', '1.35.4', 'nothing', version, 'v1.35.4') });

    const { said, files = {} } = findings.data ?? {};
    expect(said).toBe('');
    expect(files[INSTALL_SCRIPT_PATH]?.toString()).toBe(flatcarInstaller.content);
    expect(files['/etc/kubeadm.sh']?.toString().split('\n')[2]).toBe(installCommand('v1.35.4'));
  });
});

describe.skipIf(isMissing)('the user data with which machines find their bootstrap data', () => {
  const proxy = { httpProxy: 'http://proxy.example.com:3128', noProxy: ['169.254.169.254'] };
  const tls = { certificateAuthorities: ['data:,-----BEGIN%20CERTIFICATE-----'] };
  const decode = (userData: string): string => Buffer.from(userData, 'base64').toString('utf8');

  it('is accepted by Ignition, with and without a proxy', () => {
    const documents = IGNITION_VERSIONS.flatMap((version) => {
      const takesProxy = version !== '2.3' && version !== '3.0';
      const ignition = { version, ...(takesProxy ? { proxy, tls } : {}) };
      const body = render('worker', '1.35.4', 'nothing', version);
      return [
        [`${version}, far`, decode(ignitionStub('s3://bucket/node/machine', { ignition }))],
        [`${version}, here`, decode(ignitionUserData(body, { ignition }))],
      ];
    });

    const findings = readByIgnition(program, Object.fromEntries(documents));

    expect(Object.values(findings).map(({ said }) => said)).toEqual(documents.map(() => ''));
  });

  it('is refused by Ignition if it contains an error', () => {
    const findings = readByIgnition(program, {
      'no version': '{"ignition":{}}',
      'an unknown key': '{"ignition":{"version":"3.4.0"},"colour":"red"}',
      'a path twice': '{"ignition":{"version":"3.4.0"},"storage":{"files":[{"path":"/a"},{"path":"/a"}]}}',
    });

    expect(findings['no version']?.said).toMatch(/version "" is not one of those/);
    expect(findings['an unknown key']?.said).toMatch(/Unused key colour/i);
    expect(findings['a path twice']?.said).toMatch(/duplicate/i);
  });
});
