import { execFileSync } from 'node:child_process';

/** The program that `npm run conformance` builds; undefined if a test is run without it. */
export const program = process.env.WINDLASS_TEMPLATES;

export const PROVIDER = 'sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0';
export const CLUSTER_API = 'sigs.k8s.io/cluster-api/test@v1.14.2';

/** A folder of a module; its templates are named after it. */
export interface Source {
  name: string;
  module: string;
  directory: string;
}

/** The classes of the Clusters of `aws-e2e-topology/`, which are applied with these. */
export const CLASSES = 'aws-e2e-class/';

const E2E = 'test/e2e/data/infrastructure-aws';

/** Where upstream publishes its cluster templates. The first has the network plug-in. */
const SOURCES: readonly Source[] = [
  {
    name: 'aws-e2e/',
    module: PROVIDER,
    directory: `${E2E}/withoutclusterclass/e2e_test_templates`,
  },
  { name: 'aws-e2e-topology/', module: PROVIDER, directory: `${E2E}/withclusterclass/e2e_test_templates` },
  { name: CLASSES, module: PROVIDER, directory: `${E2E}/withclusterclass/clusterclassbase` },
  { name: 'aws/', module: PROVIDER, directory: 'templates' },
  { name: 'capi-e2e/', module: CLUSTER_API, directory: 'e2e/data/infrastructure-docker/main' },
];

/** The value of `${CNI_RESOURCES}`, as in the provider's end-to-end configuration. */
const CNI = 'test/e2e/data/cni/calico.yaml';

export interface Template {
  /** Source and file, such as `aws-e2e/cluster-template.yaml`. */
  name: string;
  /** Every variable has its value, and those in `missing` the empty text. */
  text: string;
  missing: string[];
}

/** Represents the name of the cluster until it is known. */
export const CLUSTER_NAME = 'name-of-the-cluster';

export type Variables = Readonly<Record<string, string>>;

/**
 * All templates with their variables filled in, rendered by the libraries of clusterctl and the framework. `own`:
 * variables that have another value in one template, by its name.
 */
export const renderTemplates = (
  variables: Variables,
  own: Readonly<Record<string, Variables>>,
  sources = SOURCES,
): Template[] => {
  const request = { sources, cni: CNI, variables: { ...variables, CLUSTER_NAME }, own };
  const options = { input: JSON.stringify(request), maxBuffer: 256 * 1024 * 1024 };
  return JSON.parse(execFileSync(String(program), options).toString()) as Template[];
};
