import type { Rke2ConfigSpec, Rke2ServerConfig } from '../../kinds/index.ts';
import type { Rke2InitInput, Rke2ServerInput, Rke2WorkerInput } from './input.ts';

/** For tests: inputs of the three roles. The pairs are not real, because this code does not read them. */

const pair = (name: string) => ({ certificatePem: `${name} certificate\n`, privateKeyPem: `${name} key\n` });

const common = (spec: Rke2ConfigSpec) => ({
  cluster: {
    name: 'demo',
    endpoint: { host: 'demo.example.com', port: 6443 },
    podCidrs: ['10.42.0.0/16'],
    serviceCidrs: ['10.43.0.0/16'],
    dnsDomain: 'cluster.local',
    version: 'v1.34.2+rke2r1',
  },
  spec,
  files: [],
  resolved: {},
});

const server = (config: Rke2ServerConfig) => ({
  server: config,
  manifests: {},
  token: 'server-token',
  agentToken: 'agent-token',
});

export const initInput = (
  spec: Rke2ConfigSpec = {},
  config: Rke2ServerConfig = {},
  over: Partial<Rke2InitInput> = {},
): Rke2InitInput => ({
  ...common(spec),
  ...server(config),
  role: 'init',
  certificates: {
    serverCa: pair('server-ca'),
    clientCa: pair('client-ca'),
    etcdServerCa: pair('etcd-server-ca'),
    etcdPeerCa: pair('etcd-peer-ca'),
  },
  ...over,
});

export const serverInput = (spec: Rke2ConfigSpec = {}, config: Rke2ServerConfig = {}): Rke2ServerInput => ({
  ...common(spec),
  ...server(config),
  role: 'control-plane',
  registrationUrl: 'https://demo.example.com:9345',
});

export const workerInput = (spec: Rke2ConfigSpec = {}, over: Partial<Rke2WorkerInput> = {}): Rke2WorkerInput => ({
  ...common(spec),
  role: 'worker',
  registrationUrl: 'https://demo.example.com:9345',
  token: 'worker-token',
  cloudProviderName: undefined,
  ...over,
});
