/** A relay in front of an emulator, which adds what the emulator lacks and records the result of each call. */
import { proxy } from '../../../infra/local/engines/wire/proxy.ts';
import { createWireServer, type Forward } from '../../../infra/local/engines/wire/server.ts';
import { systemClock } from '../../../shared/clock.ts';
import { silentLog } from '../../../shared/log.ts';
import { systemRandom } from '../../../shared/random.ts';
import type { Completion } from './completions/completion.ts';
import { codeOf } from './raw.ts';

/** The services that emulators provide. */
const SERVICES = ['ec2', 'elasticloadbalancing', 'secretsmanager', 'ssm', 's3', 'sts', 'iam'];

export interface RecordedCall {
  service: string;
  operation: string;
  /** The error's code; undefined for a success. */
  code: string | undefined;
  input: string;
  output: string;
}

export interface Relay {
  url: string;
  calls: RecordedCall[];
  close(): Promise<void>;
}

const operationOf = (headers: Readonly<Record<string, unknown>>, body: string): string => {
  const target = String(headers['x-amz-target'] ?? '')
    .split('.')
    .at(-1);
  return target || (new URLSearchParams(body).get('Action') ?? '');
};

/** Starts a relay in front of `endpoint`. It refuses requests that are signed for other services. */
export const startRelay = async (
  endpoint: string,
  completions: readonly Pick<Completion, 'service' | 'complete'>[],
  services: readonly string[] = SERVICES,
): Promise<Relay> => {
  const calls: RecordedCall[] = [];
  const server = createWireServer({ clock: systemClock, random: systemRandom, log: silentLog });
  for (const service of services) {
    const fitting = completions.filter((one) => one.service === service);
    const forward = fitting.reduce<Forward>((inner, { complete }) => complete(inner), proxy(endpoint));
    server.forward(service, async (request) => {
      const answer = await forward(request);
      const input = request.body.toString();
      const output = Buffer.from(answer.body).toString();
      const operation = operationOf(request.headers, input);
      calls.push({ service, operation, code: codeOf(answer.status, output), input, output });
      return answer;
    });
  }
  return { url: await server.listen(), calls, close: server.close };
};
