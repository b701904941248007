import { Writable } from 'node:stream';

type Bytes = Uint8Array<ArrayBuffer>;

/** Sends a chunk to the reader and resolves when another may follow. `isLast` if none will follow. */
export type SendChunk = (bytes: Bytes, isLast: boolean) => Promise<void>;

/** The number of unread bytes from which the function has to wait. */
const AHEAD_BYTES = 256 * 1024;

/** Sends without waiting for the reader up to the limit of unread bytes; `written` reports bytes that were read. */
export const sendAhead = (post: (bytes: Bytes, isLast: boolean) => void) => {
  let ahead = 0;
  let goOn = (): void => {};
  const send: SendChunk = async (bytes, isLast) => {
    ahead += bytes.byteLength;
    post(bytes, isLast);
    if (ahead <= AHEAD_BYTES) return;
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
  };
  return {
    send,
    written: (bytes: number): void => {
      ahead -= bytes;
      if (ahead <= AHEAD_BYTES) goOn();
    },
  };
};

/** The stream that Lambda gives to a streaming handler. */
export interface ResponseStream extends Writable {
  setContentType(contentType: string): void;
  _onBeforeFirstWrite?: (write: (chunk: string | Uint8Array) => void) => void;
}

const PRELUDE_DELIMITER = new Uint8Array(8);

/** All pending output is sent together, in a separate buffer, which can be transferred to another thread. */
const writeWith = (send: SendChunk): Writable => {
  const stream = new Writable({
    highWaterMark: AHEAD_BYTES,
    writev: (chunks, done) => {
      const buffers = chunks.map(({ chunk }) => chunk as Buffer);
      const bytes = new Uint8Array(buffers.reduce((sum, { length }) => sum + length, 0));
      let end = 0;
      for (const buffer of buffers) {
        bytes.set(buffer, end);
        end += buffer.length;
      }
      send(bytes, stream.writableEnded).then(() => done(), done);
    },
  });
  return stream;
};

/**
 * A stream that behaves like that of the Node runtime: the argument of HttpResponseStream.from is sent before the first
 * `write`, and not with an `end` alone, so that a function that forgets to write fails here as it does on AWS. Objects
 * are written as JSON. Source: aws-lambda-nodejs-runtime-interface-client, src/stream.
 */
export const makeResponseStream = (send: SendChunk): ResponseStream => {
  const stream = writeWith(send) as ResponseStream;
  const plainWrite = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  let started = false;
  const write = (chunk: unknown, ...rest: unknown[]): boolean => {
    if (!started) {
      started = true;
      // Output of the same turn, usually the complete response, is sent together with the prelude.
      stream.cork();
      process.nextTick(() => stream.uncork());
      stream._onBeforeFirstWrite?.((first) => plainWrite(first));
    }
    const plain = typeof chunk === 'string' || chunk instanceof Uint8Array;
    return plainWrite(plain ? chunk : JSON.stringify(chunk), ...rest);
  };
  stream.write = write as Writable['write'];
  stream.setContentType = () => {
    if (started) throw new Error('Cannot set content-type, too late.');
  };
  return stream;
};

type StreamingHandler = (event: unknown, stream: ResponseStream, context: unknown) => unknown;

/** The mark of the real runtime on a handler that streams. */
const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');

/** Whether the handler was wrapped by `awslambda.streamifyResponse`. */
export const isStreaming = (handler: unknown): handler is StreamingHandler =>
  typeof handler === 'function' && (handler as { [STREAMING]?: string })[STREAMING] === 'response';

/** The global `awslambda` of the Node runtime. */
export const awslambda = {
  streamifyResponse: (handler: StreamingHandler): StreamingHandler =>
    Object.assign(handler, { [STREAMING]: 'response' }),
  HttpResponseStream: {
    from: (stream: ResponseStream, prelude: Readonly<Record<string, unknown>>): ResponseStream => {
      stream.setContentType('application/vnd.awslambda.http-integration-response');
      stream._onBeforeFirstWrite = (write) => {
        write(JSON.stringify(prelude));
        write(PRELUDE_DELIMITER);
      };
      return stream;
    },
  },
};
