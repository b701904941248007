import { DURATION } from '../../../shared/kinds/v1beta1/duration.ts';
import type { Difference } from './compare.ts';

/**
 * A difference between a served schema and upstream's, with its reason. `kinds` matches the kind, such as
 * `Machine/v1beta2`, and `path` the path, such as `.spec.taints[].key`. `upstream` and `ours` are the values, undefined
 * if a schema does not have the keyword.
 */
export interface KnownDifference extends Pick<Difference, 'attribute' | 'upstream' | 'ours'> {
  kinds: RegExp;
  path: RegExp;
  reason: string;
}

const ITEM = 'No defaults inside the items of lists (docs/compatibility.md)';
const COMPLETED =
  "Upstream's webhook completes the object before the schema is checked; here the schema is checked first";
const DEFAULTED = 'The field has a default, so it is always there; ours describes what clients send';

const DEFAULTS: readonly KnownDifference[] = [
  {
    kinds: /^Kubeadm/,
    path: /\.extraEnvs\[\]\.valueFrom\.(configMap|secret)KeyRef\.name$/,
    attribute: 'default',
    upstream: '',
    ours: undefined,
    reason: `An absent name means the same. ${ITEM}`,
  },
  {
    kinds: /^Kubeadm/,
    path: /\.extraEnvs\[\]\.valueFrom\.fileKeyRef\.optional$/,
    attribute: 'default',
    upstream: false,
    ours: undefined,
    reason: `Absent means false. ${ITEM}`,
  },
  {
    kinds: /^ClusterClass\//,
    path: /\.x-kubernetes-validations\[\]\.reason$/,
    attribute: 'default',
    upstream: 'FieldValueInvalid',
    ours: undefined,
    reason: `Nothing evaluates the rules of variables yet. ${ITEM}`,
  },
  {
    kinds: /^AWSCluster(Template)?\//,
    path: /ontrolPlaneLoadBalancer\.additionalListeners\[\]\.protocol$/,
    attribute: 'default',
    upstream: 'TCP',
    ours: undefined,
    reason: `TCP is the only value, and absent means it. ${ITEM}`,
  },
  {
    kinds: /^AWSCluster(Template)?\//,
    path: /ontrolPlaneLoadBalancer\.loadBalancerType$/,
    attribute: 'default',
    upstream: 'classic',
    ours: undefined,
    reason: 'Admission sets nlb (docs/compatibility.md)',
  },
  {
    kinds: /^AWSCluster(Template)?\//,
    path: /ontrolPlaneLoadBalancer\.scheme$/,
    attribute: 'default',
    upstream: 'internet-facing',
    ours: undefined,
    reason: 'Admission sets internet-facing for the primary load balancer and internal for the secondary one',
  },
  {
    kinds: /^AWS/,
    path: /\.instanceMetadataOptions\.httpTokens$/,
    attribute: 'default',
    upstream: 'optional',
    ours: 'required',
    reason: 'Instances use IMDSv2 unless the spec says otherwise (docs/compatibility.md)',
  },
  {
    kinds: /^(KubeadmControlPlane|MachineDeployment)\/v1beta2$/,
    path: /^\.spec\.rollout\.strategy\.type$/,
    attribute: 'default',
    upstream: undefined,
    ours: 'RollingUpdate',
    reason: COMPLETED,
  },
  {
    kinds: /^Machine(Deployment|Set)\/v1beta2$/,
    path: /^\.spec\.selector(\.matchLabels)?$/,
    attribute: 'default',
    upstream: undefined,
    ours: {},
    reason: COMPLETED,
  },
];

const LIMITS: readonly KnownDifference[] = [
  {
    kinds: /\/v1beta1$/,
    path: /([tT]imeout|Period|\.ttl|\.timeoutForControlPlane)$/,
    attribute: 'pattern',
    upstream: undefined,
    ours: DURATION,
    reason: 'Upstream refuses any other duration when it decodes the object',
  },
  {
    kinds: /^(KubeadmControlPlane|MachineDeployment)\/v1beta2$/,
    path: /^\.spec\.rollout(\.strategy(\.rollingUpdate)?)?$/,
    attribute: 'minProperties',
    upstream: 1,
    ours: undefined,
    reason: COMPLETED,
  },
  {
    kinds: /^Machine(Deployment|Set)\/v1beta2$/,
    path: /^\.spec\.template\.metadata$/,
    attribute: 'minProperties',
    upstream: 1,
    ours: undefined,
    reason: COMPLETED,
  },
  {
    kinds: /^MachinePool\/v1beta2$/,
    path: /^\.spec\.template\.metadata$/,
    attribute: 'minProperties',
    upstream: 1,
    ours: undefined,
    reason: 'The schema of a MachineDeployment is used. An empty metadata says the same as none',
  },
  {
    kinds: /^MachineHealthCheck\/v1beta2$/,
    path: /^\.spec\.checks$/,
    attribute: 'minProperties',
    upstream: 1,
    ours: undefined,
    reason: COMPLETED,
  },
  {
    kinds: /^ClusterClass\/v1beta1$/,
    path: /\.schema\.openAPIV3Schema$/,
    attribute: 'minProperties',
    upstream: undefined,
    ours: 1,
    reason: "An empty schema has no type, so upstream's webhook refuses it",
  },
];

const required = (kinds: RegExp, path: RegExp, upstream: unknown, ours: unknown, reason: string): KnownDifference => ({
  kinds,
  path,
  attribute: 'required',
  upstream,
  ours,
  reason,
});

const REQUIRED: readonly KnownDifference[] = [
  required(
    /^(KubeadmControlPlane|MachineDeployment)\/v1beta2$/,
    /^\.spec\.rollout\.strategy$/,
    ['type'],
    undefined,
    COMPLETED,
  ),
  required(
    /^Machine(Deployment|Set)\/v1beta2$/,
    /^\.spec$/,
    ['clusterName', 'selector', 'template'],
    ['clusterName', 'template'],
    COMPLETED,
  ),
  required(
    /^MachineDrainRule\//,
    /^$/,
    ['metadata', 'spec'],
    ['spec'],
    'Every object has metadata: the API asks for a name',
  ),
  required(/^AWSCluster\/v1beta2$/, /^\.status$/, ['ready'], undefined, DEFAULTED),
  required(
    /^AWSMachinePool\/v1beta2$/,
    /^\.spec$/,
    ['awsLaunchTemplate', 'maxSize', 'minSize'],
    ['awsLaunchTemplate'],
    DEFAULTED,
  ),
  required(
    /^AWSMachine\/v1beta2$/,
    /^$/,
    undefined,
    ['spec'],
    "Upstream's webhook writes a spec without an instance type, which its schema then refuses",
  ),
  required(
    /^AWSMachineTemplate\/v1beta2$/,
    /^$/,
    undefined,
    ['spec'],
    'A template without a spec has no instance type, so that no machine could be made from it',
  ),
];

/** CEL rules that Windlass's schemas do not contain. `trials.ts` shows that admission enforces each of them. */
const enforced = (kinds: RegExp, path: RegExp, digests: readonly string[], reason: string): KnownDifference => ({
  kinds,
  path,
  attribute: 'x-kubernetes-validations',
  upstream: digests,
  ours: undefined,
  reason,
});

const RULES: readonly KnownDifference[] = [
  enforced(/^Kubeadm/, /xtraArgs$/, ['47cc2b07'], 'Admission: names of arguments are unique'),
  enforced(/^Kubeadm/, /\.partitions\[\]$/, ['a9eccc7d'], 'Admission: one of layout and diskLayout'),
  enforced(/^Kubeadm/, /\.partitionType$/, ['03ac44a8'], 'Admission: a known type, or a GUID'),
  enforced(
    /^(Cluster|ClusterClass|MachineHealthCheck)\//,
    /\.unhealthyMachineConditions\[\]\.type$/,
    ['34a6be11'],
    'Admission: not the conditions that follow from health checks',
  ),
  enforced(/^MachineDrainRule\//, /^\.spec\.(machines|pods)$/, ['08571527'], 'Admission: entries are unique'),
  enforced(/^AWSCluster(Template)?\//, /\.carrierGatewayId$/, ['6b988737'], 'Admission: the prefix of the id'),
  enforced(/^AWS/, /\.publicIpv4PoolFallbackOrder$/, ['c9a77733'], 'An enum in our schema'),
  enforced(
    /^AWSMachine(Template)?\//,
    /^(\.spec\.template)?\.spec$/,
    ['91392d0c', 'c33995bc'],
    'Admission: no capacity reservation for Spot instances',
  ),
];

export const DIFFERENCES: readonly KnownDifference[] = [...DEFAULTS, ...LIMITS, ...REQUIRED, ...RULES];

/** Kinds of upstream that are not served, and the reason. */
export const NOT_SERVED: readonly { kinds: RegExp; reason: string }[] = [
  { kinds: /^Metadata\/v1alpha3$/, reason: 'A file that clusterctl reads, never an object of an API server' },
  {
    kinds: /^IPAddress(Claim)?\/v1(alpha1|beta1|beta2)$/,
    reason: 'Not served yet: AWS gives machines their addresses',
  },
  { kinds: /^(EKS|Nodeadm)Config(Template)?\/v1beta2$/, reason: 'Not served yet: bootstrap of nodes of EKS' },
  {
    kinds: /^AWS(ManagedControlPlane(Template)?|ManagedCluster(Template)?|ManagedMachinePool|FargateProfile)\/v1beta2$/,
    reason: 'Not served yet: clusters of EKS',
  },
  { kinds: /^ROSA[A-Za-z]+\/v1beta2$/, reason: 'Not served yet: clusters of Red Hat OpenShift Service on AWS' },
];

/** Served kinds that none of the suite's modules publishes. */
export const NOT_COMPARED: readonly { kinds: RegExp; reason: string }[] = [
  {
    kinds: /^RKE2(Config|ControlPlane)(Template)?\/v1beta2$/,
    reason: "Rancher's module is not served by the module proxy that the suites are built from",
  },
  {
    kinds: /^(Host|HostCluster|HostMachine|HostMachineTemplate)\/v1alpha1$/,
    reason: 'kinds of our own (docs/hosts.md)',
  },
  {
    kinds: /^(Cluster|Kubeconfig)\/v1alpha1$/,
    reason: "kinds of Rancher's demonstration, which is no Go module that publishes definitions (docs/hosts.md)",
  },
];
