import type { ObservedNetworkInterface } from './model.ts';

/** Who uses the network, for a person. */
export const describeInterface = ({ id, description, instanceId }: ObservedNetworkInterface): string => {
  const user = instanceId ? `instance ${instanceId}` : description || 'unknown user';
  return `network interface ${id} (${user})`;
};
