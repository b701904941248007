/** The server of the page: one document, its code and style, and a proxy for the Kubernetes API. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import type { PriceList } from '../../../../shared/providers/aws/plan/cost/prices.ts';
import { DOCUMENT } from './document.ts';
import { judge } from './request-rules.ts';
import type { Upstream } from './upstream.ts';

/** The page's data about its environment. */
export interface Settings {
  /** The name of the kubeconfig's context, and the address of the API. */
  context: string;
  server: string;
  /** The page's only namespace; absent if it shows all. */
  namespace?: string;
  canWrite: boolean;
  /** The prices for the page's cost estimates. For each price, the first list that contains it is used. */
  prices: readonly PriceList[];
}

export interface AppOptions {
  settings: Settings;
  /** A random token; anyone who has it can use the page. */
  token: string;
  /** The port on which the server listens. It is a part of the names with which requests may address the server. */
  port: number;
  script: string;
  style: string;
  upstream: Upstream;
}

/** The page's own requests have this header. Forms, links and images on other websites cannot set headers. */
export const OWN_HEADER = 'x-windlass-ui';

const MOST_BYTES = 1024 * 1024;

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

const CONTENT_TYPES = ['application/json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

/** Compares digests, which have the same length whatever the values are. */
const isSame = (a: string, b: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
};

const refusal = (context: Context, code: 400 | 403 | 404 | 405 | 413 | 502, message: string): Response => {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, message };
  return context.json(status, code);
};

/** All ports of a computer share cookies, so the name contains the port. */
const cookieOf = (port: number): string => `windlass-ui-${port}`;

/** Whether a request comes from another website; browsers report its origin. */
const isForeign = (context: Context, origins: readonly string[]): boolean => {
  const origin = context.req.header('origin');
  const site = context.req.header('sec-fetch-site');
  return (origin !== undefined && !origins.includes(origin)) || (site !== undefined && site !== 'same-origin');
};

/** Forwards the API's response while it arrives: a watch continues for as long as the page reads it. */
const pass = async (context: Context, { upstream }: AppOptions): Promise<Response> => {
  const { method, url, raw } = context.req;
  const { pathname, search } = new URL(url);
  const isWrite = method !== 'GET';
  const contentType = context.req.header('content-type');
  if (isWrite && !CONTENT_TYPES.includes(contentType ?? ''))
    return refusal(context, 400, `the content type must be one of ${CONTENT_TYPES.join(', ')}`);
  const body = isWrite ? { body: await context.req.text(), contentType } : {};
  try {
    const answer = await upstream({ method, path: `${pathname}${search}`, signal: raw.signal, ...body });
    const headers = new Headers({ ...HEADERS, 'content-type': answer.contentType });
    for (const warning of answer.warnings) headers.append('warning', warning);
    return new Response(answer.body as ConstructorParameters<typeof Response>[0], { status: answer.code, headers });
  } catch (error) {
    return refusal(context, 502, `the API cannot be reached: ${(error as Error).message}`);
  }
};

const addGuards = (app: Hono, { token, port }: AppOptions): void => {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const origins = hosts.map((host) => `http://${host}`);
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
  });
  // A website whose DNS name points to this computer would send its own name as the host.
  app.use(async (context, next) =>
    hosts.includes(context.req.header('host') ?? '')
      ? next()
      : refusal(context, 403, `the page is at http://${hosts[0]}`),
  );
  app.use(async (context, next) => {
    const given = context.req.path === '/' ? context.req.query('token') : undefined;
    const isKnown = isSame(given ?? getCookie(context, cookieOf(port)) ?? '', token);
    if (!isKnown) return refusal(context, 403, 'open the address that windlass ui has printed, with its token');
    if (given !== undefined)
      setCookie(context, cookieOf(port), token, { httpOnly: true, sameSite: 'Strict', path: '/' });
    return next();
  });
  const own = async (context: Context, next: () => Promise<void>) =>
    isForeign(context, origins) || context.req.header(OWN_HEADER) === undefined
      ? refusal(context, 403, 'only the page itself may send this request')
      : next();
  for (const path of ['/settings', '/api/*', '/apis/*', '/api', '/apis']) app.use(path, own);
};

/**
 * The server as a function of requests. Every request must name the loopback address as its host and contain the token,
 * in the address of the document or in a cookie. Requests to the API must also come from the page's own code.
 */
export const makeApp = (options: AppOptions): Hono => {
  const { settings, script, style } = options;
  const app = new Hono();
  addGuards(app, options);
  const serve = (path: string, type: string, text: string) =>
    app.get(path, (context) => context.body(text, 200, { 'content-type': `${type}; charset=utf-8` }));
  serve('/', 'text/html', DOCUMENT);
  serve('/page.js', 'text/javascript', script);
  serve('/page.css', 'text/css', style);
  app.get('/settings', (context) => context.json(settings));
  const tooLarge = (context: Context) => refusal(context, 413, 'the object is larger than 1 MiB');
  app.use(bodyLimit({ maxSize: MOST_BYTES, onError: tooLarge }));
  app.all('*', (context) => {
    const verdict = judge(context.req.method, new URL(context.req.url).pathname, settings.canWrite);
    return verdict.isAllowed ? pass(context, options) : refusal(context, verdict.code, verdict.why);
  });
  return app;
};
