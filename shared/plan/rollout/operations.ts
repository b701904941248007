import type { MachineSet } from '../../kinds/index.ts';
import type { ScaleIntent } from './facts.ts';
import type { DeploymentPlan } from './plan.ts';

/** The text of the deployment's event after the operation. */
interface Said<Reason extends string> {
  reason: Reason;
  message: string;
}

export interface CreateSet {
  do: 'create-set';
  set: MachineSet;
  event: Said<'SuccessfulCreate'>;
}

export interface UpdateSet {
  do: 'update-set';
  set: MachineSet;
  /** The set from which the plan was made. */
  from?: MachineSet;
  /** Set if its replicas change. */
  event?: Said<'SuccessfulScale'>;
}

export interface DeleteSet {
  do: 'delete-set';
  set: MachineSet;
  event?: Said<'SuccessfulDelete'>;
}

/** One change of a deployment's sets. */
export type DeploymentOperation = CreateSet | UpdateSet | DeleteSet;

/** The creation of a set. */
export const creationOf = (set: MachineSet): CreateSet => ({
  do: 'create-set',
  set,
  event: {
    reason: 'SuccessfulCreate',
    message: `Created MachineSet ${set.metadata.name} with ${set.spec.replicas} ${set.spec.replicas === 1 ? 'replica' : 'replicas'}`,
  },
});

const scaled = ({ set, replicas, reason }: ScaleIntent, before: number): UpdateSet['event'] => ({
  reason: 'SuccessfulScale',
  message: `Scaled ${replicas > before ? 'up' : 'down'} MachineSet ${set} from ${before} to ${replicas} replicas: ${reason}`,
});

const update = (set: MachineSet, from: MachineSet | undefined, intent: ScaleIntent | undefined): UpdateSet => {
  const before = from?.spec.replicas;
  const event = intent && before !== undefined ? scaled(intent, before) : undefined;
  return { do: 'update-set', set, ...(from ? { from } : {}), ...(event ? { event } : {}) };
};

const remove = (set: MachineSet): DeleteSet => ({
  do: 'delete-set',
  set,
  event: {
    reason: 'SuccessfulDelete',
    message: `Deleted MachineSet ${set.metadata.name}: all its Machines are replaced`,
  },
});

/** The operations of a plan. The operations in one member may run concurrently; the members run one after the other. */
export interface DeploymentOperations {
  create: CreateSet[];
  update: UpdateSet[];
  /** Only for sets that still exist. */
  remove: DeleteSet[];
}

/** The operations of a deployment's plan. `owned`: the sets from which it was made. */
export const deploymentOperations = (plan: DeploymentPlan, owned: readonly MachineSet[]): DeploymentOperations => ({
  create: plan.create ? [creationOf(plan.create)] : [],
  update: plan.update.map((set) => {
    const from = owned.find(({ metadata }) => metadata.uid === set.metadata.uid);
    return update(
      set,
      from,
      plan.scale.find((intent) => intent.set === set.metadata.name),
    );
  }),
  remove: plan.update.filter(({ metadata }) => plan.remove.includes(metadata.name)).map(remove),
});

/** Deletes all sets of a deployment that is being deleted, without events. */
export const deletionOfSets = (owned: readonly MachineSet[]): DeleteSet[] =>
  owned.map((set) => ({ do: 'delete-set', set }));
