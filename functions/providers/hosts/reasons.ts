import { normal, warning } from '../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../shared/events/recorder.ts';

/** Reasons of events about hosts and the machines on them. */
export const HOST_REASONS = {
  HostClaimed: normal({
    HostMachine: 'A Host was claimed for it.',
    Host: 'A HostMachine has claimed it.',
  }),
  BootScriptStarted: normal({ HostMachine: 'The boot script was started on its host.' }),
  BootScriptSucceeded: normal({ HostMachine: 'The boot script has succeeded.' }),
  BootScriptFailed: warning({ HostMachine: 'The boot script has failed; it is not run again.' }),
  HostUnusable: warning({ Host: 'It could not be used for a machine; the message says why.' }),
  HostReleased: normal({
    HostMachine: 'Its host was reset and is free again.',
    Host: 'It was reset and is free again.',
  }),
  HostReleasedByHand: warning({
    Host: 'It was released by an annotation, without any action on the host.',
  }),
  HostNotReleased: warning({ HostMachine: 'Its host could not be reset; the reset is retried.' }),
  HostGone: warning({
    HostMachine: 'Its Host object was removed, or belongs to another machine, so the host could not be reset.',
  }),
};

export const recorder = (deps: RecorderDependencies) => makeRecorder<typeof HOST_REASONS>(deps, 'hosts');
