/**
 * A process that plays lives, one after the other, and is given its share by the process that has forked it. Nothing may
 * be imported here that keeps a built-in function for itself: those are replaced first.
 */
import { openEdge } from './boundary.ts';
import { invocations } from './invocations.ts';
import type { Played, Share } from './jobs.ts';
import { virtualize } from './virtual/process.ts';

const virtual = virtualize(() => invocations.getStore()?.process.isAlive !== false);
openEdge((act) => void virtual.scheduler.after(0, act));

const { playLife } = await import('./life.ts');
const { importShared } = await import('./functions.ts');
const { loadAssembly } = await import('../../../infra/local/template.ts');

const MILLION = 1e6;

/** A long transcript is on its way for a while, and would be lost with the connection. */
const tell = (played: Played): Promise<void> =>
  new Promise((resolve, reject) => {
    if (process.send === undefined) resolve();
    else process.send(played, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });

const { outdir, jobs, withTranscript } = JSON.parse(process.argv[2] ?? '') as Share;
await importShared(new Set(loadAssembly(outdir).assets.values()));
for (const job of jobs) {
  const before = process.cpuUsage();
  const { transcript, ...life } = await playLife(virtual, { ...job, outdir });
  const { user, system } = process.cpuUsage(before);
  const isTold = withTranscript || life.breaches.length > 0;
  const played: Played = {
    ...{ job, ...life, processorSeconds: (user + system) / MILLION },
    ...(isTold ? { transcript } : {}),
  };
  await tell(played);
}
if (process.connected) process.disconnect();
