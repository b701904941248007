import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { componentText, configMapText, rke2FilesText, secretText } from './rke2-reference.ts';

/** Texts of an RKE2ConfigSpec, in RKE2Configs, control planes and templates. */

const NOT_FOR_KUBELET = 'Stored and not acted on: RKE2 runs the kubelet outside of containers.';

const agentConfigFields = {
  dataDir: 'Directory that holds the state of RKE2. Defaults to /var/lib/rancher/rke2.',
  nodeLabels: 'Labels that the node registers with, each as key=value.',
  nodeAnnotations: 'Annotations that the node gets when it has joined. The nodes of a MachinePool do not get them.',
  nodeTaints: 'Taints that the node registers with, each as key=value:effect.',
  nodeName: "Stored and not acted on, as in Rancher's RKE2 provider. The node gets the host name of the machine.",
  ntp: [
    'Time synchronization.',
    {
      servers: 'Host names or addresses of NTP servers. Defaults to those of the image.',
      enabled: 'Turns synchronization on or off. Defaults to true.',
    },
  ],
  imageCredentialProviderConfigMap: configMapText(
    'ConfigMap with the credential provider of the kubelet: its configuration in credential-config.yaml and the directory of its programs in credential-provider-binaries.',
  ),
  containerRuntimeEndpoint:
    'Socket of another container runtime on the machine. Defaults to the containerd that RKE2 brings.',
  snapshotter: 'Snapshotter of containerd. Defaults to overlayfs.',
  cisProfile:
    'CIS profile that RKE2 enforces: cis or cis-1.23, and before Kubernetes 1.25 instead cis-1.5 or cis-1.6. None by default.',
  podSecurityAdmissionConfigFile:
    'Path on the machine of the configuration of Pod Security admission. Write the file with files.',
  resolvConf: configMapText('ConfigMap with the resolver configuration of the kubelet, in the key resolv.conf.'),
  protectKernelDefaults: 'Makes the kubelet fail if kernel parameters differ from its defaults. Defaults to false.',
  systemDefaultRegistry: 'Registry to pull all images of RKE2 from. Defaults to docker.io.',
  enableContainerdSElinux: 'Turns on SELinux in containerd. Defaults to false.',
  kubeletPath: 'Path on the machine of another kubelet. Defaults to the one that RKE2 brings.',
  kubelet: [
    'Settings of the kubelet.',
    {
      extraArgs: 'Further flags for the kubelet, each as name=value without leading dashes.',
      extraEnv: NOT_FOR_KUBELET,
      extraMounts: NOT_FOR_KUBELET,
      overrideImage: NOT_FOR_KUBELET,
    },
  ],
  kubeProxy: componentText('kube-proxy'),
  runtimeImage: 'Image with programs such as containerd and kubectl. Defaults to that of RKE2.',
  loadBalancerPort: 'Local port through which the machine reaches the servers. Defaults to 6444.',
  airGapped:
    'Installs RKE2 from /opt/install.sh and /opt/rke2-artifacts of the image instead of from the network. Defaults to false.',
  airGappedChecksum:
    'Expected SHA-256, in hexadecimal, of the sha256sum file in /opt/rke2-artifacts. Checked only with airGapped.',
  format: 'What the machine reads at its first boot. Defaults to cloud-config.',
  additionalUserData: [
    'Further cloud-init settings. The modules write_files, runcmd and ntp are ignored.',
    {
      config: 'YAML document whose keys are cloud-init modules. Cannot be combined with data.',
      data: 'Modules of cloud-init by name, each with its settings as YAML text. Cannot be combined with config.',
      strict: 'Stored and not acted on: it applies to Ignition only.',
    },
  ],
} satisfies FieldTexts;

const registriesText = [
  'Registries that containerd uses, written to registries.yaml. Without any, the file is not written.',
  {
    mirrors: [
      'Mirrors, by the registry that they mirror, such as docker.io.',
      {
        endpoint: 'URLs of the mirrors, which are tried in order.',
        rewrite: 'Rewrite rules for image names on the mirror: regular expressions with their replacements.',
      },
    ],
    configs: [
      'Access to registries, by host name or host:port. Each needs authSecret, tls or both.',
      {
        authSecret: secretText('Secret with the credentials: username and password, or identity-token.'),
        tls: [
          'How the connection is secured.',
          {
            tlsConfigSecret: secretText(
              'Secret with any of tls.crt, tls.key and ca.crt, which are written to the machine.',
            ),
            insecureSkipVerify: "Skips the check of the registry's certificate, which is insecure. Defaults to false.",
          },
        ],
      },
    ],
  },
] satisfies FieldText;

export const rke2ConfigSpecFields = {
  files: rke2FilesText,
  preRKE2Commands: 'Shell commands that run before RKE2 is installed, at the first boot.',
  postRKE2Commands: 'Shell commands that run after RKE2 was started, at the first boot.',
  agentConfig: ['Settings of RKE2 on each machine, servers and agents alike.', agentConfigFields],
  privateRegistriesConfig: registriesText,
  gzipUserData: 'Stored and not acted on: the AWSMachine decides whether user data is compressed.',
} satisfies FieldTexts;
