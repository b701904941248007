import { posix } from 'node:path';
import { BootstrapInvalidError } from '../invalid.ts';
import type { BootstrapFile, KubeadmConfigSpec } from '../kubeadm/spec.ts';
import type { BootFile } from '../machine-setup.ts';
import { type ChangeReports, refuseOwnAudit, reportFiles, reportFlags } from './reports.ts';

/** In a folder that the script preserves when kubeadm resets the machine. */
const FOLDER = '/etc/kubernetes/windlass';
const OWN_PATCHES = `${FOLDER}/patches`;

/** The form that kubeadm requires: the component, any text, the type of the patch. */
const PATCH = 'kube-apiserver-windlass+json.json';

type Patches = { directory?: string } | undefined;

const patchesOf = ({ initConfiguration, joinConfiguration }: KubeadmConfigSpec, phase: 'init' | 'join'): Patches =>
  (phase === 'init' ? initConfiguration : joinConfiguration)?.patches;

const directoryOf = (patches: Patches): string => patches?.directory || OWN_PATCHES;

/**
 * A patch of this machine's static pod. Arguments in ClusterConfiguration would apply to the whole cluster, including
 * machines without the files: kubeadm stores them for all machines that join later.
 */
const patch = (): string =>
  JSON.stringify([
    ...reportFlags(FOLDER).map(({ name, value }) => ({
      op: 'add',
      path: '/spec/containers/0/command/-',
      value: `--${name}=${value}`,
    })),
    {
      op: 'add',
      path: '/spec/containers/0/volumeMounts/-',
      value: { name: 'windlass', mountPath: FOLDER, readOnly: true },
    },
    { op: 'add', path: '/spec/volumes/-', value: { name: 'windlass', hostPath: { path: FOLDER, type: 'Directory' } } },
  ]);

const FLAG = /--(audit-[a-z-]+)/g;

/** Refuses flags for audit logs of kube-apiserver in the user's own patches. */
const refusePatchedAudit = (files: readonly BootstrapFile[], directory: string): void => {
  for (const [index, { path, content = '' }] of files.entries()) {
    const { dir, base } = posix.parse(posix.normalize(path));
    if (dir !== posix.join(directory, '.').replace(/\/$/, '') || !base.startsWith('kube-apiserver')) continue;
    const names = [...content.matchAll(FLAG)].map(([, name = '']) => name);
    refuseOwnAudit(names, `spec.files[${index}].content`);
  }
};

const refuseConflicts = (
  { clusterConfiguration }: KubeadmConfigSpec,
  files: readonly BootstrapFile[],
  directory: string,
): void => {
  const args = clusterConfiguration?.apiServer?.extraArgs ?? [];
  refuseOwnAudit(
    args.map(({ name }) => name),
    'spec.clusterConfiguration.apiServer.extraArgs',
  );
  refusePatchedAudit(files, directory);
  if (clusterConfiguration?.featureGates?.RootlessControlPlane !== true) return;
  throw new BootstrapInvalidError(
    'spec.clusterConfiguration.featureGates.RootlessControlPlane',
    'keeps the API server from reading its webhook configuration, which only root may read: remove the gate, or the annotation windlass.dev/report-changes of the Cluster',
  );
};

interface Given {
  spec: KubeadmConfigSpec;
  /** The user's files with their contents. */
  files: readonly BootstrapFile[];
  phase: 'init' | 'join';
}

/**
 * The parts with which a kubeadm control plane machine reports changes: the configuration with its folder of patches,
 * and the files. Throws BootstrapInvalidError if the user has configured auditing.
 */
export const reportByKubeadm = (
  reports: ChangeReports | undefined,
  { spec, files, phase }: Given,
): { spec: KubeadmConfigSpec; files: BootFile[] } => {
  if (!reports) return { spec, files: [] };
  const directory = directoryOf(patchesOf(spec, phase));
  refuseConflicts(spec, files, directory);
  const key = `${phase}Configuration` as const;
  const own: BootFile = {
    path: posix.join(directory, PATCH),
    owner: 'root:root',
    permissions: '0600',
    content: patch(),
  };
  return {
    spec: { ...spec, [key]: { ...spec[key], patches: { ...spec[key]?.patches, directory } } },
    files: [...reportFiles(reports, FOLDER), own],
  };
};
