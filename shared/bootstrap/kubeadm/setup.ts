import { certificateFiles } from '../certificates/files.ts';
import { type BootFile, type MachineSetup, SENTINEL_PATH } from '../machine-setup.ts';
import { bootFiles, bootUsers } from '../references.ts';
import { discoveryFile } from './discovery-file.ts';
import type { BootstrapInput, ControlPlaneInput, WorkerInput } from './input.ts';
import { INIT_CONFIG_PATH, JOIN_CONFIG_PATH, renderInit, renderJoin } from './render.ts';
import { KUBEADM_SCRIPT_PATH, kubeadmScript } from './script.ts';
import type { KubeadmConfigSpec } from './spec.ts';

const owned = (path: string, permissions: string, content: string): BootFile => ({
  path,
  owner: 'root:root',
  permissions,
  content,
});

/** What differs between `kubeadm init` and `kubeadm join`. */
interface Phase {
  name: 'init' | 'join';
  configuration: BootFile;
  certificates: readonly BootFile[];
  /** Written after the user's files, so that they cannot be replaced by them. */
  discovery: readonly BootFile[];
  criSocket: string | undefined;
}

const joinPhase = (input: ControlPlaneInput | WorkerInput): Phase => {
  const { cluster, spec, token, role } = input;
  const configuration = spec.joinConfiguration ?? {};
  const caCertificatePem = role === 'worker' ? input.caCertificatePem : input.certificates.ca.certificatePem;
  const kubeconfig = discoveryFile(cluster, configuration, caCertificatePem);
  const text = renderJoin({ role, cluster, configuration, token, caCertificatePem });
  return {
    name: 'join',
    configuration: owned(JOIN_CONFIG_PATH, '0640', text),
    certificates: role === 'worker' ? [] : certificateFiles(input.certificates, spec.clusterConfiguration ?? {}),
    discovery: kubeconfig === undefined ? [] : [owned(kubeconfig.path, '0640', kubeconfig.content)],
    criSocket: configuration.nodeRegistration?.criSocket,
  };
};

const phaseOf = (input: BootstrapInput): Phase => {
  if (input.role !== 'init') return joinPhase(input);
  const { cluster, spec, certificates, tokens } = input;
  return {
    name: 'init',
    configuration: owned(INIT_CONFIG_PATH, '0640', renderInit(cluster, spec, tokens)),
    certificates: certificateFiles(certificates, spec.clusterConfiguration ?? {}),
    discovery: [],
    criSocket: spec.initConfiguration?.nodeRegistration?.criSocket,
  };
};

/** The sentinel is written only when kubeadm has succeeded. */
const kubeadmCommand = ({ name, configuration }: Phase, { verbosity }: KubeadmConfigSpec): string => {
  const level = verbosity === undefined ? '' : ` --v ${verbosity}`;
  const kubeadm = `kubeadm ${name} --config ${configuration.path}${level}`;
  return `bash ${KUBEADM_SCRIPT_PATH} ${kubeadm} && echo success > ${SENTINEL_PATH}`;
};

/**
 * What a machine does to become a node by kubeadm. Pure; the result holds secrets.
 * Throws BootstrapInvalidError, which names the field, for what cannot be rendered.
 */
export const kubeadmSetup = (input: BootstrapInput): MachineSetup => {
  const { spec } = input;
  const phase = phaseOf(input);
  const certificatesDir = spec.clusterConfiguration?.certificatesDir;
  return {
    bootCommands: spec.bootCommands ?? [],
    files: [
      ...phase.certificates,
      ...bootFiles(input.files ?? spec.files ?? []),
      ...phase.discovery,
      phase.configuration,
      owned('/run/cluster-api/placeholder', '0640', 'Makes the folder in which kubeadm reports its success.'),
      owned(KUBEADM_SCRIPT_PATH, '0700', kubeadmScript({ certificatesDir, criSocket: phase.criSocket })),
    ],
    commands: [...(spec.preKubeadmCommands ?? []), kubeadmCommand(phase, spec), ...(spec.postKubeadmCommands ?? [])],
    users: bootUsers(input.users ?? spec.users ?? []),
    ntp: spec.ntp,
    diskSetup: spec.diskSetup,
    mounts: spec.mounts,
  };
};
