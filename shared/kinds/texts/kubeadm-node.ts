import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { argsText } from './kubeadm-cluster.ts';

/** Texts of `initConfiguration` and `joinConfiguration`: what one machine does to become a node. */

const nodeRegistrationText = [
  'How the machine registers as a Node.',
  {
    name: 'Name of the Node. Defaults to the host name of the machine; cloud-init renders templates such as {{ ds.meta_data.local_hostname }}.',
    criSocket: 'Socket of the container runtime, such as unix:///run/containerd/containerd.sock. Detected by default.',
    taints: [
      'Taints that the node registers with. Control plane nodes default to node-role.kubernetes.io/control-plane:NoSchedule, and an empty list means none; workers always get node.cluster.x-k8s.io/uninitialized until their labels are set.',
      {
        key: 'Key of the taint.',
        value: 'Value of the taint. May be empty.',
        effect: 'What happens to pods that do not tolerate the taint: NoSchedule, PreferNoSchedule or NoExecute.',
        timeAdded: 'When the taint was added, in RFC 3339 form. Used only for NoExecute.',
      },
    ],
    kubeletExtraArgs: argsText('the kubelet'),
    ignorePreflightErrors:
      'Preflight checks of kubeadm whose errors count as warnings, such as Swap. The value all covers every check.',
    imagePullPolicy: 'When kubeadm pulls images: Always, IfNotPresent or Never. Defaults to IfNotPresent.',
    imagePullSerial:
      'Pulls images one at a time instead of in parallel. Defaults to true; needs Kubernetes 1.31 or newer.',
  },
] satisfies FieldText;

const localAPIEndpointText = [
  'Where kube-apiserver listens on the machine itself, behind the load balancer of the cluster.',
  {
    advertiseAddress:
      'IP address that kube-apiserver announces. Defaults to that of the interface with the default route.',
    bindPort: 'Port that kube-apiserver listens on. Defaults to 6443.',
  },
] satisfies FieldText;

const timeoutsText = [
  'How long the steps of kubeadm may take, in seconds. Before Kubernetes 1.31 only controlPlaneComponentHealthCheckSeconds of initConfiguration and, for discovery, tlsBootstrapSeconds or discoverySeconds of joinConfiguration count.',
  {
    controlPlaneComponentHealthCheckSeconds:
      'Seconds to wait until the control plane components are healthy. Defaults to 600; a control plane needs the same value in initConfiguration and joinConfiguration.',
    kubeletHealthCheckSeconds: 'Seconds to wait until the kubelet is healthy. Defaults to 240.',
    kubernetesAPICallSeconds: 'Seconds for which kubeadm retries a call to the Kubernetes API. Defaults to 180.',
    etcdAPICallSeconds:
      'Seconds for which kubeadm retries a call to etcd. Defaults to 600, because machines that start together become etcd members one at a time.',
    tlsBootstrapSeconds: 'Seconds to wait until the kubelet has its client certificate. Defaults to 600.',
    discoverySeconds: 'Seconds to wait for the API server while joining. Defaults to 900.',
  },
] satisfies FieldText;

const shared = {
  nodeRegistration: nodeRegistrationText,
  skipPhases: 'Phases of kubeadm that are left out, such as addon/kube-proxy.',
  patches: [
    'Patches for the manifests that kubeadm writes.',
    {
      directory:
        'Directory on the machine with patches named target[suffix][+patchtype].extension, such as kube-apiserver0+merge.yaml. Write it with files.',
    },
  ],
  timeouts: timeoutsText,
} satisfies FieldTexts;

export const bootstrapTokensText =
  'Further bootstrap tokens that kubeadm init creates. Windlass adds one for each machine of the new cluster.';

export const initConfigurationText =
  'Options of kubeadm init, which runs on the first control plane machine. A change only here does not replace machines.';

export const initConfigurationFields = {
  ...shared,
  bootstrapTokens: [
    bootstrapTokensText,
    {
      token: 'Six and sixteen characters with a dot between them, such as abcdef.0123456789abcdef.',
      description: 'Description of the purpose of the token, for people.',
      ttlSeconds: 'Seconds until the token expires; cannot be combined with expires. Defaults to 86400; 0 means never.',
      expires: 'When the token expires, in RFC 3339 form. Cannot be combined with ttlSeconds.',
      usages: 'What the token may be used for. Defaults to signing and authentication.',
      groups: 'Groups that the token authenticates as. Defaults to system:bootstrappers:kubeadm:default-node-token.',
    },
  ],
  localAPIEndpoint: localAPIEndpointText,
} satisfies FieldTexts;

const kubeConfigText = [
  'Content of the kubeconfig, which is then written to kubeConfigPath. Without it the file must be there already.',
  {
    cluster: [
      'How to reach the API server.',
      {
        server: 'URL of the API server. Defaults to spec.controlPlaneEndpoint of the Cluster.',
        tlsServerName: 'Name that the certificate of the server must have. Defaults to the host in server.',
        insecureSkipTLSVerify: 'Skips the check of the server certificate, which is insecure. Defaults to false.',
        certificateAuthorityData: 'CA certificates that are trusted, PEM in base64. Defaults to the CA of the cluster.',
        proxyURL: 'URL of an HTTP, HTTPS or SOCKS5 proxy. Defaults to the proxy variables of the environment.',
      },
    ],
    user: [
      'How the machine authenticates. Needs exactly one of authProvider and exec.',
      {
        authProvider: [
          'Authentication plugin that is built into client-go.',
          { name: 'Name of the plugin.', config: 'Settings of the plugin, by name.' },
        ],
        exec: [
          'Program on the machine that prints credentials. It never asks for input.',
          {
            command: 'Program to run, by path or by name.',
            args: 'Arguments of the program.',
            env: [
              'Environment variables of the program, in addition to those of kubeadm.',
              { name: 'Name of the variable.', value: 'Value of the variable.' },
            ],
            apiVersion:
              'API version of the credentials that the program prints. Defaults to client.authentication.k8s.io/v1.',
            provideClusterInfo: 'Tells the program about the cluster in KUBERNETES_EXEC_INFO. Defaults to false.',
          },
        ],
      },
    ],
  },
] satisfies FieldText;

export const discoveryText =
  'How the machine finds and verifies the API server. Defaults to a bootstrap token of its own and the CA of the cluster.';

export const joinConfigurationText =
  'Options of kubeadm join, which runs on every machine but the first of the control plane.';

export const joinConfigurationFields = {
  ...shared,
  caCertPath: 'Path on the machine of the CA certificate of the cluster. Defaults to /etc/kubernetes/pki/ca.crt.',
  discovery: [
    discoveryText,
    {
      bootstrapToken: [
        'Discovery by token. Fields that are left out are filled in for each machine; ignored if file is set.',
        {
          token: 'Bootstrap token. Defaults to one that belongs to the machine and lives for 15 minutes.',
          apiServerEndpoint:
            'Address of the API server, as host:port. Defaults to spec.controlPlaneEndpoint of the Cluster.',
          caCertHashes:
            'Hashes of the public keys of accepted CAs, as sha256: followed by hexadecimal digits. Defaults to the CAs of the cluster.',
          unsafeSkipCAVerification:
            'Skips the check of the CA, so that another server can pose as the API server. Defaults to false.',
        },
      ],
      file: [
        'Discovery by kubeconfig, in place of a token.',
        {
          kubeConfigPath: 'Path on the machine, or URL, of the kubeconfig. With Ignition not below /run or /tmp.',
          kubeConfig: kubeConfigText,
        },
      ],
      tlsBootstrapToken:
        'Token with which the kubelet requests its client certificate. Defaults to the token of bootstrapToken; required with a file without credentials.',
    },
  ],
  controlPlane: [
    'Makes the joining machine a control plane machine. Filled in for machines of a control plane, and refused for workers.',
    { localAPIEndpoint: localAPIEndpointText },
  ],
} satisfies FieldTexts;
