import type { ObservedNetworkInterface } from './model.ts';

/** A network interface and its user, as text. */
export const describeInterface = ({ id, description, instanceId }: ObservedNetworkInterface): string => {
  const user = instanceId ? `instance ${instanceId}` : description || 'unknown user';
  return `network interface ${id} (${user})`;
};
