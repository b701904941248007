import { normal, warning } from '../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../shared/events/recorder.ts';

/** Reasons of events that are recorded while a machine's objects are created. */

export const MACHINE_REASONS = {
  FailedProvision: warning({ Machine: 'A step of its creation failed and is retried later.' }),
  FailedDelete: warning({ Machine: 'A step of its deletion failed and is retried later.' }),
  RateLimited: normal({
    Machine: 'It waits for its turn because of the rate limits of AWS, and then continues.',
  }),
};

export const BOOTSTRAP_REASONS = {
  IgnitionWarnings: warning({
    BootstrapConfig: 'Its additional configuration was translated to Ignition with warnings.',
  }),
};

export const machineRecorder = (deps: RecorderDependencies) => makeRecorder<typeof MACHINE_REASONS>(deps, 'machine');

export const bootstrapRecorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof BOOTSTRAP_REASONS>(deps, 'machine-objects');
