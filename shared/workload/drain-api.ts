import * as z from 'zod';
import { isObject } from '../kube-api/json.ts';
import type { AttachedVolume, DrainNode, DrainPod, PersistentVolume } from '../plan/drain/facts.ts';
import { ask, listAt, parsed, refusal, type Send, textOf, wellFormed } from './answers.ts';
import { WorkloadUnreachableError } from './client.ts';
import type { DrainApi } from './drain.ts';

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);
const nameOf = ({ metadata }: Fields): string => textOf(fieldsOf(metadata).name);
const segment = encodeURIComponent;

const toNode = (object: Fields): DrainNode => {
  const status = fieldsOf(object.status);
  const spec = fieldsOf(object.spec);
  const providerId = textOf(spec.providerID);
  const ready = listOf(status.conditions).find(({ type }) => type === 'Ready');
  return {
    name: nameOf(object),
    ...(providerId ? { providerId } : {}),
    unschedulable: spec.unschedulable === true,
    unreachable: ready?.status === 'Unknown',
    volumes: listOf(status.volumesAttached).map(({ name }) => textOf(name)),
  };
};

const toAttached = (object: Fields): AttachedVolume => {
  const spec = fieldsOf(object.spec);
  const volume = textOf(fieldsOf(spec.source).persistentVolumeName);
  return { name: nameOf(object), node: textOf(spec.nodeName), ...(volume ? { volume } : {}) };
};

const toVolume = (object: Fields): PersistentVolume => {
  const { csi, claimRef } = fieldsOf(object.spec);
  const claim = fieldsOf(claimRef);
  return {
    name: nameOf(object),
    ...(isObject(csi) ? { csi: { driver: textOf(csi.driver), volumeHandle: textOf(csi.volumeHandle) } } : {}),
    ...(claim.kind === 'PersistentVolumeClaim' ? { claim: `${textOf(claim.namespace)}/${textOf(claim.name)}` } : {}),
  };
};

const name = z.string().max(512);
const texts = z.record(name, z.string());

const POD = z.object({
  metadata: z.object({
    name,
    namespace: name,
    labels: texts.optional(),
    annotations: texts.optional(),
    deletionTimestamp: name.optional(),
    ownerReferences: z.array(z.object({ kind: name, name, controller: z.boolean().optional() })).optional(),
  }),
  spec: z
    .object({
      volumes: z.array(z.object({ persistentVolumeClaim: z.object({ claimName: name }).optional() })).optional(),
    })
    .optional(),
  status: z.object({ phase: name.optional() }).optional(),
});

/** Throws WorkloadUnreachableError if the item is not a pod. */
const toPod = (item: Fields): DrainPod => wellFormed(POD.safeParse(item).data, 'pod');

/** Longer texts of a server are truncated. */
const MAX_WORDS = 1000;

/**
 * The refusal of a disruption budget names the budget only in its causes. A namespace that is being deleted accepts no
 * new objects.
 */
const refusedBy = (code: number, text: string): string => {
  const { message, details } = parsed(text);
  const said = textOf(message).slice(0, MAX_WORDS) || `HTTP ${code}`;
  const causes = listOf(fieldsOf(details).causes);
  if (code === 429 && isObject(details))
    return `${said} ${causes
      .map((cause) => textOf(cause.message))
      .join(',')
      .slice(0, MAX_WORDS)}`;
  if (code === 403 && causes.some(({ reason }) => reason === 'NamespaceTerminating')) {
    return 'Cannot evict pod from terminating namespace: unable to create eviction (kube-controller-manager should set deletionTimestamp)';
  }
  return said;
};

const evictBy =
  (send: Send): DrainApi['evict'] =>
  async ({ metadata: { name, namespace } }, graceSeconds) => {
    const path = `/api/v1/namespaces/${segment(namespace)}/pods/${segment(name)}/eviction`;
    const value = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace },
      ...(graceSeconds === undefined ? {} : { deleteOptions: { gracePeriodSeconds: graceSeconds } }),
    };
    try {
      const { code, text } = await ask(send, { method: 'POST', path, body: { type: 'application/json', value } });
      if (code < 300) return { outcome: 'evicted' };
      return code === 404 ? { outcome: 'gone' } : { outcome: 'refused', why: refusedBy(code, text) };
    } catch (error) {
      // If one eviction gets no response, only that pod is affected: the other pods are still evicted.
      if (error instanceof WorkloadUnreachableError) return { outcome: 'refused', why: error.message };
      throw error;
    }
  };

/** The part of a client that drains nodes. */
export const drainApi = (send: Send): DrainApi => {
  const read = async (path: string): Promise<Fields | undefined> => {
    const { code, text } = await ask(send, { method: 'GET', path });
    if (code === 404) return undefined;
    if (code >= 300) throw refusal(code, text);
    return parsed(text);
  };
  return {
    node: async (name) => {
      const found = await read(`/api/v1/nodes/${segment(name)}`);
      return found && toNode(found);
    },
    cordon: async (name) => {
      const body = { type: 'application/merge-patch+json', value: { spec: { unschedulable: true } } };
      const { code, text } = await ask(send, { method: 'PATCH', path: `/api/v1/nodes/${segment(name)}`, body });
      if (code >= 300) throw refusal(code, text);
    },
    podsOn: (node) => listAt(send, `/api/v1/pods?fieldSelector=${segment(`spec.nodeName=${node}`)}`, toPod),
    namespaces: async () => {
      const found = (await listAt(send, '/api/v1/namespaces')) as { metadata?: { labels?: Record<string, string> } }[];
      return new Map(found.map((namespace) => [nameOf(namespace), namespace.metadata?.labels ?? {}]));
    },
    hasDaemonSet: async (namespace, name) =>
      (await read(`/apis/apps/v1/namespaces/${segment(namespace)}/daemonsets/${segment(name)}`)) !== undefined,
    evict: evictBy(send),
    attachedVolumes: async () =>
      (await listAt(send, '/apis/storage.k8s.io/v1/volumeattachments'))
        .filter(({ status }) => fieldsOf(status).attached === true)
        .map(toAttached),
    persistentVolumes: async () => (await listAt(send, '/api/v1/persistentvolumes')).map(toVolume),
  };
};
