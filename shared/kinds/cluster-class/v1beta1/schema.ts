import { oldStrategy } from '../../machine-deployment/v1beta1/schema.ts';
import { flag, int32, int64, keyedList, list, options, someOf, struct, text } from '../../schema/fields.ts';
import { machineTaints } from '../../schema/machine-parts.ts';
import { conditionGate, templateMeta } from '../../schema/meta.ts';
import { checkFields } from '../../v1beta1/health-check.ts';
import { conditionStatus, deletionTimeouts, readinessGates, reference } from '../../v1beta1/schema.ts';
import { patches as storedPatches } from '../patch-schema.ts';
import { clusterClassSchema } from '../schema.ts';
import { statusVariables as storedStatusVariables, variables as storedVariables } from '../variable-schema.ts';

const template = () => struct({ ref: reference() }, {});

const common = () => ({
  namingStrategy: options({ template: text(1, 1024) }),
  taints: machineTaints,
  ...deletionTimeouts(),
});

const healthChecked = () => ({
  ...common(),
  machineHealthCheck: options(checkFields()),
  readinessGates: readinessGates(),
});

const worker = () => ({
  class: text(1, 256),
  template: struct({ bootstrap: template(), infrastructure: template() }, { metadata: templateMeta }),
});

const workers = () =>
  options({
    machineDeployments: keyedList(
      ['class'],
      struct(worker(), {
        ...healthChecked(),
        failureDomain: text(1, 256),
        minReadySeconds: int32(),
        strategy: oldStrategy(),
      }),
      { max: 100 },
    ),
    machinePools: keyedList(
      ['class'],
      struct(worker(), { ...common(), failureDomains: list(text(1, 256), { max: 100 }), minReadySeconds: int32() }),
      { max: 100 },
    ),
  });

/** The same as in v1beta2, except that lists and metadata may be empty. */
const variableSchema = () => {
  const { shape } = storedVariables.element.shape.schema.shape.openAPIV3Schema;
  const { required, 'x-kubernetes-validations': rules, 'x-metadata': metadata } = shape;
  return struct(
    {
      openAPIV3Schema: someOf({
        ...shape,
        required: list(required.unwrap().element, { max: 1000 }),
        'x-kubernetes-validations': keyedList(['rule'], rules.unwrap().element, { max: 100 }),
        'x-metadata': options(metadata.unwrap().shape),
      }),
    },
    {},
  );
};

/** Definitions of variables have their own metadata. */
const variables = () => {
  const { deprecatedV1Beta1Metadata: _, ...known } = storedVariables.element.shape;
  return list(struct({ ...known, schema: variableSchema() }, { metadata: templateMeta }), { max: 1000 });
};

const statusVariables = () => {
  const { name, definitions } = storedStatusVariables.element.shape;
  const { deprecatedV1Beta1Metadata: _, ...known } = definitions.element.shape;
  const definition = struct({ ...known, schema: variableSchema() }, { metadata: templateMeta });
  return list(struct({ name, definitions: list(definition, { max: 100 }) }, { definitionsConflict: flag }), {
    max: 1000,
  });
};

const patches = () => {
  const { name, definitions, external, ...known } = storedPatches.element.shape;
  const { selector, jsonPatches } = definitions.unwrap().element.shape;
  const { matchResources } = selector.shape;
  const chosen = struct(
    {
      apiVersion: text(1, 512),
      kind: text(1, 256),
      matchResources: options(matchResources.shape),
    },
    {},
  );
  const definition = struct({ selector: chosen, jsonPatches: list(jsonPatches.element, { max: 100 }) }, {});
  const { generatePatchesExtension: generateExtension, settings, discoverVariablesExtension } = external.unwrap().shape;
  const elsewhere = {
    generateExtension,
    validateExtension: text(1, 512),
    discoverVariablesExtension,
    settings,
  };
  return list(
    struct({ name }, { ...known, definitions: list(definition, { max: 100 }), external: options(elsewhere) }),
    { max: 1000 },
  );
};

export const oldClusterClassSchema = () => {
  const { upgrade, kubernetesVersions } = clusterClassSchema.shape.spec.shape;
  const controlPlane = struct(
    { ref: reference() },
    { metadata: templateMeta, machineInfrastructure: template(), ...healthChecked() },
  );
  const spec = options({
    availabilityGates: keyedList(['conditionType'], conditionGate, { max: 32 }),
    infrastructure: template(),
    infrastructureNamingStrategy: options({ template: text(1, 1024) }),
    controlPlane,
    workers: workers(),
    variables: variables(),
    patches: patches(),
    upgrade,
    kubernetesVersions,
  });
  const status = options({ ...conditionStatus({}), variables: statusVariables(), observedGeneration: int64() });
  return options({ spec, status });
};
