import { afterAll, beforeAll, expect } from 'vitest';
import { createKubectl, type Kubectl, type Result } from './kubectl.ts';
import { startServer } from './server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/** The kubectl of a suite, and an API server of the test kinds to which it connects. */
export interface KubectlSuite {
  readonly server: Server;
  readonly kubectl: Kubectl;
  /** Runs a command line (blanks separate the words) that must succeed; returns its output. */
  ok(line: string, input?: string | object): Promise<string>;
  /** Runs one that must fail. */
  fails(line: string, input?: string | object): Promise<Result>;
}

const textOf = (input: string | object | undefined): string | undefined =>
  typeof input === 'object' ? JSON.stringify(input) : input;

/** Starts both before the tests of the suite that calls it, and stops them afterwards. */
export const useKubectl = ({ variables }: { variables?: Record<string, string> } = {}): KubectlSuite => {
  let server: Server;
  let kubectl: Kubectl;
  beforeAll(async () => {
    server = await startServer('/k8s');
    kubectl = await createKubectl(server.url, 'kubectl', variables);
  });
  afterAll(async () => {
    await kubectl?.dispose();
    await server?.stop();
  });
  return {
    get server() {
      return server;
    },
    get kubectl() {
      return kubectl;
    },
    ok: async (line, input) => {
      const result = await kubectl.run(line.split(' '), textOf(input));
      expect(result, result.stderr).toMatchObject({ code: 0 });
      return result.stdout;
    },
    fails: async (line, input) => {
      const result = await kubectl.run(line.split(' '), textOf(input));
      expect(result.code, result.stdout).not.toBe(0);
      return result;
    },
  };
};
