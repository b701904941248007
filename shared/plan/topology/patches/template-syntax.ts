import type { ClusterClassSpec } from '../../../kinds/cluster-class/schema.ts';
import { invalidValue } from '../../../kube-api/field-error.ts';
import { BUILTINS } from '../../../kube-api/go-template/functions.ts';
import { parseTemplate } from '../../../kube-api/go-template/parse.ts';
import { TemplateError } from '../../../kube-api/go-template/scan.ts';
import { SPRIG } from '../../../kube-api/go-template/sprig/sprig.ts';
import type { FieldError } from '../../../kube-api/resource.ts';

const validateTemplate = (template: string | undefined, field: string): FieldError[] => {
  if (!template) return [];
  try {
    parseTemplate(template, { ...BUILTINS, ...SPRIG });
    return [];
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return [invalidValue(field, template, `template can not be parsed: the template ${error.message}`)];
  }
};

/** Reports unparsable templates in the patches of a class (core/webhooks/admission/patch_validation.go). */
export const validateTemplates = ({ patches = [] }: ClusterClassSpec): FieldError[] =>
  patches.flatMap(({ enabledIf, definitions = [] }, index) => [
    ...validateTemplate(enabledIf, `spec.patches[${index}].enabledIf`),
    ...definitions.flatMap(({ jsonPatches }, at) =>
      jsonPatches.flatMap(({ valueFrom }, place) =>
        validateTemplate(
          valueFrom?.template,
          `spec.patches[${index}].definitions[${at}].jsonPatches[${place}].valueFrom.template`,
        ),
      ),
    ),
  ]);
