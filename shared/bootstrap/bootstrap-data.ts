import type { ClusterCertificates } from './certificates/authority.ts';
import { type BootFile, certificateFiles } from './certificates/files.ts';
import { cloudConfig } from './cloud-init/cloud-config.ts';
import { BootstrapInvalidError } from './invalid.ts';
import { discoveryFile } from './kubeadm/discovery-file.ts';
import type { MachineToken } from './kubeadm/init-configuration.ts';
import { INIT_CONFIG_PATH, JOIN_CONFIG_PATH, renderInit, renderJoin } from './kubeadm/render.ts';
import type { BootstrapFile, BootstrapUser, ClusterFacts, KubeadmConfigSpec } from './kubeadm/spec.ts';

interface BaseInput {
  cluster: ClusterFacts;
  spec: KubeadmConfigSpec;
  /** `spec.files` with every `contentFrom` replaced by `content`; default `spec.files`. See resolveReferences. */
  files?: readonly BootstrapFile[];
  /** `spec.users` with every `passwdFrom` replaced by `passwd`; default `spec.users`. */
  users?: readonly BootstrapUser[];
}

/** The first control plane machine. `tokens`: those of all other machines of the first formation. */
export interface InitInput extends BaseInput {
  role: 'init';
  certificates: ClusterCertificates;
  tokens: readonly MachineToken[];
}

/** A further control plane machine. `token`: its own. */
export interface ControlPlaneInput extends BaseInput {
  role: 'control-plane';
  certificates: ClusterCertificates;
  token: string;
}

/** A worker. It gets no key material, only its token and the hash of the CA. */
export interface WorkerInput extends BaseInput {
  role: 'worker';
  caCertificatePem: string;
  token: string;
}

export type BootstrapInput = InitInput | ControlPlaneInput | WorkerInput;

/** What the bootstrap Secret of a machine holds under `value` and `format`. */
export interface BootstrapData {
  body: string;
  format: 'cloud-config';
}

/** Refuses what is not built, by the name of the field. */
const bootFile = ({ contentFrom, contentFormat, content, ...file }: BootstrapFile, index: number): BootFile => {
  if (contentFrom !== undefined && content === undefined) {
    throw new BootstrapInvalidError(`spec.files[${index}].contentFrom`, 'was not resolved to content');
  }
  if (contentFormat === 'Template') {
    throw new BootstrapInvalidError(
      `spec.files[${index}].contentFormat`,
      'Template is not supported yet; use Raw, cloud-init renders jinja expressions in it',
    );
  }
  return { ...file, content: content ?? '' };
};

const bootUser = (user: BootstrapUser, index: number): BootstrapUser => {
  if (user.passwdFrom !== undefined && user.passwd === undefined) {
    throw new BootstrapInvalidError(`spec.users[${index}].passwdFrom`, 'was not resolved to passwd');
  }
  return user;
};

const initBody = (input: InitInput, files: readonly BootFile[], users: readonly BootstrapUser[]): string =>
  cloudConfig({
    phase: 'init',
    spec: input.spec,
    kubeadmConfig: { path: INIT_CONFIG_PATH, content: renderInit(input.cluster, input.spec, input.tokens) },
    certificates: certificateFiles(input.certificates, input.spec.clusterConfiguration ?? {}),
    files,
    users,
  });

const joinBody = (
  input: ControlPlaneInput | WorkerInput,
  files: readonly BootFile[],
  users: readonly BootstrapUser[],
): string => {
  const { cluster, spec, token, role } = input;
  const configuration = spec.joinConfiguration ?? {};
  const caCertificatePem = role === 'worker' ? input.caCertificatePem : input.certificates.ca.certificatePem;
  const kubeconfig = discoveryFile(cluster, configuration, caCertificatePem);
  const discovery = kubeconfig === undefined ? [] : [{ ...kubeconfig, owner: 'root:root', permissions: '0640' }];
  return cloudConfig({
    phase: 'join',
    spec,
    kubeadmConfig: {
      path: JOIN_CONFIG_PATH,
      content: renderJoin({ role, cluster, configuration, token, caCertificatePem }),
    },
    certificates: role === 'worker' ? [] : certificateFiles(input.certificates, spec.clusterConfiguration ?? {}),
    files: [...files, ...discovery],
    users,
  });
};

/**
 * The bootstrap data of one machine: everything that it needs to become a node, as one cloud-config document. Pure: the
 * same input gives the same text. It contains secrets; keep it out of logs and payloads.
 * Throws BootstrapInvalidError, which names the field, for what cannot be rendered.
 */
export const renderBootstrapData = (input: BootstrapInput): BootstrapData => {
  if (input.spec.format === 'ignition') {
    throw new BootstrapInvalidError('spec.format', 'ignition is not supported yet; use cloud-config');
  }
  const files = (input.files ?? input.spec.files ?? []).map(bootFile);
  const users = (input.users ?? input.spec.users ?? []).map(bootUser);
  const body = input.role === 'init' ? initBody(input, files, users) : joinBody(input, files, users);
  return { body, format: 'cloud-config' };
};
