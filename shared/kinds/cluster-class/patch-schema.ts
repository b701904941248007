import * as z from 'zod';
import { anyJson, flag, list, options, someOf, struct, text, textMap } from '../schema/fields.ts';
import { API_VERSION, KIND } from '../schema/names.ts';

/** Patches of a ClusterClass: how the variables of a cluster change the templates. */

const classNames = options({ names: list(text(1, 256), { max: 100 }) });

const selector = struct(
  {
    apiVersion: text(1, 317, API_VERSION),
    kind: text(1, 63, KIND),
    matchResources: someOf({
      controlPlane: flag,
      infrastructureCluster: flag,
      machineDeploymentClass: classNames,
      machinePoolClass: classNames,
    }),
  },
  {},
);

const jsonPatch = struct(
  { op: z.enum(['add', 'replace', 'remove']), path: text(1, 512) },
  { value: anyJson, valueFrom: options({ variable: text(1, 256), template: text(1, 10240) }) },
);

const patch = struct(
  { name: text(1, 256) },
  {
    description: text(1, 1024),
    enabledIf: text(1, 256),
    definitions: list(struct({ selector, jsonPatches: list(jsonPatch, { min: 1, max: 100 }) }, {}), { max: 100 }),
    external: options({
      generatePatchesExtension: text(1, 512),
      validateTopologyExtension: text(1, 512),
      discoverVariablesExtension: text(1, 512),
      settings: textMap,
    }),
  },
);

export const patches = list(patch, { min: 1, max: 1000 });

export type ClassPatch = z.input<typeof patch>;
export type PatchSelector = z.input<typeof selector>;
export type JsonPatch = z.input<typeof jsonPatch>;
