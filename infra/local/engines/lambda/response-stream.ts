import { Writable } from 'node:stream';

/** Sends a chunk to the reader and resolves when it may be followed by another. */
export type SendChunk = (bytes: Uint8Array) => Promise<void>;

/** The stream that Lambda gives to a streaming handler. */
export interface ResponseStream extends Writable {
  setContentType(contentType: string): void;
  _onBeforeFirstWrite?: (write: (chunk: string | Uint8Array) => void) => void;
}

const PRELUDE_DELIMITER = new Uint8Array(8);

const writeWith = (send: SendChunk): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      // A copy: the chunk may be a view on a buffer that the function uses again.
      send(new Uint8Array(chunk)).then(() => done(), done);
    },
  });

/**
 * A stream with the manners of the Node runtime's own: what HttpResponseStream.from was given goes out before the first
 * `write`, and not with an `end` alone, so that a function which forgets to write fails here as it fails on AWS. Objects
 * are written as JSON. Source: aws-lambda-nodejs-runtime-interface-client, src/stream.
 */
export const makeResponseStream = (send: SendChunk): ResponseStream => {
  const stream = writeWith(send) as ResponseStream;
  const plainWrite = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  let started = false;
  const write = (chunk: unknown, ...rest: unknown[]): boolean => {
    if (!started) {
      started = true;
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
