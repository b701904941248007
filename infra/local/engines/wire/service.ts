/**
 * What the server must know about a service, read from an unmodified SDK v3 client package: its protocol, its signing
 * name and the schemas of its operations. The packages export one static schema per shape under the name `<Shape>$`.
 * These are conventions of the SDK, not promises, so client versions are pinned and the tests drive every service.
 */
import { NormalizedSchema } from '@smithy/core/schema';
import type { AnyHandlers } from './handlers.ts';

export type ProtocolName = 'ec2Query' | 'awsQuery' | 'awsJson1_0' | 'awsJson1_1' | 'restJson1';

export interface Operation {
  readonly name: string;
  readonly input: NormalizedSchema;
  readonly output: NormalizedSchema;
  /** Present for REST protocols. */
  readonly http?: { readonly method: string; readonly path: string; readonly status: number };
}

/** Reads and writes JSON documents by schema. */
export interface Codec {
  /** The deserializer's own `read` parses bytes and is asynchronous; `readObject` takes the parsed document. */
  createDeserializer(): { readObject(schema: NormalizedSchema, document: unknown): unknown };
  createSerializer(): { write(schema: NormalizedSchema, value: unknown): void; flush(): string | Uint8Array };
}

export interface Service {
  readonly signingName: string;
  readonly protocol: ProtocolName;
  readonly xmlNamespace: string;
  readonly operations: ReadonlyMap<string, Operation>;
  /** Undefined for the query protocols. */
  readonly codec: Codec | undefined;
  /** Traits of a modelled exception by its class name. */
  errorTraits(name: string): ErrorTraits;
  handlersFor(region: string, accessKeyId: string): AnyHandlers;
}

export interface ErrorTraits {
  awsQueryError?: [code: string, status: number];
  httpError?: number;
}

/** The parts of a client's resolved configuration that describe its wire format. */
export interface ClientClass {
  new (configuration: { region: string; credentials: { accessKeyId: string; secretAccessKey: string } }): unknown;
}

interface WireConfiguration {
  signingName?: string;
  defaultSigningName?: string;
  protocol: { getShapeId(): string; getPayloadCodec?: () => Codec };
  protocolSettings?: { xmlNamespace?: string };
}

const KNOWN_PROTOCOLS: readonly string[] = ['ec2Query', 'awsQuery', 'awsJson1_0', 'awsJson1_1', 'restJson1'];
const OPERATION = 9;

const operationOf = (exportName: string, schema: unknown): Operation | undefined => {
  if (!exportName.endsWith('$') || !Array.isArray(schema) || schema[0] !== OPERATION) return undefined;
  const [, , name, traits, input, output] = schema;
  // Traits are an object, or a number of flags if there are only flags.
  const route = typeof traits === 'object' ? (traits as { http?: [string, string, number] }).http : undefined;
  return {
    name,
    input: NormalizedSchema.of(input),
    output: NormalizedSchema.of(output),
    http: route && { method: route[0], path: route[1], status: route[2] },
  };
};

const protocolOf = (shapeId: string): ProtocolName => {
  const name = shapeId.split('#')[1] ?? shapeId;
  if (!KNOWN_PROTOCOLS.includes(name)) throw new Error(`the wire server does not speak ${shapeId}`);
  return name as ProtocolName;
};

type Description = Omit<Service, 'handlersFor'>;

const read = (client: ClientClass, module: object): Description => {
  const instance = new client({ region: 'us-east-1', credentials: { accessKeyId: 'none', secretAccessKey: 'none' } });
  const { config } = instance as { config: WireConfiguration };
  const signingName = config.signingName ?? config.defaultSigningName;
  if (!signingName) throw new Error('the client does not say the name that it signs with');
  const protocol = protocolOf(config.protocol.getShapeId());
  const exports = module as Readonly<Record<string, unknown>>;
  const operations = Object.entries(exports).flatMap(([name, schema]) => operationOf(name, schema) ?? []);
  return {
    signingName,
    protocol,
    xmlNamespace: config.protocolSettings?.xmlNamespace ?? '',
    operations: new Map(operations.map((operation) => [operation.name, operation])),
    codec: protocol.endsWith('Query') ? undefined : config.protocol.getPayloadCodec?.(),
    errorTraits: (name) => {
      const schema = exports[`${name}$`];
      return ((Array.isArray(schema) && schema[3]) || {}) as ErrorTraits;
    },
  };
};

/** A package does not change, and to read one takes some milliseconds. */
const known = new WeakMap<ClientClass, Description>();

/** Describes the service of an SDK client package. Throws when the client uses an unknown protocol. */
export const describeService = (client: ClientClass, module: object, handlersFor: Service['handlersFor']): Service => {
  const description = known.get(client) ?? read(client, module);
  known.set(client, description);
  return { ...description, handlersFor };
};
