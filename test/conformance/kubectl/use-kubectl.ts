import { afterAll, beforeAll, expect } from 'vitest';
import { createKubectl, type Kubectl, type Result } from './kubectl.ts';
import { startServer } from './server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/** The kubectl of a suite, and the API server with the test kinds to which it connects. */
export interface KubectlSuite {
  readonly server: Server;
  readonly kubectl: Kubectl;
  /** Runs a command line that must succeed, and returns its output. The line is split at spaces. */
  ok(line: string, input?: string | object): Promise<string>;
  /** Runs a command line that must fail. */
  fails(line: string, input?: string | object): Promise<Result>;
}

const textOf = (input: string | object | undefined): string | undefined =>
  typeof input === 'object' ? JSON.stringify(input) : input;

/** Starts kubectl and the API server before the tests of the calling suite, and stops them afterwards. */
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
