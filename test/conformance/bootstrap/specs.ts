import type {
  ControlPlaneComponent,
  KubeadmConfigSpec,
  NodeRegistrationOptions,
} from '../../../shared/bootstrap/kubeadm/spec.ts';

/** Configurations as users write them, each with one special feature, and with values that kubeadm accepts. */

const registration: NodeRegistrationOptions = {
  criSocket: 'unix:///run/containerd/containerd.sock',
  taints: [{ key: 'dedicated', value: 'x', effect: 'NoSchedule' }],
  kubeletExtraArgs: [
    { name: 'cloud-provider', value: 'external' },
    { name: 'node-labels', value: 'a=b' },
  ],
  ignorePreflightErrors: ['Mem', 'NumCPU'],
  imagePullPolicy: 'IfNotPresent',
  imagePullSerial: false,
};

const timeouts = {
  controlPlaneComponentHealthCheckSeconds: 300,
  kubeletHealthCheckSeconds: 300,
  kubernetesAPICallSeconds: 60,
  etcdAPICallSeconds: 120,
  tlsBootstrapSeconds: 300,
  discoverySeconds: 600,
};

const component: ControlPlaneComponent = {
  extraArgs: [{ name: 'v', value: '2' }],
  extraVolumes: [
    { name: 'files', hostPath: '/host', mountPath: '/files', readOnly: true, pathType: 'DirectoryOrCreate' },
  ],
  extraEnvs: [
    { name: 'HTTPS_PROXY', value: 'http://proxy.example.com:3128' },
    { name: 'HOST_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.hostIP' } } },
  ],
};

const shared = { nodeRegistration: registration, patches: { directory: '/etc/patches' }, timeouts };

const everything: KubeadmConfigSpec = {
  clusterConfiguration: {
    etcd: {
      local: {
        imageRepository: 'registry.example.com/etcd',
        imageTag: '3.5.21-0',
        dataDir: '/var/lib/etcddisk/etcd',
        extraArgs: [{ name: 'quota-backend-bytes', value: '8589934592' }],
        extraEnvs: [{ name: 'GOGC', value: '50' }],
        serverCertSANs: ['etcd.example.com'],
        peerCertSANs: ['10.0.0.9'],
      },
    },
    apiServer: { ...component, certSANs: ['api.example.com', '10.0.0.7'] },
    controllerManager: component,
    scheduler: component,
    dns: { imageRepository: 'registry.example.com/coredns', imageTag: 'v1.12.0' },
    certificatesDir: '/etc/kubernetes/pki',
    imageRepository: 'registry.example.com/kubernetes',
    certificateValidityPeriodDays: 90,
    caCertificateValidityPeriodDays: 3650,
    encryptionAlgorithm: 'ECDSA-P256',
  },
  initConfiguration: {
    ...shared,
    bootstrapTokens: [
      {
        token: 'abcdef.0123456789abcdef',
        description: 'of the user',
        ttlSeconds: 3600,
        usages: ['signing', 'authentication'],
        groups: ['system:bootstrappers:kubeadm:default-node-token'],
      },
    ],
    localAPIEndpoint: { advertiseAddress: '10.0.0.1', bindPort: 6443 },
    skipPhases: ['addon/kube-proxy'],
  },
  joinConfiguration: {
    ...shared,
    caCertPath: '/etc/kubernetes/pki/ca.crt',
    skipPhases: ['preflight'],
    discovery: { tlsBootstrapToken: 'abcdef.0123456789abcdef' },
  },
};

export const SPECS: Readonly<Record<string, KubeadmConfigSpec>> = {
  nothing: {},
  'every field': everything,
  'no taints': {
    initConfiguration: { nodeRegistration: { taints: [] } },
    joinConfiguration: { nodeRegistration: { taints: [] } },
  },
  'an external etcd': {
    clusterConfiguration: {
      etcd: {
        external: {
          endpoints: ['https://10.0.0.1:2379', 'https://10.0.0.2:2379'],
          caFile: '/etc/kubernetes/pki/etcd/ca.crt',
          certFile: '/etc/kubernetes/pki/apiserver-etcd-client.crt',
          keyFile: '/etc/kubernetes/pki/apiserver-etcd-client.key',
        },
      },
    },
  },
  'discovery by file': {
    joinConfiguration: { discovery: { file: { kubeConfigPath: '/etc/discovery.conf', kubeConfig: { user: {} } } } },
  },
  "a node's name of its metadata": {
    initConfiguration: { nodeRegistration: { name: '{{ ds.meta_data.local_hostname }}' } },
    joinConfiguration: { nodeRegistration: { name: '{{ ds.meta_data.local_hostname }}' } },
  },
};
