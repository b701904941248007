/**
 * How long Lambda would bill an invocation, computed from its work on the laptop. The laptop's own times are not
 * meaningful: everything shares its processor, and its AWS answers in a millisecond. So the requests of the function
 * are laid out again in time, each with the usual time of its service in an AWS region; parallel requests stay
 * parallel. The processor time is that of the laptop, scaled to the share of a processor that the function's memory
 * gives it. Pure.
 */

/** A request that a function made: the signing name of the service, and when it began and ended, in milliseconds. */
export type Span = readonly [service: string, begin: number, end: number];

export interface Invoked {
  begin: number;
  end: number;
  spans: readonly Span[];
  /** Milliseconds of the processor. */
  processor: number;
}

/** Milliseconds until an answer, assumed: typical times inside a region, a new TLS connection now and then included. */
const ANSWER_MILLISECONDS: Readonly<Record<string, number>> = {
  dynamodb: 6,
  kms: 10,
  secretsmanager: 30,
  states: 50,
  sts: 50,
  ec2: 200,
  elasticloadbalancing: 200,
  autoscaling: 200,
};

/** Other services, and the API servers of workload clusters, to which connections are new. */
const OTHER_MILLISECONDS = 100;

/** Lambda gives a whole processor at this size, and less in proportion below. */
const WHOLE_PROCESSOR_MEGABYTES = 1769;

/** After this long without a request, a function is waiting: for a poll of a watch, for a timer. Shorter gaps are work. */
const WAIT_MILLISECONDS = 250;

/** An event of an invocation: a request starts, or has ended. */
interface Moment {
  at: number;
  span: Span;
  isEnd: boolean;
}

const momentsOf = (spans: readonly Span[]): Moment[] =>
  spans
    .flatMap((span) => [
      { at: span[1], span, isEnd: false },
      { at: Math.max(span[1], span[2]), span, isEnd: true },
    ])
    // What ends as another begins may be what the other waited for, but nothing ends before it has begun.
    .sort(
      (a, b) =>
        a.at - b.at || (a.span === b.span ? Number(a.isEnd) - Number(b.isEnd) : Number(b.isEnd) - Number(a.isEnd)),
    );

const waited = (from: number, to: number): number => (to - from > WAIT_MILLISECONDS ? to - from : 0);

/** Milliseconds in which the requests are answered, and those that the function waits by itself. */
const waitingMilliseconds = ({ begin, end, spans }: Omit<Invoked, 'processor'>): number => {
  const ends = new Map<Span, number>();
  let clock = 0;
  let open = 0;
  let idleSince = begin;
  for (const { at, span, isEnd } of momentsOf(spans)) {
    if (isEnd) {
      clock = Math.max(clock, ends.get(span) ?? 0);
      open -= 1;
      idleSince = at;
      continue;
    }
    if (open === 0) clock += waited(idleSince, at);
    ends.set(span, clock + (ANSWER_MILLISECONDS[span[0]] ?? OTHER_MILLISECONDS));
    open += 1;
  }
  return clock + waited(idleSince, end);
};

/** Milliseconds that are billed for an invocation of a function of this size, the start of its process not included. */
export const billedMilliseconds = (invoked: Invoked, megabytes: number): number => {
  const share = Math.min(1, megabytes / WHOLE_PROCESSOR_MEGABYTES);
  return Math.ceil(waitingMilliseconds(invoked) + invoked.processor / share);
};

/** Milliseconds that are billed for the start of a process; assumed, for bundles with a handful of clients of the SDK. */
export const START_MILLISECONDS = 500;

/** Lambda keeps an idle process for some minutes; how many, it does not say. */
const KEPT_MILLISECONDS = 10 * 60_000;

/** The processes of one function: an invocation takes one that is idle, or starts another. */
export const makeProcesses = () => {
  let idleFrom: number[] = [];
  return {
    /** True if an invocation from `begin` on, for this many milliseconds, must start a process. */
    take: (begin: number, milliseconds: number): boolean => {
      idleFrom = idleFrom.filter((since) => begin - since < KEPT_MILLISECONDS);
      const free = idleFrom.findIndex((since) => since <= begin);
      const end = begin + milliseconds + (free < 0 ? START_MILLISECONDS : 0);
      if (free < 0) idleFrom.push(end);
      else idleFrom[free] = end;
      return free < 0;
    },
  };
};
