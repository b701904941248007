import { CORE_CLUSTER_MEMORY, CORE_POOL_MEMORY, type MemoryKind } from '../../../plan/memory/kind.ts';
import { IMAGES_ANNOTATION } from './launch/remembered-images.ts';
import { LEGACY } from './legacy-memory.ts';

/** The entries in the records of AWS's objects; docs/annotations.md says who writes and who reads each. */
export const AWS_MEMORY = {
  machine: {
    names: [
      'windlass.dev/launch',
      'windlass.dev/bootstrap-object',
      'windlass.dev/late-secrets',
      'windlass.dev/late-object',
    ],
    prefixes: ['intent.windlass.dev/'],
    legacy: LEGACY,
  },
  cluster: {
    names: [
      'windlass.dev/settled',
      'windlass.dev/network-turn',
      'windlass.dev/bastion-launch',
      'windlass.dev/bucket',
      'windlass.dev/preflight',
      IMAGES_ANNOTATION,
      ...CORE_CLUSTER_MEMORY,
    ],
    prefixes: ['intent.windlass.dev/'],
    legacy: LEGACY,
  },
  pool: {
    names: ['windlass.dev/group', 'windlass.dev/launch-template', 'windlass.dev/instance-refresh', ...CORE_POOL_MEMORY],
  },
} as const satisfies Record<string, MemoryKind>;
