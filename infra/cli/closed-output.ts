/** Output whose reader is gone, as after `| head`. */

export const isClosedPipe = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE';

/**
 * Lets a command finish what it does, and end with its own code, although nothing reads its output: `start` keeps
 * running, and what changes objects is not left half done.
 */
export const ignoreClosedOutput = (): void => {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!isClosedPipe(error)) throw error;
    });
};
