import type { ConvergeInput, MachineInput } from '../../../shared/work/payloads.ts';
import type { StepTable } from '../../step.ts';
import { endpoint, removeFoundation } from './cluster.ts';
import type { HostsDependencies } from './dependencies.ts';
import { launchInstance } from './launch.ts';
import { observeInstance } from './observe.ts';
import { terminateInstance } from './release.ts';

/** All steps of the provider. What a cloud would create for a cluster already exists here. */
export const makeHostsSteps = (deps: HostsDependencies): StepTable<'hosts'> => ({
  foundation: async () => ({ ready: true }),
  egress: async () => ({ ready: true }),
  endpoint: (input) => endpoint(deps)(input as ConvergeInput),
  removeEndpoint: async () => ({ done: true }),
  removeFoundation: (input) => removeFoundation(deps)(input as ConvergeInput),
  launchInstance: (input) => launchInstance(deps)(input as MachineInput),
  observeInstance: (input) => observeInstance(deps)(input as MachineInput),
  terminateInstance: (input) => terminateInstance(deps)(input as MachineInput),
  attachEndpoint: async () => ({}),
  detachEndpoint: async () => ({}),
});
