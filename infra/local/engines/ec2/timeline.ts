/**
 * States that follow each other on the clock without a timer: what will be is written down when it is caused, and what
 * is now is read from it, so that real and virtual clocks behave the same.
 */
export interface Moment<State extends string> {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly state: State;
}

export type Timeline<State extends string> = readonly [Moment<State>, ...Moment<State>[]];

/** The moment that holds at `now`. Before the first moment the first one holds. */
export const momentAt = <State extends string>(timeline: Timeline<State>, now: number): Moment<State> =>
  timeline.findLast(({ at }) => at <= now) ?? timeline[0];

/** The state that holds at `now`. */
export const stateAt = <State extends string>(timeline: Timeline<State>, now: number): State =>
  momentAt(timeline, now).state;

/** The timeline after something that happens at `now` and makes everything that was still to come void. */
export const turn = <State extends string>(
  timeline: Timeline<State>,
  now: number,
  next: readonly Moment<State>[],
): Timeline<State> => {
  const [first, ...later] = timeline;
  return [first, ...later.filter(({ at }) => at <= now), ...next];
};
