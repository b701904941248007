import { request as httpsRequest } from 'node:https';
import type { Clock } from '../../../../../shared/clock.ts';
import type { Attributes, User } from '../../../../../shared/kube-api/server/user.ts';
import type { Random } from '../../../../../shared/random.ts';
import { makeAlarm } from '../../../alarm.ts';
import type { Internet } from '../../ports.ts';
import { type IsRecorded, readPolicy, readWebhook, type WebhookTarget } from './policy.ts';

/** The parameters of an API server for its audit webhook. The texts are the contents of its files. */
export interface AuditSettings {
  policy: string;
  webhook: string;
  /** The maximum number of events in the buffer and in a batch. */
  buffer: number;
  batch: number;
  /** The milliseconds that an event waits for others. */
  wait: number;
  /** The number of batches that are sent at once, and then per second. */
  burst: number;
  perSecond: number;
}

/** The dependencies of an API server's audit webhook. */
interface AuditDependencies {
  clock: Clock;
  random: Random;
  internet: Internet;
}

export type RecordRequest = (attributes: Attributes, user: User) => void;

/** How often client-go repeats a request after an answer with Retry-After. */
const ATTEMPTS = 10;
const ANSWER_MILLISECONDS = 30_000;

interface Answer {
  status: number;
  /** In seconds. */
  retryAfter: number | undefined;
}

/** Posts JSON. Rejects if there is no answer. */
const post = (target: WebhookTarget, internet: Internet, body: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const url = new URL(target.url);
    const found = internet(url.hostname);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(target.token ? { authorization: `Bearer ${target.token}` } : {}),
    };
    const ca = target.ca ?? found?.ca;
    // Without a target, `hostname` is that of the URL; it takes precedence over `host`.
    const to = found ? { ...found.address, hostname: found.address.host, servername: url.hostname } : {};
    const options = { method: 'POST', headers, timeout: ANSWER_MILLISECONDS, ...(ca ? { ca } : {}), ...to };
    const sent = httpsRequest(url, options, (answer) => {
      answer.resume();
      const retryAfter = Number(answer.headers['retry-after'] ?? Number.NaN);
      resolve({ status: answer.statusCode ?? 0, retryAfter: Number.isNaN(retryAfter) ? undefined : retryAfter });
    });
    sent.on('timeout', () => sent.destroy(new Error('the webhook does not answer')));
    sent.on('error', reject);
    sent.end(body);
  });

const eventOf = (
  { verb, group, version, resource, subresource, namespace, name }: Attributes,
  user: User,
  at: string,
) => ({
  level: 'Metadata',
  stage: 'ResponseComplete',
  verb,
  user: { username: user.name, groups: user.groups },
  objectRef: { resource, subresource, namespace: namespace || undefined, name, apiGroup: group, apiVersion: version },
  stageTimestamp: at,
});

/** Sends batches until the signal aborts; refused or unanswered ones are lost, as in the mode `batch`. */
const makeSender =
  (target: WebhookTarget, { clock, internet }: AuditDependencies, signal: AbortSignal) =>
  async (items: readonly object[]): Promise<void> => {
    const body = JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items });
    for (let attempt = 0; attempt < ATTEMPTS && !signal.aborted; attempt += 1) {
      const answer = await post(target, internet, body).catch(() => undefined);
      if (answer?.retryAfter === undefined || answer.status < 400) return;
      await clock.sleep(answer.retryAfter * 1000, signal).catch(() => undefined);
    }
  };

/**
 * The audit backend of an API server in the mode `batch`, until the signal aborts: no request waits for it, and events
 * that do not fit into the buffer are dropped. Throws an Error if an API server would not start with the files.
 */
export const startAudit = (settings: AuditSettings, deps: AuditDependencies, signal: AbortSignal): RecordRequest => {
  const isRecorded: IsRecorded = readPolicy(settings.policy);
  const send = makeSender(readWebhook(settings.webhook), deps, signal);
  const { clock, random } = deps;
  const alarm = makeAlarm(clock);
  const buffer: object[] = [];
  const every = 1000 / settings.perSecond;
  let fullAt = 0;

  /** Resolves when another batch may be sent. */
  const turn = async (): Promise<void> => {
    const now = clock.now().getTime();
    const start = Math.max(fullAt, now);
    fullAt = start + every;
    const wait = start - now - (settings.burst - 1) * every;
    if (wait > 0) await clock.sleep(wait, signal).catch(() => undefined);
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      if (buffer.length === 0) await alarm.wait(ANSWER_MILLISECONDS, signal);
      if (buffer.length === 0) continue;
      if (buffer.length < settings.batch) await clock.sleep(settings.wait, signal).catch(() => undefined);
      const items = buffer.splice(0, settings.batch);
      await turn();
      if (!signal.aborted) void send(items);
    }
  };
  void run();

  return (attributes, user) => {
    if (signal.aborted || buffer.length >= settings.buffer || !isRecorded(attributes, user)) return;
    buffer.push({ ...eventOf(attributes, user, clock.now().toISOString()), auditID: random.uuid() });
    alarm.ring();
  };
};
