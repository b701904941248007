/**
 * The entries of the controllers' memory, by the kind of the object that they are about. docs/annotations.md has the
 * same table with who writes and who reads each; a test holds the two together.
 */

export interface MemoryKind {
  readonly names: readonly string[];
  /** Entries whose names begin so, one for each thing of a kind that may be in the making. */
  readonly prefixes?: readonly string[];
}

export const MEMORY: Readonly<Record<string, MemoryKind>> = {
  'awsmachines.infrastructure.cluster.x-k8s.io': {
    names: ['windlass.dev/launch', 'windlass.dev/bootstrap-object'],
    prefixes: ['intent.windlass.dev/'],
  },
  'awsclusters.infrastructure.cluster.x-k8s.io': {
    names: [
      'windlass.dev/settled',
      'windlass.dev/network-turn',
      'windlass.dev/bastion-launch',
      'windlass.dev/bucket',
      'windlass.dev/preflight',
      'windlass.dev/begun',
      'windlass.dev/used-places',
    ],
    prefixes: ['intent.windlass.dev/'],
  },
};

export const prefixesOf = ({ prefixes = [] }: MemoryKind): readonly string[] => prefixes;
