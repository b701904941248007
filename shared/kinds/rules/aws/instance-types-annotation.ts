/**
 * On an AWSMachine: instance types to take, in their order, where `spec.instanceType` has no capacity. It has a file of its
 * own because the page needs it, and not the schemas of the other annotations.
 */
export const INSTANCE_TYPES_ANNOTATION = 'windlass.dev/instance-types';
