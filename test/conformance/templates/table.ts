import type { Variables } from './render.ts';

/**
 * The expected result of a cluster template that upstream publishes. `up`: the cluster comes up on the laptop, its
 * add-ons are applied, and it is deleted; `variables` replaces the usual values. `upgraded`: the cluster starts with
 * the version OLD and is upgraded to that of the other templates before it is deleted. `no boot`: machines are created,
 * but do not boot and print `says`. `refused`: nothing is created, because the kind in `lacks` is not served. `empty`:
 * the template has no objects. `classes` are files with the cluster's class, and `amend` is a change to the text that
 * users must make.
 */
export type Row = {
  template: string;
} & (
  | { result: 'up'; variables?: Variables }
  | { result: 'upgraded'; variables: Variables; classes?: readonly string[]; amend?: (text: string) => string }
  | { result: 'no boot'; says: string }
  | { result: 'refused'; lacks: string; classes?: readonly string[] }
  | { result: 'empty' }
);

const up = (template: string, variables?: Variables): Row => ({
  template,
  result: 'up',
  ...(variables && { variables }),
});
const refused = (lacks: string, ...templates: string[]): Row[] =>
  templates.map((template) => ({ template, result: 'refused', lacks }));

const named = (source: string, kind: string, ...names: string[]): string[] =>
  names.map((name) => `${source}/${kind}${name === '' ? '' : `-${name}`}.yaml`);
const e2e = (...names: string[]): string[] => named('aws-e2e', 'cluster-template', ...names);
const aws = (...names: string[]): string[] => named('aws', 'cluster-template', ...names);
const capi = (...names: string[]): string[] => names.map((name) => `capi-e2e/cluster-template${name}`);

/** The version before that of the other templates. */
const OLD: Variables = { KUBERNETES_VERSION: 'v1.34.0' };

const upgraded = (...templates: string[]): Row[] =>
  templates.map((template) => ({ template, result: 'upgraded', variables: OLD }));

/** Templates of Clusters whose class is in a separate file. */
const ofClass = (file: string, ...names: string[]): Row[] =>
  named('aws-e2e-topology', 'cluster-template', ...names).map((template) => ({
    ...{ template, result: 'upgraded', variables: OLD },
    classes: [`aws-e2e-class/${file}`],
  }));

const devClass = (file: string): string => `capi-e2e/clusterclass-${file}`;

/**
 * Templates of Clusters whose class uses the development provider. The suite `topology` compares such classes on AWS.
 */
const ofDevClass = (file: string, ...names: string[]): Row[] =>
  capi(...names).map((template) => ({
    ...{ template, result: 'refused', lacks: 'DevClusterTemplate' },
    classes: [devClass(file)],
  }));

/**
 * Templates of the AWS provider that contain classes. They are changed to use an external cloud provider, like the
 * classes of the provider's own end-to-end tests.
 */
const withExternalProvider = (...templates: string[]): Row[] =>
  templates.map((template) => ({
    ...{ template, result: 'upgraded', variables: OLD },
    amend: (text) => text.replaceAll('cloud-provider: aws', 'cloud-provider: external'),
  }));

const noBoot = (says: string, ...templates: string[]): Row[] =>
  templates.map((template) => ({ template, result: 'no boot', says }));

/*
 * The roles of the identities in nested-multitenancy and simple-multitenancy are in the account itself, so no external
 * id is required. On AWS, an administrator lists them in the setting `assumableRoles`, as the framework does in its
 * policy.
 */

/**
 * The output of kubelet and kube-controller-manager from Kubernetes 1.29 on. The in-tree AWS provider was removed in
 * 1.27, and `CSIMigrationAWS` could be disabled until 1.24. None of upstream's tests uses these templates.
 */
const BUILT_IN_PROVIDER = 'cloud provider "aws" was specified, but built-in cloud providers are disabled';

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
    'nested-multitenancy',
    'peered-remote',
    'simple-multitenancy',
    'spot-instances',
    'ignition',
    'md-remediation',
    'remote-management-cluster',
    'upgrade-to-external-cloud-provider',
    'upgrade-to-main',
  ).map((template) => up(template)),
  // Upstream's test for this template requires three machines, because each is removed before its replacement is
  // created.
  ...e2e('kcp-scale-in').map((template) => up(template, { CONTROL_PLANE_MACHINE_COUNT: '3' })),
  ...noBoot(BUILT_IN_PROVIDER, ...e2e('csimigration-off', 'external-csi', 'intree-cloud-provider')),
  ...e2e('external-securitygroups').map((template): Row => ({ template, result: 'empty' })),
  ...upgraded(...e2e('machine-pool', 'upgrades')),
  ...ofClass('clusterclass-ci-default.yaml', 'self-hosted-clusterclass', 'topology'),
  ...ofClass('clusterclass-multi-tenancy.yaml', 'nested-multitenancy-clusterclass'),
  ...aws('', 'dualstack-ipv4-primary', 'dualstack-ipv6-primary', 'flatcar', 'ipv6').map((template) => up(template)),
  ...aws('flatcar-machinepool', 'machinepool').map((template) => up(template)),
  ...withExternalProvider(...aws('multitenancy-clusterclass', 'simple-clusterclass')),
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
  ...refused('DevMachinePool', ...capi('-machine-pool')),
  ...ofDevClass('in-memory.yaml', '-in-memory-scale.yaml', '-in-memory-topology.yaml'),
  ...ofDevClass(
    'quick-start.yaml',
    '-kcp-pre-drain',
    '-kcp-scale-in',
    '-topology',
    '-topology-autoscaler',
    '-topology-dualstack-ipv4-primary',
    '-topology-dualstack-ipv6-primary',
    '-topology-no-workers',
    '-topology-taints',
  ),
  ...ofDevClass('quick-start-kcp-only', '-topology-kcp-only'),
  ...ofDevClass('quick-start-runtimesdk.yaml', '-topology-kubeadm-version', '-upgrades-runtimesdk'),
  ...ofDevClass('quick-start-runtimesdk-v1beta1.yaml', '-topology-runtimesdk-v1beta1'),
  ...refused(
    'DevClusterTemplate',
    ...[
      'in-memory.yaml',
      'quick-start-kcp-only',
      'quick-start-runtimesdk-v1beta1.yaml',
      'quick-start-runtimesdk.yaml',
      'quick-start.yaml',
    ].map(devClass),
  ),
];
