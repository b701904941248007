/** Detects that a lifecycle with a fault follows the course of the one without faults again. */

/** A state of the lifecycle without faults, in the middle of a step. */
export interface Moment {
  /** The hash of the state. */
  hash: string;
  step: string;
  /** The number of calls to AWS until then. */
  calls: number;
  /** In virtual seconds. */
  seconds: number;
}

/** The state after a step that may leave work to the next one; it is not compared. */
export const INCOMPLETE = '';

/** The lifecycle without faults, with which others are compared. */
export interface Expected {
  /** The state after each step. */
  settled: readonly string[];
  moments: readonly Moment[];
}

/**
 * One state can be equal by chance, or remain equal in a lifecycle that is stuck. Therefore this number of different
 * states must follow each other in the same order as in the lifecycle without faults.
 */
const ENOUGH = 3;

export interface Rejoin {
  /** Must be called with each new state after the fault. Returns the equal state when enough states have been equal. */
  see(step: string, hash: string): Moment | undefined;
}

export const makeRejoin = (expected: readonly Moment[]): Rejoin => {
  const keyOf = (step: string, hash: string): string => `${step} ${hash}`;
  const places = new Map(expected.map(({ step, hash }, place) => [keyOf(step, hash), place]));
  let course: number[] = [];
  return {
    see: (step, hash) => {
      const place = places.get(keyOf(step, hash));
      if (place === undefined) {
        course = [];
        return undefined;
      }
      const last = course.at(-1);
      if (last !== undefined && place < last) course = [];
      if (place !== last) course.push(place);
      return course.length < ENOUGH ? undefined : expected[place];
    },
  };
};
