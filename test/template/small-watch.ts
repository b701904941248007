/**
 * What Lambda does with the function `watch`, in a process of its own: loads its bundle and streams one watch. The
 * event is the last argument. Prints how many lines came, and how much memory belongs to the process alone.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { awslambda, makeResponseStream } from '../../infra/local/engines/lambda/response-stream.ts';

Object.assign(globalThis, { awslambda });
const [bundle = '', event = ''] = process.argv.slice(2);
const { handler } = await import(bundle);

let text = '';
const stream = makeResponseStream(async (bytes) => {
  text += Buffer.from(bytes).toString();
  // A client reads immediately.
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

const [, kilobytes = ''] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
const events = text.split('\n').filter((line) => line.includes('"type":"ADDED"')).length;
console.log(JSON.stringify({ events, megabytes: Math.ceil(Number(kilobytes) / 1024) }));
process.exit();
