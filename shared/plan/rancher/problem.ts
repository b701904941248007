/** What is wrong with a configuration: the field of cluster.yml, and why. */
export interface Problem {
  field: string;
  message: string;
}
