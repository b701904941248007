import { expect, it } from 'vitest';
import { CONTROLLER_IDENTITY, makePerScope, scopeKey } from './scope.ts';

it('one client is created for each region and identity', () => {
  const made: unknown[] = [];
  const credentials = async () => ({ accessKeyId: 'id', secretAccessKey: 'key' });
  const clients = makePerScope((options) => made.push(options));
  const home = { region: undefined, identity: CONTROLLER_IDENTITY };
  const abroad = { region: 'eu-central-1', identity: CONTROLLER_IDENTITY };
  const spoke = { region: 'eu-central-1', identity: { key: 'spoke', credentials } };

  expect([home, abroad, spoke, home, { ...abroad }, spoke].map(clients)).toEqual([1, 2, 3, 1, 2, 3]);
  expect(made).toEqual([
    { region: undefined, credentials: undefined },
    { region: 'eu-central-1', credentials: undefined },
    { region: 'eu-central-1', credentials },
  ]);
});

it('a limited number of clients is kept', () => {
  let made = 0;
  const clients = makePerScope(() => {
    made += 1;
    return made;
  });
  const scopeOf = (key: string) => ({ region: 'eu-central-1', identity: { key } });
  for (let index = 0; index < 101; index += 1) clients(scopeOf(`identity ${index}`));
  expect(clients(scopeOf('identity 100'))).toBe(101);
  expect(clients(scopeOf('identity 0'))).toBe(102);
  expect(scopeKey(scopeOf('a'))).not.toBe(scopeKey({ region: undefined, identity: { key: 'a' } }));
});
