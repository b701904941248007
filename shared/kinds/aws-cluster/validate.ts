import { forbiddenField, invalidValue, required } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { cidrFields, validateCidrs } from '../rules/aws/cidr.ts';
import { validateHealthChecks } from '../rules/aws/health-check.ts';
import {
  PRIMARY,
  SECONDARY,
  validateBalancerName,
  validateListenerPorts,
  validateLoadBalancer,
  validateLoadBalancerUpdate,
  validateSecondary,
} from '../rules/aws/load-balancer.ts';
import { validateNetwork } from '../rules/aws/network.ts';
import { validateSshKeyName, validateTags } from '../rules/aws/tags.ts';
import type { AWSCluster, AWSClusterSpec } from './schema.ts';

const GC_TASKS = 'aws.cluster.x-k8s.io/external-resource-tasks-gc';
const KNOWN_GC_TASKS = ['load-balancer', 'target-group', 'security-group'];
const MANAGED_BY = 'cluster.x-k8s.io/managed-by';

const validateLoadBalancers = (spec: AWSClusterSpec, old: AWSClusterSpec | undefined): FieldError[] => {
  const { controlPlaneLoadBalancer: primary = {}, secondaryControlPlaneLoadBalancer: secondary } = spec;
  const hasIpv6 = spec.network?.vpc?.ipv6 !== undefined;
  const apiPort = spec.controlPlaneEndpoint?.port;
  return [
    ...validateLoadBalancer(primary, PRIMARY, hasIpv6),
    ...validateBalancerName(primary, old?.controlPlaneLoadBalancer, PRIMARY),
    ...validateHealthChecks(primary, old?.controlPlaneLoadBalancer, PRIMARY),
    ...validateListenerPorts(primary, old?.controlPlaneLoadBalancer, PRIMARY, apiPort),
    ...(secondary
      ? [
          ...validateLoadBalancer(secondary, SECONDARY, hasIpv6),
          ...validateBalancerName(secondary, old?.secondaryControlPlaneLoadBalancer, SECONDARY),
          ...validateHealthChecks(secondary, old?.secondaryControlPlaneLoadBalancer, SECONDARY),
          ...validateListenerPorts(secondary, old?.secondaryControlPlaneLoadBalancer, SECONDARY, apiPort),
          ...validateSecondary(secondary, primary),
        ]
      : []),
  ];
};

/** Rules for the bastion of a cluster (`spec`) or of a template. */
export const validateBastion = ({ bastion }: AWSClusterSpec, spec: string): FieldError[] => {
  const field = `${spec}.bastion.allowedCIDRBlocks`;
  if (bastion?.disableIngressRules && bastion.allowedCIDRBlocks?.length) {
    return [forbiddenField(field, `cannot be set if ${spec}.bastion.disableIngressRules is true`)];
  }
  return validateCidrs(cidrFields(field, bastion?.allowedCIDRBlocks), () => 'must be a valid CIDR block');
};

const IP_ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;

const validateBucket = ({ s3Bucket }: AWSClusterSpec): FieldError[] => {
  if (!s3Bucket) return [];
  const field = 'spec.s3Bucket';
  const needsProfiles = s3Bucket.presignedURLDuration === undefined;
  const { controlPlaneIAMInstanceProfile: profile, nodesIAMInstanceProfiles: profiles = [], name } = s3Bucket;
  const notAnAddress = 'must not be formatted as an IP address (for example, 192.168.5.4)';
  return [
    ...(needsProfiles && !profile ? [required(`${field}.controlPlaneIAMInstanceProfile`, "can't be empty")] : []),
    ...(needsProfiles && profiles.length === 0
      ? [required(`${field}.nodesIAMInstanceProfiles`, "can't be empty")]
      : []),
    ...(s3Bucket.additionalIAMRoles ?? []).flatMap(({ prefix }, index) =>
      prefix.startsWith('/')
        ? [invalidValue(`${field}.additionalIAMRoles[${index}].prefix`, prefix, 'must not start with /')]
        : [],
    ),
    ...(IP_ADDRESS.test(name) ? [invalidValue(`${field}.name`, name, notAnAddress)] : []),
  ];
};

const validateAnnotations = ({ metadata }: AWSCluster): FieldError[] => {
  const tasks = (metadata.annotations?.[GC_TASKS] ?? '').split(',').filter(Boolean);
  return tasks
    .filter((task) => !KNOWN_GC_TASKS.includes(task))
    .map((task) =>
      invalidValue(`metadata.annotations.${GC_TASKS}`, tasks.join(','), `contains unsupported GC task ${task}`),
    );
};

const hasEndpoint = ({ controlPlaneEndpoint: at }: AWSClusterSpec): boolean => Boolean(at?.host) || Boolean(at?.port);

const MAX_PORT = 65_535;

/**
 * The endpoint is copied to the Cluster, whose schema allows no other ports. Other ports are refused here, where a user
 * can see it.
 */
const validateEndpointPort = ({ controlPlaneEndpoint }: AWSClusterSpec, old: AWSCluster | undefined): FieldError[] => {
  const port = controlPlaneEndpoint?.port ?? 0;
  const isKept = old !== undefined && (old.spec.controlPlaneEndpoint?.port ?? 0) === port;
  return isKept || (port >= 0 && port <= MAX_PORT)
    ? []
    : [invalidValue('spec.controlPlaneEndpoint.port', port, `must be between 1 and ${MAX_PORT}`)];
};

/** Immutable fields: controllers set the endpoint and the VPC's id once, and users may not change them. */
const validateImmutable = (next: AWSCluster, old: AWSCluster): FieldError[] => {
  const [spec, was] = [next.spec, old.spec];
  const [at, before] = [spec.controlPlaneEndpoint, was.controlPlaneEndpoint];
  const hasMoved = hasEndpoint(was) && (at?.host !== before?.host || at?.port !== before?.port);
  const [id, oldId] = [spec.network?.vpc?.id, was.network?.vpc?.id];
  const isReleased =
    old.metadata.annotations?.[MANAGED_BY] !== undefined && next.metadata.annotations?.[MANAGED_BY] === undefined;
  return [
    ...(spec.region === was.region ? [] : [invalidValue('spec.region', spec.region ?? null, 'field is immutable')]),
    ...(hasMoved ? [invalidValue('spec.controlPlaneEndpoint', at ?? null, 'field is immutable')] : []),
    ...(oldId && id !== oldId
      ? [invalidValue('spec.network.vpc.id', id ?? null, 'field cannot be modified once set')]
      : []),
    ...(isReleased
      ? [forbiddenField('metadata.annotations', 'removal of externally managed annotation is not allowed')]
      : []),
  ];
};

/**
 * A load balancer of another type would be a second one, with a name that no node knows, and the first one would
 * remain.
 */
const validateType = (next: AWSCluster, old: AWSCluster): FieldError[] => {
  const type = next.spec.controlPlaneLoadBalancer?.loadBalancerType;
  const before = old.spec.controlPlaneLoadBalancer?.loadBalancerType;
  const isMade = old.status?.networkStatus?.apiServerElb?.dnsName !== undefined;
  return isMade && type !== before && type !== 'disabled'
    ? [invalidValue(`${PRIMARY}.loadBalancerType`, type ?? null, 'field is immutable once the load balancer exists')]
    : [];
};

const validateUpdate = (next: AWSCluster, old: AWSCluster): FieldError[] => [
  ...validateImmutable(next, old),
  ...validateType(next, old),
  ...validateLoadBalancerUpdate(next.spec.controlPlaneLoadBalancer, old.spec.controlPlaneLoadBalancer, PRIMARY),
  ...validateLoadBalancerUpdate(
    next.spec.secondaryControlPlaneLoadBalancer,
    old.spec.secondaryControlPlaneLoadBalancer,
    SECONDARY,
  ),
];

/**
 * CAPA's rules (webhooks/awscluster_webhook.go). The rules about overlapping CIDR blocks, the endpoint's port and the
 * supported load balancers are Windlass's own.
 */
export const validateAWSCluster = (awsCluster: AWSCluster, old: AWSCluster | undefined): FieldError[] => {
  const { spec } = awsCluster;
  return [
    ...validateBastion(spec, 'spec'),
    ...validateSshKeyName(spec.sshKeyName, 'spec'),
    ...validateTags(spec.additionalTags, 'spec'),
    ...validateBucket(spec),
    ...validateNetwork(spec.network),
    ...validateLoadBalancers(spec, old?.spec),
    ...validateEndpointPort(spec, old),
    ...validateAnnotations(awsCluster),
    ...(old ? validateUpdate(awsCluster, old) : []),
  ];
};
