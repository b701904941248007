import type { StepTable } from '../../step.ts';
import { confirmNode } from './confirm.ts';
import { deleteNode } from './delete.ts';
import type { NodeDependencies } from './dependencies.ts';
import { drainNode } from './drain/drain-node.ts';
import { leaveEtcd } from './leave-etcd.ts';
import { watchNodes } from './watch.ts';

/** The steps of a machine's workflows that access the workload cluster. */
export const makeNodeSteps = (deps: NodeDependencies): StepTable<'machine-node'> => ({
  confirmNode: confirmNode(deps),
  watchNodes: watchNodes(deps),
  deleteNode: deleteNode(deps),
  leaveEtcd: leaveEtcd(deps),
  drainNode: drainNode(deps),
});
