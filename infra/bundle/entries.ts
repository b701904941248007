import type { StepFunction } from '../../shared/work/steps.ts';
import { sourceFile } from '../source-file.ts';

/**
 * Every deployed function: the steps of the workflows, the API and its watches and authorizer, change reports, the
 * sweep, EC2's events, and the guard of the stack.
 */
export type FunctionName = StepFunction | 'api' | 'watch' | 'changes' | 'authorizer' | 'drift' | 'events' | 'guard';

/** Deployed only if a setting enables it. */
type OptionalFunction = 'hosts';
export type CoreFunction = Exclude<FunctionName, OptionalFunction>;
export type CoreStepFunction = Exclude<StepFunction, OptionalFunction>;

/** One value for each function that a stack has. */
export type OfFunctions<T> = Readonly<Record<CoreFunction, T> & Partial<Record<OptionalFunction, T>>>;

/** The entry module of each function, relative to the project's root. It must export `handler`. */
export const ENTRIES: Readonly<Record<FunctionName, string>> = {
  api: sourceFile('functions/api/handler'),
  watch: sourceFile('functions/watch/handler'),
  changes: sourceFile('functions/changes/handler'),
  authorizer: sourceFile('functions/authorizer/handler'),
  'cluster-objects': sourceFile('functions/cluster/objects/handler'),
  'cluster-network': sourceFile('functions/providers/aws/network/handler'),
  'cluster-load-balancer': sourceFile('functions/providers/aws/load-balancer/handler'),
  'cluster-workload': sourceFile('functions/cluster/workload/handler'),
  'machine-objects': sourceFile('functions/machine/objects/handler'),
  'machine-instance': sourceFile('functions/providers/aws/instance/handler'),
  'machine-target': sourceFile('functions/providers/aws/target/handler'),
  'machine-node': sourceFile('functions/machine/node/handler'),
  'pool-objects': sourceFile('functions/pool/handler'),
  'pool-group': sourceFile('functions/providers/aws/machine-pool/handler'),
  hosts: sourceFile('functions/providers/hosts/handler'),
  drift: sourceFile('functions/drift/handler'),
  events: sourceFile('functions/events/handler'),
  guard: sourceFile('functions/guard/handler'),
};

/** All names, including functions that are not always deployed. */
export const FUNCTION_NAMES = Object.keys(ENTRIES) as FunctionName[];

export const CORE_FUNCTIONS = FUNCTION_NAMES.filter((name): name is CoreFunction => name !== 'hosts');

/** The functions of a stack, in the order in which it creates them. */
export const deployedFunctions = ({ hosts }: { hosts: boolean }): readonly FunctionName[] =>
  hosts ? FUNCTION_NAMES : CORE_FUNCTIONS;
