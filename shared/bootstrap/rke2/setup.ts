import { posix } from 'node:path';
import type { PemPair } from '../certificates/keys.ts';
import { BootstrapInvalidError } from '../invalid.ts';
import { compact, type Fields, toYaml } from '../kubeadm/document.ts';
import { type BootFile, type MachineSetup, SENTINEL_PATH } from '../machine-setup.ts';
import { additionalCloudConfig } from './additional.ts';
import { agentPart, type ConfigPart, ownFile } from './agent-config.ts';
import type { Rke2Certificates, Rke2Input } from './input.ts';
import { CONFIG_PATH, DEFAULT_DATA_DIR, RKE2_SCRIPT_PATH } from './paths.ts';
import { registryFiles } from './registries.ts';
import { RKE2_SCRIPT } from './script.ts';
import { cloudProviderPart, serverPart } from './server-config.ts';

/** The CAs, at the paths where RKE2 expects those that replace its own. */
const rke2CertificateFiles = (certificates: Rke2Certificates, dataDir: string): BootFile[] => {
  const at = (name: string) => posix.join(dataDir, 'server/tls', name);
  const placed: [PemPair, string][] = [
    [certificates.serverCa, 'server-ca'],
    [certificates.clientCa, 'client-ca'],
    [certificates.etcdPeerCa, 'etcd/peer-ca'],
    [certificates.etcdServerCa, 'etcd/server-ca'],
  ];
  return placed.flatMap(([{ certificatePem, privateKeyPem }, name]) => [
    ownFile(at(`${name}.crt`), certificatePem),
    ownFile(at(`${name}.key`), privateKeyPem, '0600'),
  ]);
};

const dataDirOf = ({ spec }: Rke2Input): string => spec.agentConfig?.dataDir || DEFAULT_DATA_DIR;

const joinFields = (input: Rke2Input): Fields => {
  if (input.role === 'worker') {
    const { registrationUrl, token, cloudProviderName } = input;
    return { server: registrationUrl, token, 'cloud-provider-name': cloudProviderName };
  }
  const server = input.role === 'init' ? undefined : input.registrationUrl;
  return { server, token: input.token, 'agent-token': input.agentToken };
};

const partsOf = (input: Rke2Input): ConfigPart[] => {
  const { spec, resolved, cluster } = input;
  const agent = agentPart(spec, resolved, cluster.version);
  if (input.role === 'worker') return [agent, cloudProviderPart(resolved)];
  return [agent, serverPart(input.server, cluster, resolved, dataDirOf(input))];
};

/** config.yaml of a machine. It contains the machine's token. */
const configFile = (input: Rke2Input, parts: readonly ConfigPart[]): BootFile => {
  const fields = Object.assign({}, ...parts.map((part) => part.fields), joinFields(input)) as Fields;
  const present = Object.entries(compact(fields)).filter(([, value]) => value !== '');
  return ownFile(CONFIG_PATH, toYaml(Object.fromEntries(present)));
};

const serverFiles = (input: Rke2Input): BootFile[] => {
  if (input.role === 'worker') return [];
  const folder = posix.join(dataDirOf(input), 'server/manifests');
  return [
    ...(input.role === 'init' ? rke2CertificateFiles(input.certificates, dataDirOf(input)) : []),
    ...Object.entries(input.manifests).map(([name, content]) => ownFile(posix.join(folder, name), content)),
  ];
};

/** The path of the script that makes a machine a node, and the commands that run after its success. */
export interface Rke2Places {
  script: string;
  /** A file in the folder in which the success is reported, if that folder must be created. */
  placeholder?: string;
  run(script: string): string[];
}

/** cloud-init: if a command fails, the following ones still run. */
const CLOUD_INIT_PLACES: Rke2Places = {
  script: RKE2_SCRIPT_PATH,
  placeholder: '/run/cluster-api/placeholder',
  run: (script) => [`${script} && echo success > ${SENTINEL_PATH}`],
};

const VERSION = /^v\d+\.\d+\.\d+(-[0-9a-z.]+)?\+rke2r\d+$/;

const agentFormat = ({ spec }: Rke2Input): string | undefined => spec.agentConfig?.format;

/** The sentinel is only written when the service is running. */
const startCommands = ({ role, spec, cluster }: Rke2Input, places: Rke2Places): string[] => {
  const { airGapped, airGappedChecksum } = spec.agentConfig ?? {};
  if (!VERSION.test(cluster.version)) {
    throw new BootstrapInvalidError('spec.version', 'is not a release of RKE2, such as v1.34.2+rke2r1');
  }
  if (airGappedChecksum && !/^[0-9a-f]{64}$/.test(airGappedChecksum)) {
    throw new BootstrapInvalidError('spec.agentConfig.airGappedChecksum', 'is not a hexadecimal SHA-256');
  }
  const type = role === 'worker' ? 'agent' : 'server';
  const source = airGapped ? ['air-gapped', ...(airGappedChecksum ? [airGappedChecksum] : [])] : [];
  const script = ['bash', places.script, type, cluster.version, ...source].join(' ');
  return places.run(script);
};

/**
 * The setup with which an RKE2 machine becomes a node. Pure; the result contains secrets. Throws BootstrapInvalidError,
 * which names the field, for input that cannot be rendered.
 */
export const rke2Setup = (input: Rke2Input, places: Rke2Places = CLOUD_INIT_PLACES): MachineSetup => {
  const { spec, resolved } = input;
  const parts = partsOf(input);
  const { ntp, additionalUserData } = spec.agentConfig ?? {};
  return {
    bootCommands: [],
    files: [
      ...serverFiles(input),
      ...parts.flatMap(({ files }) => files),
      ...registryFiles(spec.privateRegistriesConfig, resolved),
      ...input.files,
      configFile(input, parts),
      ...(places.placeholder
        ? [ownFile(places.placeholder, 'Makes the folder in which the success is reported.')]
        : []),
      ownFile(places.script, RKE2_SCRIPT, '0700'),
    ],
    commands: [...(spec.preRKE2Commands ?? []), ...startCommands(input, places), ...(spec.postRKE2Commands ?? [])],
    users: [],
    ntp: ntp && { ...ntp, enabled: ntp.enabled ?? true },
    ...(agentFormat(input) === 'ignition' ? {} : { additional: additionalCloudConfig(additionalUserData) }),
  };
};
