/** The parts of a workload cluster's nodes and pods that are read. */
import type { V1Node } from '@kubernetes/client-node';
import * as z from 'zod';
import type { SystemPod } from '../plan/control-plane/system-pod.ts';
import { wellFormed } from './answers.ts';
import { annotations, labels, listOf, message, name } from './bounds.ts';

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const metadata = z.object({
  name,
  uid: name.optional(),
  resourceVersion: name.optional(),
  creationTimestamp: instant.nullish().transform((time) => time ?? undefined),
  deletionTimestamp: instant.nullish().transform((time) => time ?? undefined),
  labels: labels.optional(),
  annotations: annotations.optional(),
});

const condition = z.object({
  type: name,
  status: name,
  reason: message.optional(),
  message: message.optional(),
  lastTransitionTime: instant.nullish().transform((time) => time ?? undefined),
});

/** The same fields as in a Machine's status; newer kubelets report more. */
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
      // Taints are written back as complete lists, so all of their fields are kept.
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

/** Parses a node in a response. Throws WorkloadUnreachableError if it is invalid. */
export const toNode = (item: unknown): V1Node => wellFormed(NODE.safeParse(item).data, 'node') as unknown as V1Node;

/** Parses a pod in a response. Throws WorkloadUnreachableError if it is invalid. */
export const toPod = (item: unknown): SystemPod => wellFormed(POD.safeParse(item).data, 'pod');
