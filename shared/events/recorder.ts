import type { Clock } from '../clock.ts';
import type { KubeObject } from '../kube-api/object.ts';
import type { ObjectClient } from '../kube-api/storage/client.ts';
import type { EventCatalogue, ReasonOf } from './catalogue.ts';
import { recordEvent } from './record.ts';

/**
 * Records events on objects, like client-go's EventRecorder. Only reasons of its catalogue compile. The members are
 * functions and not methods, so that TypeScript refuses a recorder whose catalogue lacks a reason.
 */
export interface EventRecorder<Normal extends string, Warning extends string> {
  /** `message` must not contain a secret. Throws the storage's errors. */
  readonly normal: (regarding: KubeObject, reason: Normal, message: string) => Promise<void>;
  readonly warning: (regarding: KubeObject, reason: Warning, message: string) => Promise<void>;
}

/** The recorder of a catalogue's reasons. */
export type RecorderOf<C extends EventCatalogue> = EventRecorder<ReasonOf<C, 'Normal'>, ReasonOf<C, 'Warning'>>;

export interface RecorderDependencies {
  objects: ObjectClient;
  clock: Clock;
}

/** A recorder in the name of `component`, which `kubectl describe` shows in the column `From`. */
export const makeRecorder = <C extends EventCatalogue>(
  { objects, clock }: RecorderDependencies,
  component: string,
): RecorderOf<C> => ({
  normal: (regarding, reason, message) =>
    recordEvent(objects, { regarding, type: 'Normal', reason, message, component }, clock),
  warning: (regarding, reason, message) =>
    recordEvent(objects, { regarding, type: 'Warning', reason, message, component }, clock),
});
