import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';

/** Texts that the RKE2 kinds use in many places: references, components, files. */

const referenceFields = (kind: 'ConfigMap' | 'Secret') =>
  ({
    name: `Name of the ${kind}.`,
    namespace: 'Namespace, which must be that of the object itself. May be left out.',
    kind: `Stored and not acted on: a ${kind} is always read.`,
    apiVersion: 'Stored and not acted on: the version is always v1.',
    uid: 'Stored and not acted on: the object is found by its name.',
    resourceVersion: 'Stored and not acted on: the newest version is always read.',
    fieldPath: 'Stored and not acted on: the object is read as a whole.',
  }) satisfies FieldTexts;

/** A reference to a ConfigMap of the same namespace. */
export const configMapText = (text: string) => [text, referenceFields('ConfigMap')] satisfies FieldText;

/** A reference to a Secret of the same namespace. */
export const secretText = (text: string) => [text, referenceFields('Secret')] satisfies FieldText;

/** The settings of a component that RKE2 runs as a static pod. */
export const componentText = (program: string) =>
  [
    `Settings of ${program}.`,
    {
      extraEnv: 'Environment variables of the container, by name.',
      extraArgs: `Further flags for ${program}, each as name=value without leading dashes.`,
      extraMounts: 'Paths on the machine, each with the path in the container where it is mounted.',
      overrideImage: `Image for ${program}. Defaults to the one that RKE2 brings.`,
    },
  ] satisfies FieldText;

const keyText = (kind: 'ConfigMap' | 'Secret') =>
  [
    `Key of a ${kind} that holds the content.`,
    {
      name: `Name of the ${kind}.`,
      key: `Key in the data of the ${kind}.`,
      namespace: 'Namespace, which must be that of the object itself. May be left out.',
    },
  ] satisfies FieldText;

export const rke2FilesText = [
  'Files that are written before preRKE2Commands and RKE2 run.',
  {
    path: 'Absolute path on the machine.',
    owner: 'Owner and group, such as root:root. Defaults to root.',
    permissions: 'Permissions in octal, such as 0640. Defaults to 0644.',
    encoding: 'How content is encoded: base64, gzip or gzip+base64; the machine decodes it. Plain text by default.',
    content:
      'Content of the file. Cannot be combined with contentFrom; jinja templates in it are rendered on the machine.',
    contentFrom: [
      'Source of the content, either a Secret or a ConfigMap. Read when the bootstrap data of the machine is generated.',
      { secret: keyText('Secret'), configMap: keyText('ConfigMap') },
    ],
  },
] satisfies FieldText;
