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
        timeAdded: 'When the taint was added, in RFC 3339 form. Has a meaning only for NoExecute.',
      },
    ],
    kubeletExtraArgs: argsText('the kubelet'),
    ignorePreflightErrors:
      'Preflight checks of kubeadm whose errors count as warnings, such as Swap. all stands for every check.',
    imagePullPolicy: 'When kubeadm pulls images: Always, IfNotPresent or Never. Defaults to IfNotPresent.',
    imagePullSerial:
      'Pulls images one after another instead of in parallel. Defaults to true; needs Kubernetes 1.31 or newer.',
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
    kubernetesAPICallSeconds: 'Seconds to repeat a failing call of the Kubernetes API. Defaults to 180.',
    etcdAPICallSeconds:
      'Seconds to repeat a failing call of etcd. Defaults to 600, because machines that join together become members one at a time.',
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
  'Further bootstrap tokens that kubeadm init creates. Windlass adds one for each machine that is launched with the first.';

export const initConfigurationText =
  'Options of kubeadm init, which runs on the first control plane machine. A change of this alone replaces no machine.';

export const initConfigurationFields = {
  ...shared,
  bootstrapTokens: [
    bootstrapTokensText,
    {
      token: 'The token, six and sixteen characters with a dot between them, such as abcdef.0123456789abcdef.',
      description: 'What the token is for, in words.',
      ttlSeconds:
        'Seconds until the token expires. Defaults to 86400; 0 means never, and expires cannot be set as well.',
      expires: 'When the token expires, in RFC 3339 form. Cannot be combined with ttlSeconds.',
      usages: 'What the token is good for. Defaults to signing and authentication.',
      groups:
        'Groups that whoever uses the token belongs to. Defaults to system:bootstrappers:kubeadm:default-node-token.',
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
        insecureSkipTLSVerify: 'Accepts any certificate, which makes the connection insecure. Defaults to false.',
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
  'How the machine finds the API server and knows that it is the right one. Defaults to a bootstrap token of its own and the CA of the cluster.';

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
            'Public keys of CAs that are accepted, as sha256: and the hexadecimal hash. Defaults to the CAs of the cluster.',
          unsafeSkipCAVerification:
            'Accepts any CA, so that another server can pose as the API server. Defaults to false.',
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
        'Token for the client certificate of the kubelet. Defaults to the token of bootstrapToken; needed with a file without credentials.',
    },
  ],
  controlPlane: [
    'Makes the joining machine a control plane machine. Filled in for machines of a control plane, and refused for workers.',
    { localAPIEndpoint: localAPIEndpointText },
  ],
} satisfies FieldTexts;
