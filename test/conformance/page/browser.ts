/** A browser that is controlled through its debugging protocol. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { chromiumIn } from '../../../infra/cli/conformance/chromium.ts';

export interface Browser {
  /** Opens a new tab. */
  open(url: string): Promise<Tab>;
  close(): Promise<void>;
}

export interface Tab {
  /** Sends a command of the debugging protocol. */
  command<T>(method: string, params?: object): Promise<T>;
  /** Evaluates an expression and awaits a promise. Rejects with the error that the expression throws. */
  evaluate<T>(expression: string): Promise<T>;
  /** Everything that the browser has reported: errors, and violations of the content security policy. */
  complaints: readonly string[];
}

interface Message {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { message: string };
}

type Send = <T>(method: string, params?: object, sessionId?: string) => Promise<T>;

const addressOf = async (process: ReturnType<typeof spawn>): Promise<string> => {
  if (process.stderr === null) throw new Error('the browser has no output');
  const said: string[] = [];
  for await (const line of createInterface({ input: process.stderr })) {
    const [, address] = /^DevTools listening on (\S+)/.exec(line) ?? [];
    if (address) return address;
    said.push(line);
  }
  throw new Error(`the browser does not start: ${said.join('\n')}`);
};

const connect = async (
  address: string,
  onEvent: (message: Message) => void,
): Promise<{ socket: WebSocket; send: Send }> => {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const open = new Map<number, (message: Message) => void>();
  let last = 0;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id === undefined) return onEvent(message);
    open.get(message.id)?.(message);
    open.delete(message.id);
  });
  const send = <T>(method: string, params: object = {}, sessionId?: string): Promise<T> =>
    new Promise((resolve, reject) => {
      last += 1;
      open.set(last, ({ result, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result as T),
      );
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    });
  return { socket, send };
};

/** The error that an event reports, if any. */
const complaintOf = ({ method, params = {} }: Message): string | undefined => {
  const { entry, exceptionDetails } = params as {
    entry?: { level: string; text: string; url?: string };
    exceptionDetails?: { text: string; exception?: { description?: string } };
  };
  if (method === 'Runtime.exceptionThrown') return exceptionDetails?.exception?.description ?? exceptionDetails?.text;
  return method === 'Log.entryAdded' && entry?.level === 'error' ? `${entry.text} ${entry.url ?? ''}` : undefined;
};

interface Evaluated<T> {
  result: { value: T };
  exceptionDetails?: { text: string; exception?: { description?: string } };
}

const openTab = async (send: Send, url: string, complaints: Map<string, string[]>): Promise<Tab> => {
  const { targetId } = await send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
  const own: string[] = [];
  complaints.set(sessionId, own);
  const command: Tab['command'] = (method, params) => send(method, params, sessionId);
  for (const domain of ['Page', 'Runtime', 'Log']) await command(`${domain}.enable`);
  await command('Page.navigate', { url });
  const evaluate = async <T>(expression: string): Promise<T> => {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await command<Evaluated<T>>('Runtime.evaluate', options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  return { command, evaluate, complaints: own };
};

/**
 * Starts the browser that `npm run conformance` has installed. It needs no sandbox, because it opens only Windlass's
 * own page.
 */
export const startBrowser = async (directory = process.env.WINDLASS_CHROMIUM ?? ''): Promise<Browser> => {
  const { program, libraries } = chromiumIn(directory);
  const profile = mkdtempSync(join(tmpdir(), 'windlass-browser-'));
  const options = ['--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const env = { ...process.env, LD_LIBRARY_PATH: libraries };
  const browser = spawn(program, [...options, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'], env });
  const complaints = new Map<string, string[]>();
  const { socket, send } = await connect(await addressOf(browser), (message) => {
    const complaint = complaintOf(message);
    if (complaint !== undefined) complaints.get(message.sessionId ?? '')?.push(complaint);
  });
  return {
    open: (url) => openTab(send, url, complaints),
    close: async () => {
      const ended = once(browser, 'exit');
      socket.close();
      browser.kill();
      await ended;
    },
  };
};
