/**
 * On an AWSMachine: the instance types to use, in order, if there is no capacity for `spec.instanceType`. It has a file
 * of its own because the page needs it without the schemas of the other annotations.
 */
export const INSTANCE_TYPES_ANNOTATION = 'windlass.dev/instance-types';
