/** Access to the Services of a workload cluster. */
import { isIP } from 'node:net';
import * as z from 'zod';
import { ConflictError } from '../errors.ts';
import { isObject } from '../kube-api/json.ts';
import { CLEANUP_FINALIZER, type ListedService, type Service } from '../plan/services/service.ts';
import { ask, listAt, parsed, refusal, type Send, wellFormed } from './answers.ts';
import { annotations, listOf, name } from './bounds.ts';
import { unreachable } from './client.ts';
import { ConnectionFault } from './faults.ts';
import type { ServicesApi } from './services.ts';

/** The memory for the Services of a cluster. An honest cluster has at most a few thousand. */
const MOST_BYTES = 16 * 1024 * 1024;

/** An honest cluster has hardly any Services that cannot be read, and each of them takes more time than others. */
const MOST_UNREAD = 500;

const port = z.int().min(0).max(65_535);

const IDENTITY = z.object({
  name: name.regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/),
  namespace: name.regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/),
  uid: name.regex(/^[A-Za-z0-9-]+$/),
  resourceVersion: name,
});

const SERVICE = z.object({
  metadata: IDENTITY.extend({
    annotations: annotations.optional(),
    finalizers: listOf(name).optional(),
    creationTimestamp: name.nullish(),
    deletionTimestamp: name.nullish(),
  }),
  spec: z
    .object({
      type: name.default('ClusterIP'),
      loadBalancerClass: name.nullish(),
      loadBalancerIP: name.default(''),
      loadBalancerSourceRanges: listOf(name).nullish(),
      sessionAffinity: name.default('None'),
      externalTrafficPolicy: name.default('Cluster'),
      healthCheckNodePort: port.default(0),
      ports: listOf(
        z.object({ name: name.default(''), protocol: name.default('TCP'), port, nodePort: port.default(0) }),
      ).nullish(),
    })
    .prefault({}),
  status: z
    .object({
      loadBalancer: z
        .object({ ingress: listOf(z.object({ hostname: name.optional(), ip: name.optional() })).nullish() })
        .nullish(),
    })
    .nullish(),
});

const fromItem = ({ metadata, spec, status }: z.infer<typeof SERVICE>): Service => {
  const { annotations = {}, finalizers = [], creationTimestamp, deletionTimestamp, ...identity } = metadata;
  return {
    ...identity,
    annotations,
    finalizers,
    ...(creationTimestamp ? { createdAt: creationTimestamp } : {}),
    isDeleted: Boolean(deletionTimestamp),
    ...spec,
    loadBalancerClass: spec.loadBalancerClass ?? undefined,
    loadBalancerSourceRanges: spec.loadBalancerSourceRanges ?? [],
    ports: spec.ports ?? [],
    ingress: (status?.loadBalancer?.ingress ?? []).flatMap(({ hostname, ip }) => hostname || ip || []),
  };
};

const toService = (item: unknown): Service => fromItem(wellFormed(SERVICE.safeParse(item).data, 'Service'));

/** Whether a Service that cannot be read may have or need a load balancer. One with a class belongs to its controller. */
const mayBeBalanced = ({ metadata, spec }: Record<string, unknown>): boolean => {
  const finalizers = isObject(metadata) && Array.isArray(metadata.finalizers) ? metadata.finalizers : [];
  if (finalizers.includes(CLEANUP_FINALIZER)) return true;
  return isObject(spec) && spec.type === 'LoadBalancer' && typeof spec.loadBalancerClass !== 'string';
};

/**
 * Reads the items of a list. One that cannot be read must not affect the others. Throws WorkloadUnreachableError if
 * there are too many of these, or if one does not even have a name.
 */
const makeReader = (): ((item: Record<string, unknown>) => ListedService | undefined) => {
  let unread = 0;
  return (item) => {
    const { data, error } = SERVICE.safeParse(item);
    if (data) return fromItem(data);
    unread += 1;
    if (unread > MOST_UNREAD) throw unreachable(new ConnectionFault('its list has too many invalid Services'));
    if (!mayBeBalanced(item)) return undefined;
    const identity = wellFormed(IDENTITY.safeParse(item.metadata).data, 'Service');
    return { ...identity, unreadField: error.issues[0]?.path.join('.') ?? '' };
  };
};

const pathOf = ({ namespace, name: of }: Service): string =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/services/${encodeURIComponent(of)}`;

const patch = (send: Send, path: string, value: object) =>
  ask(send, { method: 'PATCH', path, body: { type: 'application/merge-patch+json', value } });

/** Access to the Services through a connection. */
export const servicesApi = (send: Send): ServicesApi => ({
  list: async () => {
    const items = await listAt(send, '/api/v1/services', makeReader(), MOST_BYTES);
    return items.flatMap((item) => item ?? []);
  },
  setFinalizers: async (service, finalizers) => {
    const metadata = { resourceVersion: service.resourceVersion, finalizers };
    const { code, text: answer } = await patch(send, pathOf(service), { metadata });
    if (code === 409) throw new ConflictError(`Service ${service.namespace}/${service.name} has changed`);
    if (code >= 300) throw refusal(code, answer);
    return toService(parsed(answer));
  },
  setHosts: async (service, hosts) => {
    const ingress = hosts.map((host) => (isIP(host) ? { ip: host } : { hostname: host }));
    const { code, text: answer } = await patch(send, `${pathOf(service)}/status`, {
      metadata: { uid: service.uid },
      status: { loadBalancer: { ingress } },
    });
    if (code === 404) return undefined;
    if (code >= 300) throw refusal(code, answer);
    return toService(parsed(answer));
  },
});
