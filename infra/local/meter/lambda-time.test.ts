import { describe, expect, it } from 'vitest';
import { billedMilliseconds, makeProcesses, type Span, START_MILLISECONDS } from './lambda-time.ts';

const table = (begin: number, end: number): Span => ['dynamodb', begin, end];
const WHOLE = 1769;
/** What the function worked itself. */
const processor = 4;

describe('the time that Lambda bills', () => {
  it("consists of the time of the requests on AWS, one after another, and of the function's own work", () => {
    const spans = [table(0, 1), table(2, 3), table(3, 4)];
    expect(billedMilliseconds({ begin: 0, end: 5, spans, processor }, WHOLE)).toBe(processor + 3 * 6);
  });

  it('contains only the longest of the requests that run in parallel', () => {
    const spans: Span[] = [table(0, 4), ['ec2', 1, 3], ['kms', 5, 6]];
    expect(billedMilliseconds({ begin: 0, end: 6, spans, processor }, WHOLE)).toBe(processor + 200 + 10);
  });

  it("is longer with less memory, but only for the function's own work", () => {
    expect(billedMilliseconds({ begin: 0, end: 5, spans: [table(0, 1)], processor }, 512)).toBe(
      Math.ceil(6 + (4 * 1769) / 512),
    );
  });

  it('includes waiting between requests, as in a watch, but not delays of a busy laptop', () => {
    const watch = { begin: 0, end: 60_100, processor, spans: [table(0, 1), table(1_001, 1_002), table(1_100, 60_000)] };
    expect(billedMilliseconds(watch, WHOLE)).toBe(processor + 3 * 6 + 1_000);
    expect(billedMilliseconds({ begin: 0, end: 5_000, spans: [], processor }, WHOLE)).toBe(processor + 5_000);
  });
});

describe('the processes of a function', () => {
  it('serve one invocation at a time, and are kept for a while', () => {
    const processes = makeProcesses();
    expect(processes.take(0, 100)).toBe(true);
    expect(processes.take(50, 100)).toBe(true);
    expect(processes.take(100 + START_MILLISECONDS, 100)).toBe(false);
    expect(processes.take(11 * 60_000, 100)).toBe(true);
  });
});
