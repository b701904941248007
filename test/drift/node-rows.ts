import { kinds } from '../../shared/kinds/index.ts';
import { readNotice } from '../../shared/plan/instance-events/notice.ts';
import { NAMESPACE } from '../cluster-infrastructure/world.ts';
import type { DriftWorld } from './drift-world.ts';
import { LABELLED, POOL } from './nodes.ts';
import type { Row } from './row.ts';

const NAME = LABELLED;
const LABEL = Object.keys(POOL)[0] ?? '';

const labelsOf = ({ nodes }: DriftWorld) => nodes.get(NAME)?.metadata?.labels ?? {};

const isToBeReplaced = async ({ objects }: DriftWorld) => {
  const machine = await objects.get(kinds.machine, { namespace: NAMESPACE, name: NAME });
  return machine !== undefined && readNotice(machine)?.reason === 'Drift';
};

/** Changes to nodes. */
export const NODE_ROWS: readonly Row[] = [
  {
    kind: 'NodeMetadata',
    what: 'removes a label from a node',
    step: 'probe',
    change: async (world) => {
      delete labelsOf(world)[LABEL];
    },
    isThere: async (world) => labelsOf(world)[LABEL] === undefined,
  },
  {
    kind: 'NodeDeleted',
    what: 'deletes a node',
    step: 'probe',
    repaired: 'its owner replaces the Machine, the new one first',
    change: async ({ nodes }) => nodes.delete(NAME),
    isThere: async (world) => !world.nodes.has(NAME) && !(await isToBeReplaced(world)),
  },
];
