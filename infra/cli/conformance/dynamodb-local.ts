/** Runs Amazon's DynamoDB Local as a process on this computer. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { end, freePorts, lastLines, type RunningProgram, run, whenUp } from './processes.ts';

/** Starts it with its tables in memory, shared by all credentials and regions. */
export const startDynamoDbLocal = async (jar: string): Promise<RunningProgram> => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-dynamodb-local-'));
  const [port = 0] = await freePorts(1);
  const libraries = `-Djava.library.path=${join(dirname(jar), 'DynamoDBLocal_lib')}`;
  const flags = [libraries, '-jar', jar, '-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)];
  const child = run(home, 'java', flags);
  const url = `http://127.0.0.1:${port}`;
  await whenUp(url, child, () => lastLines(home, 'java'));
  return { url, stop: () => end(child) };
};
