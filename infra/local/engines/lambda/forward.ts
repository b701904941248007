/** Lambda's API, limited to synchronous invocations of functions. REST with JSON. */
import type { Target } from '../../template.ts';
import type { WireRequest, WireResponse } from '../wire/call.ts';
import { AwsFault, notSimulated } from '../wire/fault.ts';
import { jsonFault } from '../wire/json-protocol.ts';
import type { Forward } from '../wire/server.ts';
import { FunctionError } from './failure.ts';
import { functionNameIn, invokedFunction } from './names.ts';

/** Lambda's limit for the request of a synchronous invocation, in bytes. */
const MOST_BYTES = 6 * 1024 * 1024;

const answer = (body: unknown, failed: boolean): WireResponse => ({
  status: 200,
  headers: {
    'content-type': 'application/json',
    'x-amz-executed-version': '$LATEST',
    ...(failed ? { 'x-amz-function-error': 'Unhandled' } : {}),
  },
  body: JSON.stringify(body ?? null),
});

const readEvent = (body: Buffer): unknown => {
  if (body.length > MOST_BYTES) {
    const message = `${body.length} byte payload is too large for the RequestResponse invocation type (limit ${MOST_BYTES} bytes)`;
    throw new AwsFault('RequestTooLargeException', message, 413);
  }
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new AwsFault('InvalidRequestContentException', 'Could not parse request body into json', 400);
  }
};

/** Functions that can be invoked, by name. */
export interface Functions {
  has(functionName: string): boolean;
  invoke(functionName: string, event: unknown): Promise<unknown>;
}

const fault = (error: AwsFault): WireResponse => jsonFault(error, 'application/json');

const refuseOthers = ({ headers }: WireRequest): void => {
  const type = headers['x-amz-invocation-type'] ?? 'RequestResponse';
  if (type !== 'RequestResponse') throw notSimulated(`the InvocationType ${type} of Lambda`);
  if (headers['x-amz-log-type'] === 'Tail') throw notSimulated('the LogType Tail of Lambda');
};

const invoked = async (functions: readonly Functions[], target: Target, request: WireRequest): Promise<unknown> => {
  const { method, url, body, scope } = request;
  const asked = method === 'POST' ? invokedFunction(url) : undefined;
  if (asked === undefined) throw notSimulated(`${method} ${url.pathname} of Lambda`);
  refuseOthers(request);
  const event = readEvent(body);
  const name = scope.region === target.region ? functionNameIn(asked, target) : undefined;
  const owner = functions.find(({ has }) => name !== undefined && has(name));
  if (!owner || name === undefined) {
    throw new AwsFault('ResourceNotFoundException', `Function not found: ${asked}`, 404);
  }
  return owner.invoke(name, event);
};

/** Answers Invoke with the result or the failure of a function; other operations are refused with their names. */
export const lambdaForward =
  (target: Target, ...functions: readonly Functions[]): Forward =>
  async (request) => {
    try {
      return answer(await invoked(functions, target, request), false);
    } catch (error) {
      if (error instanceof FunctionError) return answer(error.failure, true);
      if (error instanceof AwsFault) return fault(error);
      throw error;
    }
  };
