/** Some templates name zones of this region. */
export const REGION = 'us-west-2';

/** The values of the templates' variables, except for those that name resources of the account. */
export const VARIABLES = {
  AWS_REGION: REGION,
  AWS_SSH_KEY_NAME: 'default',
  AWS_CONTROL_PLANE_MACHINE_TYPE: 't3.large',
  AWS_NODE_MACHINE_TYPE: 't3.large',
  AWS_AVAILABILITY_ZONE: 'us-west-2a',
  AWS_AVAILABILITY_ZONE_1: 'us-west-2a',
  AWS_AVAILABILITY_ZONE_2: 'us-west-2b',
  AWS_S3_BUCKET_NAME: 'cluster-api-provider-aws-templates',
  CONTROL_PLANE_MACHINE_COUNT: '1',
  WORKER_MACHINE_COUNT: '1',
  KUBERNETES_VERSION: 'v1.35.0',
  KUBERNETES_AWS_CCM_VERSION: 'v1.32.5',
  // This variable is not replaced here. On the machine, Ignition's metadata agent sets it.
  COREOS_EC2_HOSTNAME: '\u0024{COREOS_EC2_HOSTNAME}',
  CAPI_IMAGES_REGISTRY: 'registry.example.com',
  E2E_IMAGE_TAG: 'e2e',
  MULTI_TENANCY_SIMPLE_IDENTITY_NAME: 'simple',
  MULTI_TENANCY_JUMP_IDENTITY_NAME: 'jump',
  MULTI_TENANCY_NESTED_IDENTITY_NAME: 'nested',
  MULTI_TENANCY_SIMPLE_ROLE_ARN: 'arn:aws:iam::000000000000:role/simple',
  MULTI_TENANCY_JUMP_ROLE_ARN: 'arn:aws:iam::000000000000:role/jump',
  MULTI_TENANCY_NESTED_ROLE_ARN: 'arn:aws:iam::000000000000:role/nested',
  DOCKER_PRELOAD_IMAGES: '[]',
  DOCKER_POD_CIDRS: '192.168.0.0/16',
  DOCKER_SERVICE_CIDRS: '10.128.0.0/12',
  DOCKER_SERVICE_DOMAIN: 'cluster.local',
};
