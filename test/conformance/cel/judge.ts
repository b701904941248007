import { execFileSync } from 'node:child_process';
import type { OpenApiSchema } from '../../../shared/kube-api/resource.ts';

/** The program that `npm run conformance` builds; undefined if a test is run without it. */
export const program = process.env.WINDLASS_CEL;

/** A schema of a variable, and a value of it. */
export interface Question {
  /** The name of the question in a test's output. */
  title: string;
  schema: OpenApiSchema;
  value: unknown;
  /** The previous value, which it replaces. */
  old?: unknown;
}

export interface Fault {
  type: string;
  field: string;
  message: string;
}

export interface Verdict {
  /** The errors of the schema, as the variable of a ClusterClass. */
  class: Fault[];
  /** The errors of the value, as the variable of a Cluster. */
  cluster: Fault[];
  /** About the rules of the schema itself: whether they can be compiled, and what they may cost. */
  rules: { isWrong: boolean; cost: string; messageCost: string }[];
  /** The cost of the rules that were run; -1 if it is too high, and 0 if there is any error. */
  spent: number;
}

interface Overload {
  id: string;
  member: boolean;
  takes: string[];
  gives: string;
}

interface Answer extends Pick<Verdict, 'class' | 'cluster' | 'spent'> {
  rules: { fault: string; cost: string; messageCost: string }[];
}

interface Answers {
  verdicts: Verdict[];
  functions: Readonly<Record<string, Overload[]>>;
}

/** The result of Cluster API's own code. */
export const askUpstream = (questions: readonly Question[]): Answers => {
  const options = { input: JSON.stringify({ cases: questions }), maxBuffer: 1024 * 1024 * 1024 };
  const said = JSON.parse(execFileSync(String(program), options).toString()) as {
    answers: Answer[];
    functions: Answers['functions'];
  };
  const verdicts = said.answers.map(({ rules, ...rest }) => ({
    ...rest,
    rules: rules.map(({ fault, cost, messageCost }) => ({ isWrong: fault !== '', cost, messageCost })),
  }));
  return { verdicts, functions: said.functions };
};
