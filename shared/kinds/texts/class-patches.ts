import type { FieldText } from '../../kube-api/schema/field-texts.ts';

/** Texts of the patches of a ClusterClass. */

const externalText =
  'Patches by an extension, in place of definitions. Handlers are named as handler.extension-config.';
const generateText = 'Handler that makes the patches. Required: a patch that only validates fails.';
const validateText = 'Handler that is shown the patched templates, and may refuse them.';
const discoverText =
  'Name of the handler of DiscoverVariables, as handler.extensionconfig. Its variables are added to those of the class.';
const settingsText = 'Passed to the handlers. They win over settings of the same name in the ExtensionConfig.';

const namesText = 'Names of the classes. A * at the beginning or end matches any characters.';

export const patchesText = [
  'Changes to the templates of the class, computed for each cluster from its variables. Applied in order.',
  {
    name: 'Name of the patch, unique within the class. May not be inline.',
    description: 'Description of the patch, for people.',
    enabledIf:
      'Go template with access to the variables. The patch is applied only if the result is true; by default it always is.',
    definitions: [
      'Changes to templates, in order.',
      {
        selector: [
          'Which templates of the class are changed. At least one must match.',
          {
            apiVersion: 'API group and version of the templates.',
            kind: 'Kind of the templates, such as AWSMachineTemplate.',
            matchResources: [
              'Where in the class a template must be used. Any one match is enough.',
              {
                controlPlane: 'Selects the templates of the control plane and its machines. Defaults to false.',
                infrastructureCluster: 'Selects the template of the cluster infrastructure. Defaults to false.',
                machineDeploymentClass: ['Selects templates of MachineDeployment classes.', { names: namesText }],
                machinePoolClass: ['Selects templates of MachinePool classes.', { names: namesText }],
              },
            ],
          },
        ],
        jsonPatches: [
          'Operations on the templates, as in RFC 6902.',
          {
            op: 'Operation: add, replace or remove.',
            path: 'JSON pointer that starts with /spec. List indexes are allowed only for add: 0 for the beginning and - for the end.',
            value: 'Value to set. Required for add and replace unless valueFrom is set.',
            valueFrom: [
              'Source of the value, either variable or template.',
              {
                variable: 'Variable of the class or builtin variable, such as builtin.cluster.name.',
                template: 'Go template that produces YAML or JSON from the variables.',
              },
            ],
          },
        ],
      },
    ],
    external: [
      externalText,
      {
        generatePatchesExtension: generateText,
        validateTopologyExtension: validateText,
        discoverVariablesExtension: discoverText,
        settings: settingsText,
      },
    ],
  },
] satisfies FieldText;

/** What v1beta1 calls otherwise. */
export const oldPatchesText = [
  patchesText[0],
  { external: [externalText, { generateExtension: generateText, validateExtension: validateText }] },
] satisfies FieldText;
