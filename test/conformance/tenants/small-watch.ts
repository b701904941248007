/**
 * Runs the function `watch` in its own process, as Lambda would: loads its bundle and streams one watch. The arguments
 * are the bundle, the event, and the expected number of events. Prints how many events were received, and how much
 * memory belongs to the process alone.
 */
import { readFileSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { awslambda, makeResponseStream } from '../../../infra/local/engines/lambda/response-stream.ts';

Object.assign(globalThis, { awslambda });
const [bundle = '', event = '', expected = ''] = process.argv.slice(2);
const { handler } = await import(bundle);
/** Longer than the part of a line that precedes the object of an event. */
const LONGEST_BEGIN = 1000;

let events = 0;
/**
 * The beginning of the current line. Complete lines are not kept, because they would count as the function's memory.
 */
let begun = '';
const read = (text: string): void => {
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0 && begun.includes('"type":"ADDED"')) events += 1;
    begun = `${index > 0 ? '' : begun}${line}`.slice(0, LONGEST_BEGIN);
  }
};
const report = (): void => {
  const [, kilobytes = ''] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  writeSync(1, JSON.stringify({ events, megabytes: Math.ceil(Number(kilobytes) / 1024) }));
  // A normal exit waits for V8's compiler, which may wait for memory that only this thread can collect.
  process.kill(process.pid, 'SIGKILL');
};
const stream = makeResponseStream(async (bytes) => {
  read(Buffer.from(bytes).toString());
  if (events >= Number(expected)) report();
  // A client would read immediately.
  await delay(0);
});
const closed = new Promise((resolve) => stream.once('close', resolve));
console.error('loaded');
await handler(JSON.parse(event), stream, {
  functionName: 'watch',
  awsRequestId: 'one',
  getRemainingTimeInMillis: () => 900_000,
});
if (!stream.writableEnded) stream.end();
await closed;
report();
