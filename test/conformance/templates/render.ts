import { execFileSync } from 'node:child_process';

/** The program that `npm run conformance` builds; undefined if a test runs without it. */
export const program = process.env.WINDLASS_TEMPLATES;

export const PROVIDER = 'sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0';
export const CLUSTER_API = 'sigs.k8s.io/cluster-api/test@v1.14.2';

/** A folder of a module. The names of its templates begin with `name`. */
export interface Source {
  name: string;
  module: string;
  directory: string;
}

/** The folder with the classes of the Clusters in `aws-e2e-topology/`, which are applied together with these. */
export const CLASSES = 'aws-e2e-class/';

const E2E = 'test/e2e/data/infrastructure-aws';

/**
 * The folders in which upstream publishes its cluster templates. The module of the first one also contains the CNI
 * plugin.
 */
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

/** The file with the value of `${CNI_RESOURCES}`, as in the provider's end-to-end configuration. */
const CNI = 'test/e2e/data/cni/calico.yaml';

export interface Template {
  /** The source and the file, such as `aws-e2e/cluster-template.yaml`. */
  name: string;
  /** The text with the values of all variables. Variables in `missing` are replaced with an empty text. */
  text: string;
  missing: string[];
}

/** A placeholder for the cluster's name, which is not known yet. */
export const CLUSTER_NAME = 'name-of-the-cluster';

export type Variables = Readonly<Record<string, string>>;

/**
 * Renders all templates with the libraries of clusterctl and of the framework. `own` contains, by the name of a
 * template, the variables that have other values there.
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
