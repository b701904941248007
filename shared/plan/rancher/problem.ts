/** An error in a configuration: the field of cluster.yml, and the reason. */
export interface Problem {
  field: string;
  message: string;
}
