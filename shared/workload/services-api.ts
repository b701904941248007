/** Access to the Services of a workload cluster. */
import { isIP } from 'node:net';
import * as z from 'zod';
import { ConflictError } from '../errors.ts';
import type { Service } from '../plan/services/service.ts';
import { ask, listAt, parsed, refusal, type Send, wellFormed } from './answers.ts';
import { annotations, listOf, name } from './bounds.ts';
import type { ServicesApi } from './services.ts';

/** The memory for the Services of a cluster. An honest cluster has at most a few thousand. */
const MOST_BYTES = 16 * 1024 * 1024;

const port = z.int().min(0).max(65_535);

const SERVICE = z.object({
  metadata: z.object({
    name: name.regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/),
    namespace: name.regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/),
    uid: name.regex(/^[A-Za-z0-9-]+$/),
    resourceVersion: name,
    annotations: annotations.optional(),
    finalizers: listOf(name).optional(),
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

const toService = (item: unknown): Service => {
  const { metadata, spec, status } = wellFormed(SERVICE.safeParse(item).data, 'Service');
  const { annotations = {}, finalizers = [], deletionTimestamp, ...identity } = metadata;
  return {
    ...identity,
    annotations,
    finalizers,
    isDeleted: Boolean(deletionTimestamp),
    ...spec,
    loadBalancerClass: spec.loadBalancerClass ?? undefined,
    loadBalancerSourceRanges: spec.loadBalancerSourceRanges ?? [],
    ports: spec.ports ?? [],
    ingress: (status?.loadBalancer?.ingress ?? []).flatMap(({ hostname, ip }) => hostname || ip || []),
  };
};

const pathOf = ({ namespace, name: of }: Service): string =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/services/${encodeURIComponent(of)}`;

const patch = (send: Send, path: string, value: object) =>
  ask(send, { method: 'PATCH', path, body: { type: 'application/merge-patch+json', value } });

/** Access to the Services through a connection. */
export const servicesApi = (send: Send): ServicesApi => ({
  list: () => listAt(send, '/api/v1/services', toService, MOST_BYTES),
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
