/** Lambda's API, as far as it invokes functions and waits for their answers. REST with JSON. */
import type { WireRequest, WireResponse } from '../wire/call.ts';
import { AwsFault, notSimulated } from '../wire/fault.ts';
import { jsonFault } from '../wire/json-protocol.ts';
import type { Forward } from '../wire/server.ts';
import { FunctionError } from './failure.ts';

const INVOKE = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

const answer = (body: unknown, failed: boolean): WireResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json', ...(failed ? { 'x-amz-function-error': 'Unhandled' } : {}) },
  body: JSON.stringify(body ?? null),
});

const readEvent = (body: Buffer): unknown => (body.length === 0 ? {} : JSON.parse(body.toString()));

/** The functions of the stack, by their full names. */
interface Functions {
  has(functionName: string): boolean;
  invoke(functionName: string, event: unknown): Promise<unknown>;
}

const fault = (error: AwsFault): WireResponse => jsonFault(error, 'application/json');

/** Answers Invoke with what a function returns or fails with; other operations are refused by name. */
export const lambdaForward =
  ({ has, invoke }: Functions): Forward =>
  async ({ method, url, body }: WireRequest) => {
    const [, name] = INVOKE.exec(url.pathname) ?? [];
    if (method !== 'POST' || name === undefined) return fault(notSimulated(`${method} ${url.pathname} of Lambda`));
    const functionName = decodeURIComponent(name);
    if (!has(functionName)) return fault(new AwsFault('ResourceNotFoundException', `Function not found: ${name}`, 404));
    try {
      return answer(await invoke(functionName, readEvent(body)), false);
    } catch (error) {
      if (!(error instanceof FunctionError)) throw error;
      return answer(error.failure, true);
    }
  };
