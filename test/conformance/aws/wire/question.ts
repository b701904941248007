/** Questions to an AWS endpoint, asked after a preparation that makes what they are about. */
import { type Ask, type RawAnswer, valueIn } from '../raw.ts';

export interface Call {
  service: string;
  operation: string;
  /** `{name}` in a value stands for what an earlier call has brought. */
  input?: Readonly<Record<string, unknown>>;
  /** What later calls need of the answer, by name: the text of the first element, or field, of that name. */
  take?: Readonly<Record<string, string>>;
}

export interface Question {
  /** What is asked, as the table words it. */
  name: string;
  /** Makes what the question is about; has to succeed. */
  given?: readonly Call[];
  ask: Call;
  /** What counts besides that the call succeeded: for example how many there are. */
  see?: (answer: RawAnswer, taken: Readonly<Record<string, string>>) => string;
}

const PLACE = /\{(\w+)\}/g;

const filled = (input: Readonly<Record<string, unknown>>, taken: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(PLACE, (_, key: string) => taken[key] ?? `{${key}}`) : value,
    ]),
  );

/**
 * The answer in one word: the error's code, or `ok` with what counts; a preparation that fails says where. `known`
 * are the values that no call brings, among them a `unique` name.
 */
export const answerTo = async (
  { given = [], ask: asked, see }: Question,
  ask: Ask,
  known: Readonly<Record<string, string>>,
): Promise<string> => {
  const taken: Record<string, string> = { ...known };
  for (const { service, operation, input = {}, take = {} } of given) {
    const { code, body } = await ask(service, operation, filled(input, taken));
    if (code !== undefined) return `${operation} fails: ${code}`;
    for (const [name, element] of Object.entries(take)) taken[name] = valueIn(body, element);
  }
  const answer = await ask(asked.service, asked.operation, filled(asked.input ?? {}, taken));
  if (answer.code !== undefined) return answer.code;
  return see ? see(answer, taken) : 'ok';
};
