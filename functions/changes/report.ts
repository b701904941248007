/**
 * Reports from the API servers of workload clusters that Services or Nodes have changed. The content of a report is not
 * read: a report only starts a pass, which reads the cluster and decides what to do. The worst that a sender can do is
 * to spend the budget of its own cluster.
 *
 *   form ──► token of that cluster? ──► budget ──► cluster wants reports? ──► recorded ──► touched
 *   (no read)  (one read, remembered)   (one read)
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { REPORTS_PATH, REPORTS_TOKEN } from '../../shared/bootstrap/change-reports/reports.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Reporter, ReporterStore } from '../../shared/store/limits/reporters.ts';
import type { Touch } from '../../shared/store/work/executions.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { judge } from './budget.ts';

export interface Report {
  path: string;
  /** The Authorization header. */
  authorization: string | undefined;
  /** The length of the body. */
  bytes: number;
}

/** `retryAfter` is in seconds. */
export interface Reply {
  status: 200 | 401 | 413 | 429;
  retryAfter?: number;
}

export interface ReportDependencies {
  reporters: Pick<ReporterStore, 'get' | 'admit'>;
  /** Whether a pass over the cluster would act on reported changes. */
  wantsReports(cluster: ClusterRef): Promise<boolean>;
  touch: Touch;
  clock: Clock;
  log: Log;
}

/** Larger than any report of an API server with the buffer of reportFlags, even with the longest names. */
const MOST_BYTES = 256 * 1024;

/** How long a process trusts what it has read. A replaced token is refused after this time. */
const REMEMBERED_MILLISECONDS = 30_000;
const REMEMBERED = 1000;

const ADDRESS = new RegExp(`^/${REPORTS_PATH}/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?$`);
const BEARER = /^bearer +(\S+)$/i;

const DONE: Reply = { status: 200 };
const UNKNOWN: Reply = { status: 401 };

/** Undefined for a report that no cluster can have sent. */
const senderOf = ({ path, authorization = '' }: Report): { uid: string; digest: Buffer } | undefined => {
  const [, uid] = ADDRESS.exec(path) ?? [];
  const [, token = ''] = BEARER.exec(authorization) ?? [];
  if (uid === undefined || !REPORTS_TOKEN.test(token)) return undefined;
  return { uid, digest: createHash('sha256').update(token).digest() };
};

const hasDigest = (reporter: Reporter | undefined, digest: Buffer): reporter is Reporter => {
  const known = Buffer.from(reporter?.digest ?? '', 'hex');
  return known.length === digest.length && timingSafeEqual(known, digest);
};

/** What a process remembers, by the uids of clusters. Each entry is valid until a time in milliseconds since 1970. */
interface Memory {
  /** The reporters with their tokens; an entry without a reporter means that the cluster has none. */
  reporters: LRUCache<string, { reporter?: Reporter; until: number }>;
  /** Answers to authentic reports that do not depend on the budget. */
  answers: LRUCache<string, { status: 200 | 429; until: number }>;
}

const replyOf = ({ status, until }: { status: 200 | 429; until: number }, now: number): Reply =>
  status === 200 ? DONE : { status, retryAfter: Math.max(1, Math.ceil((until - now) / 1000)) };

/** The answer to an authentic report. */
const makeAccept =
  ({ reporters, wantsReports, touch, clock, log }: ReportDependencies, { answers }: Memory) =>
  async (uid: string, digest: Buffer): Promise<Reply> => {
    const now = clock.now().getTime();
    const known = answers.get(uid);
    if (known && now < known.until) return replyOf(known, now);
    const remember = (status: 200 | 429, until: number): Reply => {
      answers.set(uid, { status, until });
      return replyOf({ status, until }, now);
    };
    const reporter = await reporters.get(uid);
    if (!hasDigest(reporter, digest)) return UNKNOWN;
    const verdict = judge(reporter, now);
    if (verdict.answer !== 'pass') return remember(verdict.answer === 'spent' ? 200 : 429, verdict.until);
    if (!(await wantsReports(reporter.cluster))) return remember(200, now + REMEMBERED_MILLISECONDS);
    // A concurrent report was faster.
    if (!(await reporters.admit(reporter, verdict.next))) return remember(429, verdict.until);
    // If this fails, the API server repeats its report, or the sweep finds the change.
    await touch(reporter.cluster);
    log.info('a cluster reported changes', { ...reporter.cluster });
    remember(429, verdict.until);
    return DONE;
  };

/** Answers reports. Rejects if the table or Step Functions do not answer; the API server then repeats the report. */
export const makeReport = (deps: ReportDependencies): ((report: Report) => Promise<Reply>) => {
  const memory: Memory = {
    reporters: new LRUCache({ max: REMEMBERED }),
    answers: new LRUCache({ max: REMEMBERED }),
  };
  const accept = makeAccept(deps, memory);

  const reporterOf = async (uid: string): Promise<Reporter | undefined> => {
    const now = deps.clock.now().getTime();
    const known = memory.reporters.get(uid);
    if (known && now < known.until) return known.reporter;
    const reporter = await deps.reporters.get(uid);
    memory.reporters.set(uid, { reporter, until: now + REMEMBERED_MILLISECONDS });
    return reporter;
  };

  return async (report) => {
    const sender = senderOf(report);
    if (!sender) return UNKNOWN;
    if (report.bytes > MOST_BYTES) return { status: 413 };
    if (!hasDigest(await reporterOf(sender.uid), sender.digest)) return UNKNOWN;
    return accept(sender.uid, sender.digest);
  };
};
