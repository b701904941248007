import type { StepFunction } from '../../shared/work/steps.ts';

/** Every deployed function: the steps of the workflows, the API, its authorizer, the sweep, EC2's events and the guard of the stack. */
export type FunctionName = StepFunction | 'api' | 'authorizer' | 'drift' | 'events' | 'guard';

/** The entry module of each function, relative to the project's root. It must export `handler`. */
export const ENTRIES: Readonly<Record<FunctionName, string>> = {
  api: 'functions/api/handler.ts',
  authorizer: 'functions/authorizer/handler.ts',
  'cluster-objects': 'functions/cluster/objects/handler.ts',
  'cluster-network': 'functions/providers/aws/network/handler.ts',
  'cluster-load-balancer': 'functions/providers/aws/load-balancer/handler.ts',
  'cluster-workload': 'functions/cluster/workload/handler.ts',
  'machine-objects': 'functions/machine/objects/handler.ts',
  'machine-instance': 'functions/providers/aws/instance/handler.ts',
  'machine-target': 'functions/providers/aws/target/handler.ts',
  'machine-node': 'functions/machine/node/handler.ts',
  drift: 'functions/drift/handler.ts',
  events: 'functions/events/handler.ts',
  guard: 'functions/guard/handler.ts',
};

/** The names in the order in which the stack creates them. */
export const FUNCTION_NAMES = Object.keys(ENTRIES) as FunctionName[];
