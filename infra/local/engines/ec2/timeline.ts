/**
 * States that follow each other on the clock without a timer: future states are recorded when they are caused, and the
 * current state is read from the record. So real and virtual clocks behave in the same way.
 */
export interface Moment<State extends string> {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly state: State;
}

export type Timeline<State extends string> = readonly [Moment<State>, ...Moment<State>[]];

/** The moment that applies at `now`; before the first moment, the first one. */
export const momentAt = <State extends string>(timeline: Timeline<State>, now: number): Moment<State> =>
  timeline.findLast(({ at }) => at <= now) ?? timeline[0];

/** The state at `now`. */
export const stateAt = <State extends string>(timeline: Timeline<State>, now: number): State =>
  momentAt(timeline, now).state;

/** The timeline after an event at `now` that cancels all later moments. */
export const turn = <State extends string>(
  timeline: Timeline<State>,
  now: number,
  next: readonly Moment<State>[],
): Timeline<State> => {
  const [first, ...later] = timeline;
  return [first, ...later.filter(({ at }) => at <= now), ...next];
};
