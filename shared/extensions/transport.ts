import type { ExtensionConfig } from '../kinds/extension-config/schema.ts';

/** One call of an extension. */
export interface ExtensionCall {
  config: ExtensionConfig;
  /** Name of the hook, such as `Discovery`. */
  hook: string;
  /** The handler's own name; undefined for discovery, which concerns the extension as a whole. */
  handler?: string;
  /** The complete request, with apiVersion and kind. */
  request: object;
  /** The timeout of the call. */
  timeoutSeconds: number;
}

/** Sends a request and returns the parsed response. Throws UnansweredError if there is none. */
export type CallExtension = (call: ExtensionCall) => Promise<unknown>;

/** Returns a signal that ends a call after a number of milliseconds; entry points pass `AbortSignal.timeout`. */
export type Deadline = (milliseconds: number) => AbortSignal;
