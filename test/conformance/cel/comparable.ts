import type { Fault, Verdict } from './judge.ts';

/** Names of object types, to which upstream appends a timestamp. */
const TYPE_NAME = /selfType\d+(?:\.[@\w]+)*/g;

const textOf = ({ type, field, message }: Fault): string => `${type} ${field} ${message}`.replace(TYPE_NAME, 'object');

/** Sorts the errors, because upstream lists them in the random order of Go's maps. */
export const comparable = (verdict: Verdict) => ({
  ...verdict,
  class: verdict.class.map(textOf).toSorted(),
  cluster: verdict.cluster.map(textOf).toSorted(),
});

export type Comparable = ReturnType<typeof comparable>;
