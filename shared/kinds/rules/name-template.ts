import { Budget } from '../../kube-api/go-template/budget.ts';
import { BUILTINS } from '../../kube-api/go-template/functions.ts';
import { parseTemplate } from '../../kube-api/go-template/parse.ts';
import { renderParsed } from '../../kube-api/go-template/render.ts';
import { TemplateError } from '../../kube-api/go-template/scan.ts';

/** A template that produces no valid name. The message contains the reason after upstream's text. */
export class NameTemplateError extends Error {
  override readonly name = 'NameTemplateError';
}

/** The values of a template's variables other than `random`: `{ cluster: { name: 'demo' } }`. */
export type NameVariables = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Names up to this length are valid label values. */
export const MAX_NAME = 63;

/** The limit for a thousand steps of a template. Admission executes every template of a class within one request. */
const MOST_WORK = 200_000;

const orNameError = <T>(what: string, run: () => T): T => {
  try {
    return run();
  } catch (error) {
    if (error instanceof TemplateError) throw new NameTemplateError(`${what}: the template ${error.message}`);
    throw error;
  }
};

/**
 * A naming template in Go's text/template without additional functions, such as `{{ .cluster.name }}-{{ .random }}`,
 * executed as in upstream (internal/topology/names): a variable that does not exist is an error, and a name of more
 * than 63 bytes is cut and gets the random part at its end. `random`: five characters. The template is parsed once.
 * Both the call and the function that it returns throw NameTemplateError.
 */
export const nameTemplate = (template: string): ((variables: NameVariables, random: string) => string) => {
  const nodes = orNameError(`parsing template ${JSON.stringify(template)}`, () => parseTemplate(template, BUILTINS));
  return (variables, random) => {
    const name = orNameError('rendering template', () =>
      renderParsed(nodes, { ...variables, random }, { requiresKeys: true, budget: new Budget(MOST_WORK) }),
    );
    const bytes = Buffer.from(name);
    return bytes.length <= MAX_NAME ? name : bytes.subarray(0, MAX_NAME - random.length).toString() + random;
  };
};
