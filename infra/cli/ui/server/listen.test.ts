import { expect, it } from 'vitest';
import { listenOnLoopback } from './listen.ts';

const makeFetch = (port: number) => () => new Response(String(port));

it('uses a free port of the loopback interface, and reports a port that is in use', async () => {
  const listening = await listenOnLoopback({ port: 0, makeFetch });
  try {
    const answer = await fetch(`http://127.0.0.1:${listening.port}/`);
    expect(await answer.text()).toBe(String(listening.port));
    await expect(listenOnLoopback({ port: listening.port, makeFetch })).rejects.toThrow(
      `--port ${listening.port}: the port is in use; choose another, or 0 for one that is free`,
    );
  } finally {
    listening.close();
  }
});
