/**
 * What becomes of each cluster template that upstream publishes. `up`: it comes up on the laptop, its add-ons are applied,
 * and it goes. `open`: not settled, and why; the suite does not try it. Otherwise nothing of it is made, for the kind in `lacks`, or because it is `empty`.
 */
export type Row = {
  template: string;
} & (
  | { result: 'up' }
  | { result: 'not yet' | 'refused'; lacks: string }
  | { result: 'open'; why: string }
  | { result: 'empty' }
);

const up = (template: string): Row => ({ template, result: 'up' });
const open = (why: string, ...templates: string[]): Row[] =>
  templates.map((template) => ({ template, result: 'open', why }));
const notYet = (lacks: string, ...templates: string[]): Row[] =>
  templates.map((template) => ({ template, result: 'not yet', lacks }));
const refused = (lacks: string, ...templates: string[]): Row[] =>
  templates.map((template) => ({ template, result: 'refused', lacks }));

const named = (source: string, kind: string, ...names: string[]): string[] =>
  names.map((name) => `${source}/${kind}${name === '' ? '' : `-${name}`}.yaml`);
const e2e = (...names: string[]): string[] => named('aws-e2e', 'cluster-template', ...names);
const aws = (...names: string[]): string[] => named('aws', 'cluster-template', ...names);
const capi = (...names: string[]): string[] => names.map((name) => `capi-e2e/cluster-template${name}`);

export const TABLE: readonly Row[] = [
  ...e2e(
    'external-cloud-provider',
    'internal-elb',
    'ssm',
    '',
    'efs-support',
    'gpu',
    'kcp-remediation',
    'limit-az',
    'multi-az',
    'spot-instances',
    'ignition',
    'md-remediation',
    'remote-management-cluster',
    'upgrade-to-external-cloud-provider',
  ).map((template) => up(template)),
  ...open('not settled: its control plane did not initialize within five minutes', ...e2e('peered-remote')),
  ...open('not settled: it needs the id of an image that its own test finds', ...e2e('upgrade-to-main')),
  ...open(
    'not settled: no cloud controller manager comes with it, and its nodes got no provider id',
    ...e2e('csimigration-off', 'external-csi', 'intree-cloud-provider'),
  ),
  ...open('not settled: it wants three control plane machines, as in its own test', ...e2e('kcp-scale-in')),
  ...open(
    'not settled: its roles are assumed without an external id, which has to be said by an annotation',
    ...e2e('nested-multitenancy', 'simple-multitenancy'),
  ),
  ...e2e('external-securitygroups').map((template): Row => ({ template, result: 'empty' })),
  ...notYet('MachinePool', ...e2e('machine-pool', 'upgrades')),
  ...aws('', 'dualstack-ipv4-primary', 'dualstack-ipv6-primary', 'flatcar', 'ipv6').map((template) => up(template)),
  ...notYet('MachinePool', ...aws('flatcar-machinepool', 'machinepool')),
  ...notYet('ClusterClass', ...aws('multitenancy-clusterclass', 'simple-clusterclass')),
  ...refused(
    'AWSManagedControlPlane',
    ...aws(
      'eks',
      'eks-fargate',
      'eks-ipv6',
      'eks-machinepool',
      'eks-managedmachinepool',
      'eks-managedmachinepool-gpu',
      'eks-managedmachinepool-vpccni',
    ),
  ),
  ...refused('AWSManagedControlPlaneTemplate', ...aws('eks-clusterclass')),
  ...refused('ROSAControlPlane', ...aws('rosa', 'rosa-machinepool', 'rosa-role-config')),
  ...refused('ROSANetwork', 'aws/rosa-network.yaml'),
  ...refused('DevCluster', ...capi('', '-ignition', '-ipv6', '-kcp-md-taints', '-kcp-remediation', '-md-remediation')),
  ...notYet('MachinePool', ...capi('-machine-pool')),
  ...notYet(
    'topology',
    ...capi(
      '-in-memory-scale.yaml',
      '-in-memory-topology.yaml',
      '-kcp-pre-drain',
      '-kcp-scale-in',
      '-topology',
      '-topology-autoscaler',
      '-topology-dualstack-ipv4-primary',
      '-topology-dualstack-ipv6-primary',
      '-topology-kcp-only',
      '-topology-kubeadm-version',
      '-topology-no-workers',
      '-topology-runtimesdk-v1beta1',
      '-topology-taints',
      '-upgrades-runtimesdk',
    ),
  ),
  ...notYet(
    'ClusterClass',
    'capi-e2e/clusterclass-in-memory.yaml',
    'capi-e2e/clusterclass-quick-start-kcp-only',
    'capi-e2e/clusterclass-quick-start-runtimesdk-v1beta1.yaml',
    'capi-e2e/clusterclass-quick-start-runtimesdk.yaml',
    'capi-e2e/clusterclass-quick-start.yaml',
  ),
];
