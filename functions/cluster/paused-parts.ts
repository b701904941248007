import type { Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { isObjectPaused } from '../../shared/plan/status/paused.ts';
import type { ProvidedMachine } from '../../shared/providers/registry.ts';

/** What can pause a machine: it and its infrastructure, but an external provider pauses its own objects. */
export const pausedParts = (machine: Machine, infrastructure: ProvidedMachine | null | undefined): KubeObject[] => [
  machine,
  ...(infrastructure && infrastructure.provider.isOutside !== true ? [infrastructure.object] : []),
];

/** Whether an annotation on a machine or its infrastructure holds back its launch and its removal. */
export const isMachinePaused = (machine: Machine, infrastructure: ProvidedMachine | null | undefined): boolean =>
  pausedParts(machine, infrastructure).some(isObjectPaused);
