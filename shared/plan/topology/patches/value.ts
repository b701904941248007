import { UnreadableError } from '../../../decode/unreadable.ts';
import { readYaml } from '../../../decode/yaml.ts';
import type { JsonPatch } from '../../../kinds/cluster-class/patch-schema.ts';
import { Budget } from '../../../kube-api/go-template/budget.ts';
import { renderGoTemplate } from '../../../kube-api/go-template/render.ts';
import { TemplateError } from '../../../kube-api/go-template/scan.ts';
import { SPRIG } from '../../../kube-api/go-template/sprig/sprig.ts';
import type { Value } from '../../../kube-api/go-template/values.ts';
import { TopologyError, wrapping } from '../error.ts';
import { type Variables, variableAt } from './variable-path.ts';

/** The variables of a template, and the budget of all executions of a plan. */
export interface Rendering {
  variables: Variables;
  together: Budget;
}

const render = (template: string, { variables, together }: Rendering): string => {
  try {
    return renderGoTemplate(template, variables as Value, SPRIG, new Budget(undefined, together));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new TopologyError(`failed to render template: ${JSON.stringify(template)}: the template ${error.message}`);
  }
};

/** The value that a template renders: its output is YAML. Throws TopologyError. */
const renderValue = (template: string, rendering: Rendering): unknown => {
  const text = render(template, rendering);
  try {
    // As in Go's libraries, `yes` is true.
    return readYaml(text, { version: '1.1' });
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new TopologyError(`failed to unmarshal rendered template: ${JSON.stringify(text)}: ${error.message}`);
  }
};

/** The value that a patch sets. Throws TopologyError. */
export const valueOfPatch = ({ value, valueFrom }: JsonPatch, rendering: Rendering): unknown => {
  const fail = (why: string): never => {
    throw new TopologyError(`failed to calculate value: ${why}`);
  };
  if (value !== undefined) return valueFrom ? fail('both .value and .valueFrom are set') : value;
  if (!valueFrom) return fail('neither .value nor .valueFrom are set');
  const { variable, template } = valueFrom;
  if (variable && template) {
    return fail('.valueFrom is set, but both .valueFrom.variable and .valueFrom.template are set');
  }
  if (variable) return wrapping('failed to calculate value', () => variableAt(rendering.variables, variable));
  if (template) return wrapping('failed to calculate value for template', () => renderValue(template, rendering));
  return fail('.valueFrom is set, but neither .valueFrom.variable nor .valueFrom.template are set');
};

/** Whether a patch is enabled for these variables: its template renders `true`. Throws TopologyError. */
export const isEnabled = (enabledIf: string | undefined, rendering: Rendering): boolean =>
  !enabledIf || wrapping('failed to calculate value for enabledIf', () => renderValue(enabledIf, rendering)) === true;
