import type { Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { isObjectPaused } from '../../shared/plan/status/paused.ts';
import type { ProvidedMachine } from '../../shared/providers/registry.ts';

/**
 * The objects whose pause also pauses a machine: itself and its infrastructure. The objects of an external provider do
 * not count, because the provider pauses them itself.
 */
export const pausedParts = (machine: Machine, infrastructure: ProvidedMachine | null | undefined): KubeObject[] => [
  machine,
  ...(infrastructure && infrastructure.provider.isOutside !== true ? [infrastructure.object] : []),
];

/** Whether an annotation on a machine or its infrastructure delays its launch and removal. */
export const isMachinePaused = (machine: Machine, infrastructure: ProvidedMachine | null | undefined): boolean =>
  pausedParts(machine, infrastructure).some(isObjectPaused);
