/** Runs `windlass ui` in its own process, and provides functions for tests with a browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { ROOT } from '../../../infra/cli/paths.ts';
import { PATIENCE } from '../../../shared/test-patience.ts';
import type { Tab } from './browser.ts';

export interface Page {
  /** The URL with its token. */
  address: string;
  stop(): Promise<void>;
}

/** The command line of `windlass` in a checkout. */
const CHECKOUT = [process.execPath, 'infra/cli/windlass.ts'];

interface PageOptions {
  canWrite?: boolean;
  /** The program and its first arguments. */
  windlass?: readonly string[];
}

/** Starts `windlass ui`. Rejects with its output if it ends without printing a URL. */
export const startPage = async (
  kubeconfig: string,
  { canWrite = false, windlass = CHECKOUT }: PageOptions = {},
): Promise<Page> => {
  const [program = '', ...first] = windlass;
  const args = [...first, 'ui', '--kubeconfig', kubeconfig, ...(canWrite ? ['--write'] : [])];
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(line) ?? [];
    said.push(line);
    if (address === undefined) continue;
    const stop = async () => {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    };
    return { address, stop };
  }
  throw new Error(`windlass ui ended: ${said.join('\n')}`);
};

/** The visible text, with line breaks and tabs replaced by spaces. */
export const textOf = async (tab: Tab, selector = 'main'): Promise<string> =>
  (await tab.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`)).replace(
    /\s+/g,
    ' ',
  );

/** Waits until a part of the page contains this text. */
export const reads = (tab: Tab, words: RegExp, selector = 'main'): Promise<void> =>
  expect.poll(() => textOf(tab, selector), PATIENCE).toMatch(words);

/** Starts to record every text that `main` contains, however briefly, for `hasRead`. */
export const remember = (tab: Tab): Promise<void> =>
  tab.evaluate(`{
    globalThis.shown = new Set();
    const keep = () => shown.add(document.querySelector('main').innerText.replace(/\\s+/g, ' '));
    new MutationObserver(keep).observe(document.body, { subtree: true, childList: true, characterData: true });
    keep();
  }`);

/**
 * Waits until the page has contained a text since `remember`, so that a slow computer cannot miss a temporary state.
 */
export const hasRead = (tab: Tab, words: RegExp): Promise<void> =>
  expect
    .poll(() => tab.evaluate<string[]>('[...shown]'), PATIENCE)
    .toEqual(expect.arrayContaining([expect.stringMatching(words)]));

/** Clicks on the first element that matches the selector and contains these words. */
export const click = (tab: Tab, selector: string, words = ''): Promise<void> =>
  tab.evaluate(`(() => {
    const found = [...document.querySelectorAll(${JSON.stringify(selector)})];
    const element = found.find((one) => one.innerText.includes(${JSON.stringify(words)}));
    if (!element) throw new Error('nothing to click on: ' + ${JSON.stringify(`${selector} ${words}`)});
    element.click();
  })()`);

/** Presses and releases a key. */
export const press = async (tab: Tab, key: string): Promise<void> => {
  const text = key.length === 1 ? { text: key } : {};
  await tab.command('Input.dispatchKeyEvent', { type: 'keyDown', key, ...text });
  await tab.command('Input.dispatchKeyEvent', { type: 'keyUp', key });
};
