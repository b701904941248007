/** REST with JSON: the operation follows from method and path; members travel in path, query, headers and body. */
import type { NormalizedSchema } from '@smithy/core/schema';
import type { WireRequest } from './call.ts';
import { jsonFault } from './json-protocol.ts';
import { type Protocol, readJson, writeJson } from './protocol.ts';
import { scalarFrom, scalarText } from './scalars.ts';
import type { Operation, Service } from './service.ts';

interface Bindings {
  httpLabel?: 1;
  httpQuery?: string;
  httpHeader?: string;
  httpPayload?: 1;
  httpResponseCode?: 1;
}

const bindingsOf = (schema: NormalizedSchema): Bindings => schema.getMergedTraits() as Bindings;

interface Route {
  readonly path: RegExp;
  readonly labels: readonly string[];
  readonly query: readonly (readonly [string, string])[];
}

const routeOf = (template: string): Route => {
  const [path = '', query = ''] = template.split('?');
  const labels: string[] = [];
  const pattern = path.replace(/[.*^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)(\+?)\}/g, (_all, label: string, greedy) => {
    labels.push(label);
    return greedy ? '(.+)' : '([^/]+)';
  });
  return { path: new RegExp(`^${pattern}/?$`), labels, query: [...new URLSearchParams(query)] };
};

const matches = (operation: Operation, request: WireRequest): boolean => {
  if (operation.http?.method !== request.method) return false;
  const route = routeOf(operation.http.path);
  const hasQuery = route.query.every(([key, value]) => request.url.searchParams.get(key) === value);
  return hasQuery && route.path.test(request.url.pathname);
};

const labelsIn = (operation: Operation, request: WireRequest): Map<string, string> => {
  const route = routeOf(operation.http?.path ?? '');
  const found = route.path.exec(request.url.pathname) ?? [];
  return new Map(route.labels.map((label, index) => [label, decodeURIComponent(found[index + 1] ?? '')]));
};

const payloadFrom = (service: Service, schema: NormalizedSchema, body: Buffer): unknown => {
  if (schema.isBlobSchema()) return new Uint8Array(body);
  if (schema.isStringSchema()) return body.toString('utf8');
  return body.length > 0 ? readJson(service, schema, body) : undefined;
};

const queryFrom = (schema: NormalizedSchema, values: readonly string[]): unknown => {
  if (values.length === 0) return undefined;
  if (schema.isListSchema()) return values.map((value) => scalarFrom(schema.getValueSchema(), value));
  return scalarFrom(schema, values[0] ?? '');
};

const readMember = (service: Service, operation: Operation, request: WireRequest, name: string) => {
  const schema = operation.input.getMemberSchema(name);
  const { httpLabel, httpQuery, httpHeader, httpPayload } = bindingsOf(schema);
  if (httpLabel) return scalarFrom(schema, labelsIn(operation, request).get(name) ?? '');
  if (httpQuery) return queryFrom(schema, request.url.searchParams.getAll(httpQuery));
  if (httpPayload) return payloadFrom(service, schema, request.body);
  const header = httpHeader && request.headers[httpHeader.toLowerCase()];
  return header === undefined || header === '' ? undefined : scalarFrom(schema, String(header));
};

const isInBody = (schema: NormalizedSchema): boolean => {
  const { httpLabel, httpQuery, httpHeader, httpPayload } = bindingsOf(schema);
  return !httpLabel && !httpQuery && !httpHeader && !httpPayload;
};

const readInput = (service: Service, operation: Operation, request: WireRequest): object => {
  if (!operation.input.isStructSchema()) return {};
  const members = [...operation.input.structIterator()];
  const ownsBody = members.some(([, schema]) => bindingsOf(schema).httpPayload);
  const body = (ownsBody ? {} : readJson(service, operation.input, request.body)) as Record<string, unknown>;
  const values = members.map(([name, schema]) => [
    name,
    isInBody(schema) ? body[name] : readMember(service, operation, request, name),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
};

interface Outgoing {
  status: number;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
  payload?: string | Uint8Array;
}

const place = (service: Service, name: string, schema: NormalizedSchema, value: unknown, out: Outgoing): void => {
  const { httpHeader, httpResponseCode, httpPayload } = bindingsOf(schema);
  if (httpHeader) out.headers[httpHeader.toLowerCase()] = scalarText(value);
  else if (httpResponseCode) out.status = Number(value);
  else if (!httpPayload) out.body[name] = value;
  else out.payload = schema.isStructSchema() ? writeJson(service, schema, value) : (value as string | Uint8Array);
};

/** The protocol of Lambda and EventBridge Scheduler. */
export const restJson1: Protocol = {
  unknownOperation: 'UnknownOperationException',
  operationName: (service, request) =>
    [...service.operations.values()].find((operation) => matches(operation, request))?.name ?? '',
  readInput,
  writeOutput: (service, { output: schema, http }, output) => {
    const out: Outgoing = { status: http?.status ?? 200, headers: { 'content-type': 'application/json' }, body: {} };
    const members = schema.isStructSchema() ? [...schema.structIterator()] : [];
    for (const [name, member] of members) {
      const value = (output as Record<string, unknown>)[name];
      if (value !== undefined && value !== null) place(service, name, member, value, out);
    }
    const document = members.length > 0 ? writeJson(service, schema, out.body) : '{}';
    return { status: out.status, headers: out.headers, body: out.payload ?? document };
  },
  writeFault: (_service, fault) => jsonFault(fault, 'application/json'),
};
