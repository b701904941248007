import { isDeepStrictEqual } from 'node:util';
import { LOCAL_MODE } from '../../bootstrap/kubeadm/version.ts';
import type { KubeadmConfigSpec } from '../../kinds/index.ts';
import { initSpec, joinSpec } from './machine-spec.ts';

type Init = NonNullable<KubeadmConfigSpec['initConfiguration']>;
type Join = NonNullable<KubeadmConfigSpec['joinConfiguration']>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An empty list of taints means "none"; any other empty list or object is equivalent to an absent one. */
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

/** Earlier releases of Cluster API stored these defaults; later ones do not. */
const withoutDefaults = <T extends Init | Join>(configuration: T | undefined) => {
  const { nodeRegistration, timeouts, ...rest } = configuration ?? ({} as T);
  const { imagePullPolicy, ...registration } = nodeRegistration ?? {};
  const { controlPlaneComponentHealthCheckSeconds: _seconds, ...waits } = timeouts ?? {};
  const policy = imagePullPolicy === 'IfNotPresent' ? {} : { imagePullPolicy };
  return { ...rest, nodeRegistration: { ...registration, ...policy }, timeouts: waits };
};

/**
 * The parts of a machine's configuration whose differences require a new machine: upstream's
 * PrepareKubeadmConfigsForDiff (pkg/filters.go). DNS is updated in place; discovery and the health check's timeout only
 * affect the next join. The feature gate that machines get if they need it is written to machines and not to control
 * planes, and not by all releases.
 */
const comparable = (spec: KubeadmConfigSpec): unknown => {
  const { initConfiguration, clusterConfiguration, joinConfiguration, format, ...rest } = spec;
  const { dns: _dns, controlPlaneEndpoint: _endpoint, featureGates, ...cluster } = clusterConfiguration ?? {};
  const { [LOCAL_MODE]: local, ...gates } = featureGates ?? {};
  const { bootstrapTokens: _tokens, ...init } = withoutDefaults(initConfiguration);
  const { discovery: _discovery, ...join } = withoutDefaults(joinConfiguration);
  return withoutEmpty({
    ...rest,
    format: format === 'cloud-config' ? undefined : format,
    clusterConfiguration: { ...cluster, featureGates: local === false ? { ...gates, [LOCAL_MODE]: false } : gates },
    initConfiguration: init,
    joinConfiguration: join,
  });
};

const isSame = (one: KubeadmConfigSpec, other: KubeadmConfigSpec): boolean =>
  isDeepStrictEqual(comparable(one), comparable(other));

/** The first machine's configuration in the form of a joining machine's: the common parts. */
const asJoin = (
  { initConfiguration, ...rest }: KubeadmConfigSpec,
  caCertPath: string | undefined,
): KubeadmConfigSpec => {
  const { timeouts, patches, skipPhases, nodeRegistration, localAPIEndpoint } = initConfiguration ?? {};
  const shared = { timeouts, patches, skipPhases, nodeRegistration };
  return {
    ...rest,
    joinConfiguration: { ...shared, caCertPath, controlPlane: { localAPIEndpoint } } as Join,
  };
};

/**
 * Whether a control plane machine's configuration is what its control plane would create today. The first machine's
 * configuration also counts as equal if it has the settings of the other machines or the control plane's settings for
 * the first one. So does one that contains the control plane's complete configuration, as earlier releases of Windlass
 * wrote it.
 */
export const isSameConfig = (is: KubeadmConfigSpec, controlPlane: KubeadmConfigSpec, version: string): boolean => {
  const wanted = joinSpec(controlPlane, version);
  if (is.joinConfiguration?.controlPlane) return isSame(is, wanted);
  return (
    isSame(joinSpec(is, version), wanted) ||
    isSame(asJoin(is, wanted.joinConfiguration?.caCertPath), wanted) ||
    isSame(is, initSpec(controlPlane, version))
  );
};
