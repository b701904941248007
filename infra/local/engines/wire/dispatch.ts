/**
 * Handles a routed request: decodes it, calls the gate, runs the handler and encodes the response; faults have the
 * protocol's form.
 */
import type { Log } from '../../../../shared/log.ts';
import { type Call, FUNCTION_HEADER, type WireRequest, type WireResponse } from './call.ts';
import { AwsFault, notSimulated } from './fault.ts';
import { jsonFault } from './json-protocol.ts';
import type { Protocol } from './protocol.ts';
import { PROTOCOLS } from './protocols.ts';
import type { Operation, Service } from './service.ts';

/** The data of a call that a gate checks. */
export type GatedCall = Pick<Call, 'service' | 'operation' | 'region'>;

/** Decides whether a call may pass. Both functions may throw an AwsFault. */
export interface Gate {
  /** Called before the call: nothing has happened yet. */
  before(call: Call, input: object): void;
  /** Called after the call: its effect stays although the caller sees the fault. */
  after(call: Call): void;
}

interface DispatchOptions {
  readonly log: Log;
  readonly gate?: Gate;
  readonly onRequest?: (call: Call, input: object) => void;
  readonly onCall?: (call: Call, code: string | undefined, exchange: Exchange) => void;
}

/** The request and the response, if any; empty for calls that are forwarded unread. */
export interface Exchange {
  input: object;
  output: object;
}

/** Writes an error in the form of the service's protocol. */
export type WriteFault = (fault: AwsFault, requestId: string) => WireResponse;

const writeJsonFault: WriteFault = (fault) => jsonFault(fault, 'application/x-amz-json-1.0');

interface Forwarded {
  forward(request: WireRequest): Promise<WireResponse>;
  writeFault: WriteFault | undefined;
}

interface SdkException {
  readonly $fault: unknown;
  readonly name: string;
  readonly message: string;
}

const isSdkException = (error: unknown): error is SdkException => error instanceof Error && '$fault' in error;

/** A handler may also throw an exception from the SDK package, whose traits define code and status on the wire. */
const fromSdk = (service: Service, error: SdkException): AwsFault => {
  const { awsQueryError, httpError } = service.errorTraits(error.name);
  const members = Object.entries(error).filter(([key]) => !key.startsWith('$') && key !== 'name');
  const [code, status] = awsQueryError ?? [error.name, httpError ?? 400];
  return new AwsFault(code, error.message, status, Object.fromEntries(members));
};

const callOf = (request: WireRequest, operation: string): Call => ({
  service: request.scope.service,
  operation,
  region: request.scope.region,
  accessKeyId: request.scope.accessKeyId,
  functionName: request.headers[FUNCTION_HEADER]?.toString(),
  requestId: request.requestId,
  request,
});

const withRequestId = (response: WireResponse, requestId: string): WireResponse => ({
  ...response,
  headers: { ...response.headers, 'x-amzn-requestid': requestId },
});

const operationOf = (service: Service, protocol: Protocol, name: string): Operation => {
  const operation = service.operations.get(name);
  if (!operation)
    throw new AwsFault(protocol.unknownOperation, `The action ${name} is not valid for this web service.`);
  return operation;
};

export const makeDispatch = ({ log, gate, onRequest, onCall }: DispatchOptions) => {
  const faultOf = (service: Service | undefined, call: Call, error: unknown): AwsFault => {
    const fault = service && isSdkException(error) ? fromSdk(service, error) : error;
    const keys = { service: call.service, operation: call.operation };
    if (fault instanceof AwsFault) {
      if (fault.code === 'NotSimulated')
        log.warn('a call asked for what is not simulated', { ...keys, what: fault.message });
      return fault;
    }
    const stack = error instanceof Error ? error.stack : String(error);
    log.error('the simulated AWS failed', { ...keys, stack });
    return new AwsFault('InternalFailure', 'The simulated AWS failed; its log says why.', 500);
  };

  const run = async (service: Service, protocol: Protocol, call: Call, exchange: Exchange): Promise<WireResponse> => {
    const operation = operationOf(service, protocol, call.operation);
    const handler = service.handlersFor(call.region, call.accessKeyId)[operation.name];
    if (!handler) throw notSimulated(`${call.service}:${operation.name}`);
    const input = protocol.readInput(service, operation, call.request);
    exchange.input = input;
    onRequest?.(call, input);
    gate?.before(call, input);
    exchange.output = (await handler(input, call)) ?? {};
    gate?.after(call);
    return protocol.writeOutput(service, operation, exchange.output, call.request);
  };

  const finish = async (
    call: Call,
    work: (exchange: Exchange) => Promise<WireResponse>,
    refuse: (error: unknown) => [AwsFault, WireResponse],
  ): Promise<WireResponse> => {
    const exchange: Exchange = { input: {}, output: {} };
    try {
      const response = await work(exchange);
      onCall?.(call, undefined, exchange);
      return withRequestId(response, call.requestId);
    } catch (error) {
      const [fault, response] = refuse(error);
      onCall?.(call, fault.code, exchange);
      return withRequestId(response, call.requestId);
    }
  };

  return {
    /** Answers a request with the handlers of a service. Never rejects. */
    toService: (service: Service, request: WireRequest): Promise<WireResponse> => {
      const protocol = PROTOCOLS[service.protocol];
      const call = callOf(request, protocol.operationName(service, request));
      return finish(
        call,
        (exchange) => run(service, protocol, call, exchange),
        (error) => {
          const fault = faultOf(service, call, error);
          return [fault, protocol.writeFault(service, fault, request)];
        },
      );
    },
    /** Answers a request with a forward. Never rejects. */
    toForward: (
      operation: string,
      { forward, writeFault = writeJsonFault }: Forwarded,
      request: WireRequest,
    ): Promise<WireResponse> => {
      const call = callOf(request, operation);
      return finish(
        call,
        async () => {
          onRequest?.(call, {});
          gate?.before(call, {});
          const response = await forward(request);
          gate?.after(call);
          return response;
        },
        (error) => {
          const fault = faultOf(undefined, call, error);
          return [fault, writeFault(fault, call.requestId)];
        },
      );
    },
  };
};
