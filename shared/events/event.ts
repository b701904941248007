import { createHash } from 'node:crypto';
import { formatTime, type KubeObject } from '../kube-api/object.ts';
import { withoutRequestDetails } from '../request-details.ts';

/** Something that happened to an object; `message` must not contain a secret. */
export interface Happening {
  regarding: KubeObject;
  type: 'Normal' | 'Warning';
  /** One word in CamelCase, such as `SuccessfulCreateVPC`. */
  reason: string;
  message: string;
  /** The reporter: the name of the function. */
  component: string;
}

/** events.k8s.io refuses longer notes, and kubectl only shows one line. */
const MAX_MESSAGE = 1024;

/** The longest object name is 253, including 17 for the hash. */
const MAX_STEM = 253 - 17;

/**
 * The name is the same for every repetition, so that a repetition increments the count of one event instead of creating
 * another.
 */
const eventName = ({ regarding, type, reason, component }: Happening, message: string): string => {
  const { name, uid } = regarding.metadata;
  const identity = JSON.stringify([regarding.kind, uid, type, reason, withoutRequestDetails(message), component]);
  return `${name.slice(0, MAX_STEM)}.${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`;
};

const newEvent = (happening: Happening, message: string, now: string) => {
  const { regarding, type, reason, component } = happening;
  const { namespace = 'default', name, uid } = regarding.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: eventName(happening, message), namespace },
    involvedObject: { apiVersion: regarding.apiVersion, kind: regarding.kind, namespace, name, uid },
    type,
    reason,
    message,
    source: { component },
    reportingComponent: component,
    reportingInstance: component,
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
};

/** The event of a happening. A repetition has the same name. */
export const eventOf = (happening: Happening, now: Date) =>
  newEvent(happening, happening.message.slice(0, MAX_MESSAGE), formatTime(now));
