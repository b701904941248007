import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { PrinterColumn } from '../../../../shared/kube-api/resource.ts';
import type { Node, Pod } from './objects.ts';
import type { Service } from './service-object.ts';

/** The columns of `kubectl get`, as upstream's printers compute them (pkg/printers/internalversion/printers.go). */

const NONE = '<none>';

const computed = <T extends KubeObject>(
  name: string,
  value: (object: T) => string | number,
  extra: Partial<PrinterColumn> = {},
): PrinterColumn => ({
  name,
  type: 'string',
  jsonPath: '',
  ...extra,
  // The server calls each kind's columns only with objects of that kind.
  value: (object) => value(object as T),
});

export const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

const wide = { priority: 1 };

const nodeStatus = ({ spec, status }: Node): string => {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const state = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return spec?.unschedulable ? `${state},SchedulingDisabled` : state;
};

const ROLE_PREFIX = 'node-role.kubernetes.io/';

const nodeRoles = ({ metadata }: Node): string => {
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return [key.slice(ROLE_PREFIX.length)];
    return key === 'kubernetes.io/role' && value ? [value] : [];
  });
  return [...new Set(roles)].filter(Boolean).sort().join(',') || NONE;
};

const address =
  (type: string) =>
  ({ status }: Node): string =>
    status?.addresses?.find((entry) => entry.type === type)?.address ?? NONE;

const info =
  (key: string) =>
  ({ status }: Node): string =>
    status?.nodeInfo?.[key] || '<unknown>';

export const nodeColumns: readonly PrinterColumn[] = [
  computed('Status', nodeStatus),
  computed('Roles', nodeRoles),
  age,
  computed<Node>('Version', ({ status }) => status?.nodeInfo?.kubeletVersion ?? ''),
  computed('Internal-IP', address('InternalIP'), wide),
  computed('External-IP', address('ExternalIP'), wide),
  computed('OS-Image', info('osImage'), wide),
  computed('Kernel-Version', info('kernelVersion'), wide),
  computed('Container-Runtime', info('containerRuntimeVersion'), wide),
];

const podReady = ({ spec, status }: Pod): string => {
  const ready = (status?.containerStatuses ?? []).filter((container) => container.ready).length;
  return `${ready}/${spec?.containers?.length ?? 0}`;
};

const podStatus = ({ metadata, status }: Pod): string =>
  metadata.deletionTimestamp ? 'Terminating' : (status?.reason ?? status?.phase ?? '');

const podRestarts = ({ status }: Pod): number =>
  (status?.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);

export const podColumns: readonly PrinterColumn[] = [
  computed('Ready', podReady),
  computed('Status', podStatus),
  computed('Restarts', podRestarts, { type: 'integer' }),
  age,
  computed<Pod>('IP', ({ status }) => status?.podIP ?? NONE, wide),
  computed<Pod>('Node', ({ spec }) => spec?.nodeName ?? NONE, wide),
  computed('Nominated Node', () => NONE, wide),
  computed('Readiness Gates', () => NONE, wide),
];

const externalAddress = ({ spec = {}, status }: Service): string => {
  if (spec.type === 'ExternalName') return spec.externalName ?? '';
  const hosts = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip ?? hostname ?? []);
  const all = [...(spec.type === 'LoadBalancer' ? hosts : []), ...(spec.externalIPs ?? [])];
  if (all.length > 0) return all.join(',');
  return spec.type === 'LoadBalancer' ? '<pending>' : NONE;
};

const servicePorts = ({ spec }: Service): string =>
  (spec?.ports ?? [])
    .map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`)
    .join(',') || NONE;

export const serviceColumns: readonly PrinterColumn[] = [
  { name: 'Type', type: 'string', jsonPath: '.spec.type' },
  computed<Service>('Cluster-IP', ({ spec }) => spec?.clusterIP ?? NONE),
  computed('External-IP', externalAddress),
  computed('Port(s)', servicePorts),
  age,
];

export const leaseColumns: readonly PrinterColumn[] = [
  { name: 'Holder', type: 'string', jsonPath: '.spec.holderIdentity' },
  age,
];

export const signingRequestColumns: readonly PrinterColumn[] = [
  age,
  { name: 'SignerName', type: 'string', jsonPath: '.spec.signerName' },
  { name: 'Requestor', type: 'string', jsonPath: '.spec.username' },
  computed<KubeObject & { status?: { certificate?: string; conditions?: { type: string }[] } }>(
    'Condition',
    ({ status }) => {
      const states = (status?.conditions ?? []).map(({ type }) => type);
      if (status?.certificate) states.push('Issued');
      return states.join(',') || 'Pending';
    },
  ),
];
