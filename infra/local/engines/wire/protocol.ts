import type { WireRequest, WireResponse } from './call.ts';
import type { AwsFault } from './fault.ts';
import type { Operation, Service } from './service.ts';

/** One of the wire protocols of AWS, server side. */
export interface Protocol {
  /** The operation that a request names; empty if it names none. */
  operationName(service: Service, request: WireRequest): string;
  /** The decoded input of a request for `operation`. */
  readInput(service: Service, operation: Operation, request: WireRequest): object;
  writeOutput(service: Service, operation: Operation, output: object, request: WireRequest): WireResponse;
  writeFault(service: Service, fault: AwsFault, request: WireRequest): WireResponse;
  /** The code that AWS uses in this protocol for an operation that does not exist. */
  readonly unknownOperation: string;
}

/** `schema` read as JSON by the client's own codec; an empty document is an empty object. */
export const readJson = (service: Service, schema: Operation['input'], body: Uint8Array): unknown => {
  if (!service.codec) throw new Error(`the ${service.signingName} client has no JSON codec`);
  const document: unknown = body.length > 0 ? JSON.parse(Buffer.from(body).toString()) : {};
  return service.codec.createDeserializer().readObject(schema, document);
};

/** `value` written as JSON by the client's own codec. */
export const writeJson = (service: Service, schema: Operation['output'], value: unknown): string | Uint8Array => {
  if (!service.codec) throw new Error(`the ${service.signingName} client has no JSON codec`);
  const serializer = service.codec.createSerializer();
  serializer.write(schema, value);
  return serializer.flush();
};
