import { setTimeout } from 'node:timers/promises';
import { isObject } from '../../../shared/kube-api/json.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { compare, type Difference } from './compare.ts';
import type { Answered, Asked, Send } from './endpoint.ts';
import type { Hooks } from './hooks.ts';
import { createNormaliser } from './normalise.ts';

/** The unchanged answers of one server to the earlier steps of a scenario. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of any endpoint, from which later steps read versions and ids.
export type Past = readonly { code: number; body: any }[];

/** A watch, and the changes that are made while it is open. The watch ends with the last change that it reports. */
export interface Watching {
  watch: Asked;
  changes: readonly { asked: Asked; shown: boolean }[];
}

/** A create request that is not compared, because a server may need some time until it takes effect. */
export interface Preparation {
  prepare: Asked;
  /** Repeated until the answer is `code`, by default 200, which means that the creation has taken effect. */
  until: Asked;
  code?: number;
}

/** A request, or one that depends on earlier answers of the same server. */
export type Step = Asked | Preparation | ((past: Past) => Asked | Watching);

/** Requests that are sent one after the other in their own namespace. */
export interface Scenario {
  name: string;
  /** `hooks` are the server's webhooks. */
  steps(namespace: string, hooks: Hooks): readonly Step[];
}

export interface Exchange {
  asked: Asked;
  answered: Answered;
}

/** Creates the namespace and runs a scenario in it, against one server. */
export const play = async ({ steps }: Scenario, namespace: string, send: Send, hooks: Hooks): Promise<Exchange[]> => {
  const made = await send({ method: 'POST', path: '/api/v1/namespaces', body: namespaceObject(namespace) });
  if (made.code !== 201)
    throw new Error(`the namespace ${namespace} could not be created: ${JSON.stringify(made.body)}`);
  const exchanges: Exchange[] = [];
  for (const step of steps(namespace, hooks)) {
    if ('prepare' in step) {
      await prepare(step, send);
      continue;
    }
    const wanted = typeof step === 'function' ? step(exchanges.map(({ answered }) => answered)) : step;
    const asked = 'watch' in wanted ? await playWatching(wanted, send) : [await exchange(wanted, namespace, send)];
    exchanges.push(...asked);
  }
  return exchanges;
};

const LOOK_MILLISECONDS = 100;

const prepare = async ({ prepare: asked, until, code: wanted = 200 }: Preparation, send: Send): Promise<void> => {
  const { code, body } = await send(asked);
  if (code !== 201) throw new Error(`${asked.path} was answered with ${code}: ${JSON.stringify(body)}`);
  for (let left = PATIENCE_SECONDS * 1000; left > 0; left -= LOOK_MILLISECONDS) {
    if ((await send(until)).code === wanted) return;
    await setTimeout(LOOK_MILLISECONDS);
  }
  throw new Error(`${until.path} is not served`);
};

const exchange = async (wanted: Asked, namespace: string, send: Send): Promise<Exchange> => {
  const asked = { ...wanted, body: inNamespace(wanted.body, namespace) };
  return { asked, answered: await send(asked) };
};

/**
 * Waits until the watch has reported each change, so that no server merges two changes to one object. Returns the watch
 * last.
 */
const playWatching = async ({ watch, changes }: Watching, send: Send): Promise<Exchange[]> => {
  const shown = changes.filter((change) => change.shown).length;
  const seen: unknown[] = [];
  let tell = (): void => {};
  const answered = send({
    ...watch,
    onEvent: (event) => {
      tell();
      return seen.push(event) >= shown;
    },
  });
  const exchanges: Exchange[] = [];
  for (const { asked, shown } of changes) {
    const next = new Promise<void>((resolve) => {
      tell = resolve;
    });
    exchanges.push({ asked, answered: await send(asked) });
    // If a server never reports the change, the watch ends at its timeout, which is a difference.
    if (shown) await Promise.race([next, answered, setTimeout(PATIENCE_SECONDS * 1000, undefined, { ref: false })]);
  }
  return [...exchanges, { asked: watch, answered: await answered }];
};

/** Cases contain `{namespace}` wherever an object must name its namespace. */
const inNamespace = (body: unknown, namespace: string): unknown =>
  isObject(body) && !(body instanceof Uint8Array)
    ? JSON.parse(JSON.stringify(body).replaceAll('{namespace}', namespace))
    : body;

const namespaceObject = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

/** A difference and the place where it was found. */
export interface Finding extends Difference {
  /** For example `scenario › 2 PATCH`. */
  where: string;
  /** The path of the request with its query. */
  asked: string;
}

/** The differences between two runs of a scenario. */
export const findDifferences = (name: string, theirs: readonly Exchange[], ours: readonly Exchange[]): Finding[] => {
  const [normaliseTheirs, normaliseOurs] = [createNormaliser(), createNormaliser()];
  return theirs.flatMap(({ asked, answered }, index) => {
    const other = ours[index];
    if (!other) throw new Error(`${name}: step ${index + 1} was not sent`);
    const where = `${name} › ${index + 1} ${asked.method}`;
    return compare(normaliseTheirs(answered), normaliseOurs(other.answered)).map((difference) => ({
      where,
      asked: asked.path,
      ...difference,
    }));
  });
};
