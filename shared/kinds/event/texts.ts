import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { objectReferenceFields } from '../texts/meta.ts';

const SOURCE = {
  component: 'Name of the program, such as windlass.',
  host: 'Node that the program runs on. Empty for Windlass.',
};

const REGARDING = 'Object that the event is about.';

export const eventTexts = {
  text: 'A report of something that happened to an object. Removed an hour after its last change.',
  fields: {
    involvedObject: [REGARDING, objectReferenceFields],
    reason: 'CamelCase code for what happened or why, meant for programs.',
    message: 'What happened, in words.',
    source: ['Program that reports the event, for older clients.', SOURCE],
    firstTimestamp: 'When the event was first seen, in RFC 3339 form.',
    lastTimestamp: 'When the event was last seen, in RFC 3339 form.',
    count: 'How often the event has been seen.',
    type: 'Normal or Warning.',
    eventTime: 'When the event was first seen, with microseconds. Newer clients set it instead of firstTimestamp.',
    series: [
      'Repetitions of the event. Empty for a single one.',
      { count: 'How often the event has been seen.', lastObservedTime: 'When it was last seen, with microseconds.' },
    ],
    action: 'What the program did or failed to do about the object.',
    related: ['Second object that the event concerns, such as one that was created.', objectReferenceFields],
    reportingComponent: 'Name of the controller that reports the event, such as windlass.',
    reportingInstance: 'Instance of that controller.',
  },
  versions: {
    v1: {
      reportingController: 'Name of the controller that reports the event, such as windlass. Required.',
      regarding: [REGARDING, objectReferenceFields],
      note: 'What happened, in words. At most 1024 bytes.',
      deprecatedSource: ['Program that reports the event, as source of core/v1.', SOURCE],
      deprecatedFirstTimestamp: 'When the event was first seen, as firstTimestamp of core/v1.',
      deprecatedLastTimestamp: 'When the event was last seen, as lastTimestamp of core/v1.',
      deprecatedCount: 'How often the event has been seen, as count of core/v1.',
    },
  },
} satisfies KindTexts;
