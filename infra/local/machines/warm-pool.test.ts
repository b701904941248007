import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyFor, createTestWorld, eventually, plainUserData, type TestWorld, TOKENS } from './test-world.ts';

/** Instances of a warm pool boot once to prepare themselves, and possibly again when they are put in service. */
describe('a machine of a warm pool', () => {
  let world: TestWorld;
  let [first, stopped, running] = ['', '', ''];
  const consoleOf = (id: string): string => world.fleet.console(id).join('\n');
  const says = (id: string, text: string) =>
    eventually(
      async () => consoleOf(id).includes(text),
      () => consoleOf(id),
    );
  const names = async () => (await world.nodes()).map(({ spec }) => spec?.providerID?.split('/').at(-1)).sort();

  beforeAll(async () => {
    world = await createTestWorld();
    const body = (token: string) => plainUserData(bodyFor(world, 'worker', token, { joinsInService: true }));
    first = world.launch(plainUserData(bodyFor(world, 'init')));
    stopped = world.launch(body(TOKENS[0]));
    running = world.launch(body(TOKENS[1]));
    await eventually(
      async () => (await names()).length === 1,
      () => consoleOf(first),
    );
  });
  afterAll(() => world.close());

  it('prepares itself, but does not join', async () => {
    await says(stopped, 'finished');
    await says(running, 'waiting until Auto Scaling puts this instance in service');
    expect(await names()).toEqual([first]);
    expect(consoleOf(stopped)).not.toContain('kubeadm: ');
  });

  it('does not join when it reboots before it is put in service', async () => {
    world.setState(stopped, 'stopped');
    await says(stopped, 'power off');
    world.setState(stopped, 'running');
    await eventually(
      async () => consoleOf(stopped).split('waiting until').length === 3,
      () => consoleOf(stopped),
    );
    expect(await names()).toEqual([first]);
  });

  it('joins when it is put in service, with or without a boot', async () => {
    for (const id of [stopped, running]) world.putInService(id);
    await eventually(
      async () => (await names()).length === 3,
      () => consoleOf(stopped) + consoleOf(running),
    );
    expect(await names()).toEqual([first, stopped, running].sort());
  });

  it('does not join again at the next boot', async () => {
    await says(stopped, 'bootstrap-success.complete');
    world.setState(stopped, 'stopped');
    await eventually(
      async () => consoleOf(stopped).split('power off').length === 3,
      () => consoleOf(stopped),
    );
    world.setState(stopped, 'running');
    await says(stopped, 'was skipped: there is no /etc/windlass/kubeadm.yaml');
  });
});
