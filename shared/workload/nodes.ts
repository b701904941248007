/** Nodes and pods of a created cluster, as far as they are read. The server may be hostile: what is kept has bounds. */
import type { V1Node } from '@kubernetes/client-node';
import * as z from 'zod';
import type { SystemPod } from '../plan/control-plane/system-pod.ts';
import { wellFormed } from './answers.ts';

/** Kubernetes' own bounds: 253 characters of a name, 63 of a label's value, 256 KiB of annotations, 32 KiB of a message. */
const MAX_VALUE = 256 * 1024;
const MAX_MESSAGE = 2048;
const MAX_ENTRIES = 500;

const name = z.string().max(512);
const message = z.string().transform((text) => text.slice(0, MAX_MESSAGE));
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const values = z.record(name, z.string().max(MAX_VALUE));
const listOf = <T extends z.ZodType>(item: T) => z.array(item).max(MAX_ENTRIES);

const metadata = z.object({
  name,
  uid: name.optional(),
  resourceVersion: name.optional(),
  creationTimestamp: instant.nullish().transform((time) => time ?? undefined),
  deletionTimestamp: instant.nullish().transform((time) => time ?? undefined),
  labels: values.optional(),
  annotations: values.optional(),
});

const condition = z.object({
  type: name,
  status: name,
  reason: message.optional(),
  message: message.optional(),
  lastTransitionTime: instant.nullish().transform((time) => time ?? undefined),
});

/** As in a Machine's status; newer kubelets report more. */
const nodeInfo = z.object({
  machineID: name,
  systemUUID: name,
  bootID: name,
  kernelVersion: name,
  osImage: name,
  containerRuntimeVersion: name,
  kubeletVersion: name,
  kubeProxyVersion: name.default(''),
  operatingSystem: name,
  architecture: name,
  swap: z.object({ capacity: z.int().optional() }).optional(),
});

const NODE = z.object({
  metadata,
  spec: z
    .object({
      providerID: name.optional(),
      podCIDRs: listOf(name).optional(),
      unschedulable: z.boolean().optional(),
      // Written back as a whole, so nothing of a taint is left out.
      taints: listOf(z.looseObject({ key: name, effect: name, value: name.optional() })).optional(),
    })
    .optional(),
  status: z
    .object({
      conditions: listOf(condition).optional(),
      addresses: listOf(z.object({ type: name, address: name })).optional(),
      nodeInfo: nodeInfo.optional(),
    })
    .optional(),
});

const containerState = z.object({
  waiting: z.object({ reason: message.optional() }).optional(),
  terminated: z.object({ reason: message.optional(), exitCode: z.int().optional() }).optional(),
});

const POD = z.object({
  metadata,
  status: z
    .object({
      phase: name.optional(),
      conditions: listOf(condition).optional(),
      containerStatuses: listOf(
        z.object({ state: containerState.optional(), lastState: containerState.optional() }),
      ).optional(),
    })
    .optional(),
});

/** A node of an answer. Throws WorkloadUnreachableError if it is invalid. */
export const toNode = (item: unknown): V1Node => wellFormed(NODE.safeParse(item).data, 'node') as unknown as V1Node;

/** A pod of an answer. Throws WorkloadUnreachableError if it is invalid. */
export const toPod = (item: unknown): SystemPod => wellFormed(POD.safeParse(item).data, 'pod');
