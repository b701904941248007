/** Sends functions' requests to AWS as objects that take as long as packets, without connections and HTTP. */
import { syncBuiltinESMExports } from 'node:module';
import { crc32 } from 'node:zlib';
import { directAnswerOf } from '../../../infra/local/engines/lambda/direct-answer.ts';
import { isTo, sendDirectly } from '../../../infra/local/engines/lambda/direct-request.ts';
import type { DirectAnswer, DirectRequest } from '../../../infra/local/engines/lambda/messages.ts';
import type { WireServer } from '../../../infra/local/engines/wire/server.ts';
import { type Invocation, invocations } from './invocations.ts';
import type { VirtualProcess } from './virtual/process.ts';

export type Aws = Pick<WireServer, 'answer'>;

/** The account of the current lifecycle. */
interface Target {
  aws: Aws;
  endpoint: string;
  isIt: ReturnType<typeof isTo>;
  /**
   * One sequence of packets for each process, so that an additional request of one process does not affect the others.
   */
  latencies: Map<number, () => number>;
}

let target: Target | undefined;

/** A new lifecycle does not have an account yet. */
export const leaveAccount = (): void => {
  target = undefined;
};

/** From now on, `aws` answers the requests to `endpoint`. */
export const enterAccount = (aws: Aws, endpoint: string): void => {
  target = { aws, endpoint, isIt: isTo(endpoint), latencies: new Map() };
};

const lineOf = (invocation: Invocation | undefined): number => {
  if (invocation === undefined) return 0;
  const { name, number } = invocation.process;
  return crc32(`${name}#${number}`);
};

/** Must be called once in a process, before functions are imported. */
export const openDirect = ({ scheduler, latencyOf }: Pick<VirtualProcess, 'scheduler' | 'latencyOf'>): void => {
  const send = async (
    to: Target,
    request: DirectRequest,
    latency: () => number,
    take: (answer: DirectAnswer) => void,
  ) => {
    const answer = await directAnswerOf(to.aws, to.endpoint, request);
    scheduler.after(latency(), () => take(answer));
  };
  const take = sendDirectly(
    (options) => target?.isIt(options) === true,
    (id) => {
      const line = lineOf(invocations.getStore());
      return (request) => {
        const to = target;
        if (to === undefined) throw new Error('no account answers');
        const latency = to.latencies.get(line) ?? latencyOf(line);
        to.latencies.set(line, latency);
        scheduler.after(latency(), () => void send(to, request, latency, (answer) => take(id, answer)));
      };
    },
  );
  syncBuiltinESMExports();
};
