import type { Fault, Verdict } from './judge.ts';

/** Upstream adds the time to the name of each object type. */
const TYPE_NAME = /selfType\d+(?:\.[@\w]+)*/g;

const textOf = ({ type, field, message }: Fault): string => `${type} ${field} ${message}`.replace(TYPE_NAME, 'object');

/** Without the order of the errors, which in upstream is that of Go's maps. */
export const comparable = (verdict: Verdict) => ({
  ...verdict,
  class: verdict.class.map(textOf).toSorted(),
  cluster: verdict.cluster.map(textOf).toSorted(),
});

export type Comparable = ReturnType<typeof comparable>;
