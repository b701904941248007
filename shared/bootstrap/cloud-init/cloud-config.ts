import { stringify } from 'yaml';
import type { BootFile } from '../certificates/files.ts';
import { compact } from '../kubeadm/document.ts';
import type { BootstrapUser, KubeadmConfigSpec } from '../kubeadm/spec.ts';
import { disks } from './disks.ts';
import { KUBEADM_SCRIPT_PATH, kubeadmScript } from './kubeadm-script.ts';
import { text } from './text.ts';
import { user } from './users.ts';
import { writeFile } from './write-files.ts';

/** Whoever builds images or watches machines looks for this file: kubeadm has succeeded. */
export const SENTINEL_PATH = '/run/cluster-api/bootstrap-success.complete';

/** cloud-init reads the first line to render everything below with jinja, `{{ ds.meta_data.local_hostname }}` and so on. */
const HEADER = '## template: jinja\n#cloud-config\n';

export interface CloudConfigInput {
  phase: 'init' | 'join';
  spec: KubeadmConfigSpec;
  /** Where kubeadm reads its configuration, and the text. */
  kubeadmConfig: { path: string; content: string };
  /** Written before everything else. */
  certificates: readonly BootFile[];
  /** The user's files, content resolved. */
  files: readonly BootFile[];
  /** The user's users, passwords resolved. */
  users: readonly BootstrapUser[];
}

const root = (path: string, permissions: string, content: string): BootFile => ({
  path,
  owner: 'root:root',
  permissions,
  content,
});

const files = ({ phase, spec, kubeadmConfig, certificates, files: users }: CloudConfigInput): BootFile[] => {
  const nodeRegistration =
    phase === 'init' ? spec.initConfiguration?.nodeRegistration : spec.joinConfiguration?.nodeRegistration;
  const certificatesDir = spec.clusterConfiguration?.certificatesDir;
  const criSocket = nodeRegistration?.criSocket;
  return [
    ...certificates,
    ...users,
    root(kubeadmConfig.path, '0640', kubeadmConfig.content),
    root('/run/cluster-api/placeholder', '0640', 'Makes the folder in which kubeadm reports its success.'),
    root(KUBEADM_SCRIPT_PATH, '0700', kubeadmScript({ certificatesDir, criSocket })),
  ];
};

/** The sentinel is written only when kubeadm has succeeded. */
const kubeadmCommand = ({ phase, spec, kubeadmConfig }: CloudConfigInput): string => {
  const verbosity = spec.verbosity === undefined ? '' : ` --v ${spec.verbosity}`;
  const kubeadm = `kubeadm ${phase} --config ${kubeadmConfig.path}${verbosity}`;
  return `bash ${KUBEADM_SCRIPT_PATH} ${kubeadm} && echo success > ${SENTINEL_PATH}`;
};

const nonEmpty = <Item>(list: readonly Item[] | undefined): readonly Item[] | undefined =>
  list === undefined || list.length === 0 ? undefined : list;

/**
 * The cloud-config document with the sections and the order of Cluster API's. cloud-init renders it with jinja as a
 * whole: expressions in the user's texts work, and what a user's file says in double braces is evaluated, unless the
 * file is given encoded.
 */
export const cloudConfig = (input: CloudConfigInput): string => {
  const { spec } = input;
  const commands = [...(spec.preKubeadmCommands ?? []), kubeadmCommand(input), ...(spec.postKubeadmCommands ?? [])];
  const document = compact({
    write_files: files(input).map(writeFile),
    bootcmd: nonEmpty(spec.bootCommands)?.map(text),
    runcmd: commands.map(text),
    ntp: spec.ntp && { enabled: spec.ntp.enabled, servers: nonEmpty(spec.ntp.servers) },
    users: nonEmpty(input.users)?.map(user),
    ...disks(spec.diskSetup),
    mounts: nonEmpty(spec.mounts)?.map((fields) => fields.map(text)),
  });
  return HEADER + stringify(document, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
};
