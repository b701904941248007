import { certificateFiles } from '../certificates/files.ts';
import { reportByKubeadm } from '../change-reports/kubeadm.ts';
import type { BootFile, MachineSetup } from '../machine-setup.ts';
import { bootFiles, bootUsers } from '../references.ts';
import { joinInService } from '../warm-pool/in-service.ts';
import { discoveryFile } from './discovery-file.ts';
import type { BootstrapInput, ControlPlaneInput, WorkerInput } from './input.ts';
import { installCommand } from './install/script.ts';
import { type OwnEndpoint, ownEndpoint } from './own-endpoint.ts';
import { CLOUD_INIT_PLACES, type KubeadmPlaces } from './places.ts';
import { renderInit, renderJoin } from './render.ts';
import { kubeadmScript } from './script.ts';
import type { KubeadmConfigSpec } from './spec.ts';

const owned = (path: string, permissions: string, content: string): BootFile => ({
  path,
  owner: 'root:root',
  permissions,
  content,
});

/** The differences between `kubeadm init` and `kubeadm join`. */
interface Phase {
  name: 'init' | 'join';
  /** The text that kubeadm reads. */
  configuration: string;
  certificates: readonly BootFile[];
  /** Written after the user's files, which therefore cannot replace them. */
  discovery: readonly BootFile[];
  criSocket: string | undefined;
  skipPhases?: readonly string[];
  ownEndpoint?: OwnEndpoint;
}

const joinPhase = (input: ControlPlaneInput | WorkerInput): Phase => {
  const { cluster, spec, token, role } = input;
  const configuration = spec.joinConfiguration ?? {};
  const caCertificatePem = role === 'worker' ? input.caCertificatePem : input.certificates.ca.certificatePem;
  const kubeconfig = discoveryFile(cluster, configuration, caCertificatePem);
  const text = renderJoin({ role, cluster, configuration, token, caCertificatePem });
  return {
    name: 'join',
    configuration: text,
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
    configuration: renderInit(cluster, spec, tokens),
    certificates: certificateFiles(certificates, spec.clusterConfiguration ?? {}),
    discovery: [],
    criSocket: spec.initConfiguration?.nodeRegistration?.criSocket,
    skipPhases: spec.initConfiguration?.skipPhases,
    ownEndpoint: ownEndpoint(cluster, spec),
  };
};

/** The sentinel is only written after kubeadm has succeeded. */
const kubeadmCommands = ({ name }: Phase, { verbosity }: KubeadmConfigSpec, places: KubeadmPlaces): string[] => {
  const level = verbosity === undefined ? '' : ` --v ${verbosity}`;
  return places.run(`bash ${places.script} kubeadm ${name} --config ${places.configuration[name]}${level}`);
};

const placeholder = ({ placeholder: path }: KubeadmPlaces): BootFile[] =>
  path === undefined ? [] : [owned(path, '0640', 'Makes the folder in which kubeadm reports its success.')];

const prepareCommands = ({ install, spec }: BootstrapInput): string[] => [
  ...(install === undefined ? [] : [installCommand(install)]),
  ...(spec.preKubeadmCommands ?? []),
];

/** The commands that make the machine a node: now, or when the instance is put in service. */
const joining = (
  input: BootstrapInput,
  commands: string[],
  { configuration }: KubeadmPlaces,
): { files: readonly BootFile[]; commands: string[] } => {
  if (input.role !== 'worker' || !input.joinsInService) return { files: [], commands };
  const { files, command } = joinInService({ commands, while: configuration.join });
  return { files, commands: [command] };
};

/** The input with the user's configuration completed, and the additional files. */
const withReports = (input: BootstrapInput): { input: BootstrapInput; reportFiles: readonly BootFile[] } => {
  if (input.role === 'worker') return { input, reportFiles: [] };
  const { spec, files = spec.files ?? [], role } = input;
  const reporting = reportByKubeadm(input.reports, { spec, files, phase: role === 'init' ? 'init' : 'join' });
  return { input: { ...input, spec: reporting.spec }, reportFiles: reporting.files };
};

/**
 * The setup with which a kubeadm machine becomes a node. Pure; the result contains secrets. Throws
 * BootstrapInvalidError, which names the field, for input that cannot be rendered.
 */
export const kubeadmSetup = (unreported: BootstrapInput, places: KubeadmPlaces = CLOUD_INIT_PLACES): MachineSetup => {
  const { input, reportFiles } = withReports(unreported);
  const { spec } = input;
  const phase = phaseOf(input);
  const certificatesDir = spec.clusterConfiguration?.certificatesDir;
  const join = joining(input, [...kubeadmCommands(phase, spec, places), ...(spec.postKubeadmCommands ?? [])], places);
  const given = [...bootFiles(input.files ?? spec.files ?? []), ...reportFiles, ...phase.discovery];
  // `init` never resets.
  const kept = phase.name === 'join' ? { files: given } : {};
  return {
    bootCommands: spec.bootCommands ?? [],
    files: [
      ...phase.certificates,
      ...given,
      owned(places.configuration[phase.name], places.permissions, phase.configuration),
      ...placeholder(places),
      owned(places.script, '0700', kubeadmScript({ certificatesDir, ...phase, ...kept })),
      ...(input.install === undefined ? [] : [places.installer]),
      ...join.files,
    ],
    commands: [...prepareCommands(input), ...join.commands],
    users: bootUsers(input.users ?? spec.users ?? []),
    ntp: spec.ntp,
    diskSetup: spec.diskSetup,
    mounts: spec.mounts,
  };
};
