import type { Rke2Component, Rke2ConfigSpec } from '../../kinds/index.ts';
import { parseVersion } from '../../kinds/rules/bootstrap/version.ts';
import { BootstrapInvalidError } from '../invalid.ts';
import type { Fields } from '../kubeadm/document.ts';
import type { BootFile } from '../machine-setup.ts';
import { CIS_SCRIPT_PATH } from './paths.ts';
import type { ResolvedReferences } from './references.ts';
import { CIS_SCRIPT } from './script.ts';

/** Keys of config.yaml, and the files to which they refer. */
export interface ConfigPart {
  fields: Fields;
  files: BootFile[];
}

const OWNER = 'root:root';
const FOLDER = '/etc/rancher/rke2';

/** A file that only root can read. */
export const ownFile = (name: string, content: string, permissions = '0640'): BootFile => ({
  path: name.startsWith('/') ? name : `${FOLDER}/${name}`,
  owner: OWNER,
  permissions,
  content,
});

const pairs = (map: Readonly<Record<string, string>> | undefined, separator: string): string[] | undefined =>
  map && Object.entries(map).map(([key, value]) => `${key}${separator}${value}`);

/** The keys of one component: `kube-proxy-arg`, `kube-proxy-image`, `kube-proxy-extra-mount`, `kube-proxy-extra-env`. */
export const componentFields = (name: string, component: Rke2Component | undefined): Fields => ({
  [`${name}-arg`]: component?.extraArgs,
  [`${name}-image`]: component?.overrideImage,
  [`${name}-extra-mount`]: pairs(component?.extraMounts, ':'),
  [`${name}-extra-env`]: pairs(component?.extraEnv, '='),
});

const OLD_PROFILES = ['cis-1.5', 'cis-1.6'];

/**
 * RKE2 refuses to start with a profile that its version does not have: the older profiles were removed after Kubernetes
 * 1.25.
 */
const checkProfile = (profile: string, version: string): void => {
  const { minor = 0 } = parseVersion(version) ?? {};
  if (OLD_PROFILES.includes(profile) === minor < 25) return;
  throw new BootstrapInvalidError('spec.agentConfig.cisProfile', `${profile} is not supported by RKE2 ${version}`);
};

/** Common options of servers and agents. */
export const agentPart = (spec: Rke2ConfigSpec, resolved: ResolvedReferences, version: string): ConfigPart => {
  const agent = spec.agentConfig ?? {};
  if (agent.cisProfile) checkProfile(agent.cisProfile, version);
  const credentials = resolved['agentConfig.imageCredentialProviderConfigMap'];
  const resolvConf = resolved['agentConfig.resolvConf'];
  return {
    fields: {
      'container-runtime-endpoint': agent.containerRuntimeEndpoint,
      'data-dir': agent.dataDir,
      'image-credential-provider-bin-dir': credentials?.['credential-provider-binaries'],
      'image-credential-provider-config': credentials && `${FOLDER}/credential-config.yaml`,
      ...componentFields('kube-proxy', agent.kubeProxy),
      'kubelet-arg': agent.kubelet?.extraArgs,
      'kubelet-path': agent.kubeletPath,
      'lb-server-port': agent.loadBalancerPort,
      'node-label': agent.nodeLabels,
      'node-taint': agent.nodeTaints,
      profile: agent.cisProfile,
      'protect-kernel-defaults': agent.protectKernelDefaults || undefined,
      'pod-security-admission-config-file': agent.podSecurityAdmissionConfigFile,
      'resolv-conf': resolvConf && `${FOLDER}/resolv.conf`,
      'runtime-image': agent.runtimeImage,
      selinux: agent.enableContainerdSElinux || undefined,
      snapshotter: agent.snapshotter,
      'system-default-registry': agent.systemDefaultRegistry,
    },
    files: [
      ...(agent.cisProfile ? [ownFile(CIS_SCRIPT_PATH, CIS_SCRIPT, '0700')] : []),
      ...(credentials ? [ownFile('credential-config.yaml', credentials['credential-config.yaml'] ?? '')] : []),
      ...(resolvConf ? [ownFile('resolv.conf', resolvConf['resolv.conf'] ?? '', '0644')] : []),
    ],
  };
};
