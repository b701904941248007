import type { KubeadmConfigSpec } from '../../kinds/index.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An empty list of taints says "none"; every other list or object that is empty says as much as one that is absent. */
const withoutEmpty = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, field]): [string, unknown] => [key, withoutEmpty(field)])
      .filter(([key, field]) => {
        if (Array.isArray(field)) return field.length > 0 || key === 'taints';
        return field !== undefined && !(isObject(field) && Object.keys(field).length === 0);
      }),
  );
};

/**
 * What of a machine's configuration makes it another machine: upstream's PrepareKubeadmConfigsForDiff (pkg/filters.go).
 * DNS follows in place; discovery and the health check's timeout count for the next join; what only the first machine of
 * a cluster does is done.
 */
export const comparable = (spec: object | undefined): unknown => {
  const {
    initConfiguration: _init,
    clusterConfiguration,
    joinConfiguration,
    ...rest
  } = (spec ?? {}) as KubeadmConfigSpec;
  const { dns: _dns, controlPlaneEndpoint: _endpoint, ...cluster } = clusterConfiguration ?? {};
  const { discovery: _discovery, timeouts, ...join } = joinConfiguration ?? {};
  const { controlPlaneComponentHealthCheckSeconds: _seconds, ...waits } = timeouts ?? {};
  return withoutEmpty({
    ...rest,
    clusterConfiguration: cluster,
    joinConfiguration: { ...join, timeouts: waits },
  });
};
