import type { Audit } from '../../../shared/kube-api/server/audit.ts';
import type { Log } from '../../../shared/log.ts';
import type { ProxyEvent } from './proxy-event.ts';

/**
 * Callers choose some of these texts, which must not make a line so long that CloudWatch Logs cuts it. Names end at
 * 253.
 */
const LONGEST = 256;

const cut = (text: string | undefined): string | undefined => text?.slice(0, LONGEST);

const headerOf = ({ headers, multiValueHeaders }: ProxyEvent, wanted: string): string | undefined => {
  const find = <T>(record: Readonly<Record<string, T>> | null | undefined): T | undefined =>
    Object.entries(record ?? {}).find(([name]) => name.toLowerCase() === wanted)?.[1];
  return find(headers) ?? find(multiValueHeaders)?.[0];
};

/**
 * Logs one line `audit` for each record, with `audit: true` for searches, and the id that is also in the gateway's
 * access log. Values are encoded as JSON, so a value that a caller chooses cannot look like another field or another
 * line.
 */
export const logAudit =
  (log: Log, event: ProxyEvent): Audit =>
  ({ groups, annotations, ...record }) => {
    const texts = Object.entries(record).map(([key, value]) => [key, typeof value === 'string' ? cut(value) : value]);
    log.info('audit', {
      audit: true,
      ...Object.fromEntries(texts),
      groups: cut(groups.join(',')),
      ...(annotations ? { annotations: cut(JSON.stringify(annotations)) } : {}),
      userAgent: cut(headerOf(event, 'user-agent')),
      sourceIp: event.requestContext.identity?.sourceIp,
      requestId: event.requestContext.requestId,
    });
  };
