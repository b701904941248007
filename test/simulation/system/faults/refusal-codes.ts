/**
 * What AWS, or the API server of a workload cluster, can answer to a request that is in order. Each answer is temporary
 * here: the same request succeeds later.
 */

/** A response that refuses a request, and what it refuses. */
export interface Refusal {
  code: string;
  /** The HTTP status. */
  status: number;
  message: string;
  /** For how long. */
  milliseconds: number;
  /** All requests to the service are refused, and not only those with the same operation. */
  isOfService?: boolean;
}

/** Longer than the SDK retries, but shorter than the workflows do. */
const THROTTLED_MILLISECONDS = 3_000;
/** Several passes see it. */
const WHILE_MILLISECONDS = 60_000;
/** Right after a creation, not all of AWS knows the new resource. */
const UNSEEN_MILLISECONDS = 20_000;

type Codes = Readonly<Record<string, number>>;
type Class = Omit<Refusal, 'code' | 'status'>;

const of = (shared: Class, codes: Codes): Refusal[] =>
  Object.entries(codes).map(([code, status]) => ({ ...shared, code, status }));

const throttled = (codes: Codes): Refusal[] =>
  of({ message: 'Rate exceeded', milliseconds: THROTTLED_MILLISECONDS }, codes);
const broken = (codes: Codes): Refusal[] =>
  of({ message: 'An error has occurred.', milliseconds: WHILE_MILLISECONDS }, codes);
/** Credentials and permissions concern all operations of a service. */
const forbidden = (codes: Codes): Refusal[] =>
  of({ message: 'You may not do this.', milliseconds: WHILE_MILLISECONDS, isOfService: true }, codes);
const used = (codes: Codes): Refusal[] =>
  of({ message: 'The maximum has been reached.', milliseconds: WHILE_MILLISECONDS }, codes);
const scarce = (codes: Codes): Refusal[] =>
  of({ message: 'There is not enough capacity.', milliseconds: WHILE_MILLISECONDS }, codes);
const unseen = (codes: Codes): Refusal[] =>
  of({ message: 'It does not exist.', milliseconds: UNSEEN_MILLISECONDS }, codes);
const held = (codes: Codes): Refusal[] =>
  of({ message: 'Something else prevents this.', milliseconds: WHILE_MILLISECONDS }, codes);

/** The answers of a service to any of its operations. */
const SERVICES: Readonly<Record<string, readonly Refusal[]>> = {
  ec2: [
    ...throttled({ RequestLimitExceeded: 503, Throttling: 400 }),
    ...broken({ InternalError: 500, InternalFailure: 500, ServiceUnavailable: 503, Unavailable: 503 }),
    ...forbidden({ UnauthorizedOperation: 403, AuthFailure: 401, RequestExpired: 400, OptInRequired: 401 }),
  ],
  elasticloadbalancing: [
    ...throttled({ Throttling: 400, DependencyThrottle: 400 }),
    ...broken({ InternalFailure: 500, ServiceUnavailable: 503 }),
    ...forbidden({ AccessDenied: 403, ExpiredToken: 403 }),
  ],
  autoscaling: [
    ...throttled({ Throttling: 400 }),
    ...broken({ InternalFailure: 500, ServiceUnavailable: 503, ResourceContention: 500 }),
    ...forbidden({ AccessDenied: 403, ExpiredToken: 403 }),
  ],
  dynamodb: [
    ...throttled({
      ProvisionedThroughputExceededException: 400,
      ThrottlingException: 400,
      RequestLimitExceeded: 400,
    }),
    ...broken({ InternalServerError: 500, ServiceUnavailable: 503 }),
    ...forbidden({ AccessDeniedException: 400, ExpiredTokenException: 400 }),
  ],
  states: [
    ...throttled({ ThrottlingException: 400 }),
    ...broken({ InternalServerError: 500, ServiceUnavailable: 503 }),
    ...forbidden({ AccessDeniedException: 400, ExpiredTokenException: 400 }),
  ],
  secretsmanager: [
    ...throttled({ ThrottlingException: 400 }),
    ...broken({ InternalServiceError: 500, ServiceUnavailable: 503 }),
    ...forbidden({ AccessDeniedException: 400, ExpiredTokenException: 400 }),
  ],
  s3: [
    ...throttled({ SlowDown: 503 }),
    ...broken({ InternalError: 500, ServiceUnavailable: 503, RequestTimeout: 400, OperationAborted: 409 }),
    ...forbidden({ AccessDenied: 403, ExpiredToken: 400 }),
  ],
  // The API server of a workload cluster.
  workload: [
    ...throttled({ TooManyRequests: 429 }),
    ...broken({ InternalError: 500, ServiceUnavailable: 503, Timeout: 504 }),
    ...forbidden({ Unauthorized: 401, Forbidden: 403 }),
  ],
};

const NO_VPC = unseen({ 'InvalidVpcID.NotFound': 400 });
const NO_GROUP = unseen({ 'InvalidGroup.NotFound': 400 });
const NO_SUBNET = unseen({ 'InvalidSubnetID.NotFound': 400 });
const NO_ROUTE_TABLE = unseen({ 'InvalidRouteTableID.NotFound': 400 });
const NO_LOAD_BALANCER = unseen({ LoadBalancerNotFound: 400 });
const NO_TARGET_GROUP = unseen({ TargetGroupNotFound: 400 });
const IN_USE = held({ DependencyViolation: 400 });

/** Further answers to single operations. */
const OPERATIONS: Readonly<Record<string, readonly Refusal[]>> = {
  'ec2:CreateVpc': used({ VpcLimitExceeded: 400 }),
  'ec2:CreateSubnet': [...NO_VPC, ...used({ SubnetLimitExceeded: 400 })],
  'ec2:CreateInternetGateway': used({ InternetGatewayLimitExceeded: 400 }),
  'ec2:AttachInternetGateway': [...NO_VPC, ...unseen({ 'InvalidInternetGatewayID.NotFound': 400 })],
  'ec2:CreateRouteTable': [...NO_VPC, ...used({ RouteTableLimitExceeded: 400 })],
  'ec2:AssociateRouteTable': [...NO_SUBNET, ...NO_ROUTE_TABLE],
  'ec2:CreateRoute': [...NO_ROUTE_TABLE, ...used({ RouteLimitExceeded: 400 })],
  'ec2:AllocateAddress': used({ AddressLimitExceeded: 400 }),
  'ec2:CreateNatGateway': [
    ...unseen({ 'InvalidAllocationID.NotFound': 400, 'InvalidSubnetID.NotFound': 400 }),
    ...used({ NatGatewayLimitExceeded: 400 }),
  ],
  'ec2:CreateSecurityGroup': [...NO_VPC, ...used({ SecurityGroupLimitExceeded: 400 })],
  'ec2:AuthorizeSecurityGroupIngress': [...NO_GROUP, ...used({ RulesPerSecurityGroupLimitExceeded: 400 })],
  'ec2:AuthorizeSecurityGroupEgress': [...NO_GROUP, ...used({ RulesPerSecurityGroupLimitExceeded: 400 })],
  'ec2:ModifySubnetAttribute': NO_SUBNET,
  'ec2:ModifyVpcAttribute': NO_VPC,
  'ec2:CreateTags': unseen({ InvalidID: 400 }),
  'ec2:RunInstances': [
    ...scarce({
      ...{ InsufficientInstanceCapacity: 500, InsufficientHostCapacity: 500, UnfulfillableCapacity: 500 },
      ...{ ReservationCapacityExceeded: 400, MaxSpotInstanceCountExceeded: 400, SpotMaxPriceTooLow: 400 },
      ...{ InsufficientFreeAddressesInSubnet: 400, Unsupported: 400 },
    }),
    ...used({ VcpuLimitExceeded: 400, InstanceLimitExceeded: 400, VolumeLimitExceeded: 400 }),
    ...NO_GROUP,
    ...NO_SUBNET,
  ],
  'ec2:TerminateInstances': held({ OperationNotPermitted: 400 }),
  'ec2:DetachInternetGateway': IN_USE,
  'ec2:DeleteInternetGateway': IN_USE,
  'ec2:DeleteSubnet': IN_USE,
  'ec2:DeleteRouteTable': IN_USE,
  'ec2:DeleteSecurityGroup': held({ DependencyViolation: 400, 'InvalidGroup.InUse': 400 }),
  'ec2:DeleteVpc': IN_USE,
  'ec2:ReleaseAddress': held({ 'InvalidIPAddress.InUse': 400, AuthFailure: 400 }),
  'elasticloadbalancing:CreateLoadBalancer': [
    ...used({ TooManyLoadBalancers: 400 }),
    ...unseen({ SubnetNotFound: 400, InvalidSecurityGroup: 400 }),
  ],
  'elasticloadbalancing:CreateTargetGroup': used({ TooManyTargetGroups: 400 }),
  'elasticloadbalancing:CreateListener': [...NO_LOAD_BALANCER, ...NO_TARGET_GROUP, ...used({ TooManyListeners: 400 })],
  'elasticloadbalancing:ModifyLoadBalancerAttributes': NO_LOAD_BALANCER,
  'elasticloadbalancing:SetSecurityGroups': NO_LOAD_BALANCER,
  'elasticloadbalancing:ModifyTargetGroupAttributes': NO_TARGET_GROUP,
  'elasticloadbalancing:RegisterTargets': [...NO_TARGET_GROUP, ...used({ TooManyTargets: 400 })],
  'elasticloadbalancing:DeleteTargetGroup': held({ ResourceInUse: 400 }),
  'elasticloadbalancing:DeleteLoadBalancer': held({ OperationNotPermitted: 400, ResourceInUse: 400 }),
  'autoscaling:CreateAutoScalingGroup': used({ LimitExceeded: 400 }),
  'autoscaling:DeleteAutoScalingGroup': held({ ScalingActivityInProgress: 400, ResourceInUse: 400 }),
  'autoscaling:UpdateAutoScalingGroup': held({ ScalingActivityInProgress: 400 }),
  'dynamodb:PutItem': used({ ItemCollectionSizeLimitExceededException: 400 }),
  'dynamodb:UpdateItem': used({ ItemCollectionSizeLimitExceededException: 400 }),
  'states:StartExecution': used({ ExecutionLimitExceeded: 400 }),
  'secretsmanager:CreateSecret': [
    ...used({ LimitExceededException: 400 }),
    ...held({ EncryptionFailure: 400, PreconditionNotMetException: 400 }),
  ],
  's3:PUT bucket': used({ TooManyBuckets: 400 }),
  's3:PutObject': unseen({ NoSuchBucket: 404 }),
};

/** All answers that can refuse a request with this name (`Request.name`); none for an unknown service. */
export const refusalsOf = (name: string): readonly Refusal[] => [
  ...(SERVICES[name.split(':')[0] ?? ''] ?? []),
  ...(OPERATIONS[name] ?? []),
];

/** The codes for throttling by service. */
const THROTTLING: Readonly<Record<string, Codes>> = {
  ec2: { RequestLimitExceeded: 503 },
  elasticloadbalancing: { Throttling: 400 },
  s3: { SlowDown: 503 },
  workload: { TooManyRequests: 429 },
};

/** The answer of a service that throttles a request with this name. */
export const throttlingOf = (name: string): Refusal => {
  const [refusal] = throttled(THROTTLING[name.split(':')[0] ?? ''] ?? { ThrottlingException: 400 });
  if (refusal === undefined) throw new Error(`no code for the throttling of ${name}`);
  return refusal;
};
