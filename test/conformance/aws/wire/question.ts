/** Questions to an AWS endpoint, each with the calls that prepare its resources. */
import { type Ask, type RawAnswer, valueIn } from '../raw.ts';

export interface Call {
  service: string;
  operation: string;
  /** `{name}` in a value is replaced with the result of an earlier call. */
  input?: Readonly<Record<string, unknown>>;
  /** Values of the response that later calls need: by name, the XML element or JSON field whose first text is taken. */
  take?: Readonly<Record<string, string>>;
  /** The call is repeated for some seconds until this is true, because earlier requests take time. */
  until?: (answer: RawAnswer) => boolean;
}

export interface Question {
  /** The question, as worded in the table. */
  name: string;
  /** Calls that prepare the resources of the question. All of them must succeed. */
  given?: readonly Call[];
  ask: Call;
  /** A value that is compared in addition to success, for example the number of results. */
  see?: (answer: RawAnswer, taken: Readonly<Record<string, string>>) => string;
}

const ATTEMPTS = 100;
const PAUSE_MILLISECONDS = 100;

const PLACE = /\{(\w+)\}/g;

const filled = (input: Readonly<Record<string, unknown>>, taken: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(PLACE, (_, key: string) => taken[key] ?? `{${key}}`) : value,
    ]),
  );

/**
 * The answer in one word: the error's code, or `ok`, or the compared value. If a preparation fails, the answer names
 * it. `known` contains the values that no call returns, such as a `unique` name.
 */
export const answerTo = async (
  { given = [], ask: asked, see }: Question,
  ask: Ask,
  known: Readonly<Record<string, string>>,
): Promise<string> => {
  const taken: Record<string, string> = { ...known };
  const patiently = async ({ service, operation, input = {}, until = () => true }: Call): Promise<RawAnswer> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await ask(service, operation, filled(input, taken));
      if (answer.code !== undefined || until(answer) || attempt === ATTEMPTS) return answer;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
  };
  for (const call of given) {
    const { code, body } = await patiently(call);
    if (code !== undefined) return `${call.operation} fails: ${code}`;
    for (const [name, element] of Object.entries(call.take ?? {})) taken[name] = valueIn(body, element);
  }
  const answer = await ask(asked.service, asked.operation, filled(asked.input ?? {}, taken));
  if (answer.code !== undefined) return answer.code;
  return see ? see(answer, taken) : 'ok';
};
