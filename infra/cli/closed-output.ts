/** Whether the reader of the output has closed it, as `| head` does. */

export const isClosedPipe = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE';

/**
 * Lets a command finish and end with its own code, although nothing reads its output: `start` keeps running, and a
 * command that changes objects is not left half done.
 */
export const ignoreClosedOutput = (): void => {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!isClosedPipe(error)) throw error;
    });
};
