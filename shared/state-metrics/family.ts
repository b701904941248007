import type { KubeObject } from '../kube-api/object.ts';
import type { ResourceDefinition } from '../kube-api/resource.ts';

/** Labels by name. One without a value is left out, as kube-state-metrics does. */
export type Labels = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Sample {
  labels: Labels;
  value: number;
}

/** One metric of a kind: what Prometheus calls a family. */
export interface Family<T> {
  /** The part of the name after the kind's prefix and an underscore. */
  name: string;
  /** One sentence, without backslashes and line breaks. */
  help: string;
  samples(object: T): readonly Sample[];
}

/** The metrics of a kind. */
export interface StateMetrics<T extends KubeObject> {
  resource: ResourceDefinition<T>;
  /** Such as `capi_machine`. */
  prefix: string;
  /** The labels of each sample of the kind, in addition to those that all kinds have. */
  labels(object: T): Labels;
  families: readonly Family<T>[];
}

const hasValue = (labels: Labels): boolean => Object.values(labels).some((value) => value !== undefined);

/** Facts as labels of samples with the value 1. There is a sample for each set of labels that is not empty. */
export const info = <T>(name: string, help: string, read: (object: T) => Labels | readonly Labels[]): Family<T> => ({
  name,
  help,
  samples: (object) =>
    [read(object)]
      .flat()
      .filter(hasValue)
      .map((labels) => ({ labels, value: 1 })),
});

/** A numeric metric. An object without the number has no sample. */
export const gauge = <T>(name: string, help: string, read: (object: T) => number | undefined): Family<T> => ({
  name,
  help,
  samples: (object) => {
    const value = read(object);
    return value === undefined || Number.isNaN(value) ? [] : [{ labels: {}, value }];
  },
});

/** One sample for each possible state: 1 for the current one, 0 for the others. */
export const inState = (label: string, states: readonly string[], present: string, labels: Labels = {}): Sample[] =>
  states.map((state) => ({ labels: { ...labels, [label]: state }, value: state === present ? 1 : 0 }));

/** The current state of an object. An object without a state has no samples. */
export const states = <T>(
  name: string,
  help: string,
  { label, all, read }: { label: string; all: readonly string[]; read: (object: T) => string | undefined },
): Family<T> => ({
  name,
  help,
  samples: (object) => {
    const present = read(object);
    return present === undefined ? [] : inState(label, all, present);
  },
});

/** An RFC 3339 time as seconds since 1970, without fractions; undefined for anything else. */
export const secondsOf = (time: string | undefined): number | undefined => {
  const milliseconds = Date.parse(time ?? '');
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
};

/** A number or a percentage as a number: `"25%"` becomes 0.25. */
export const numberOf = (value: number | string | undefined): number | undefined => {
  if (typeof value !== 'string') return value;
  return value.endsWith('%') ? Number(value.slice(0, -1)) / 100 : Number(value);
};
