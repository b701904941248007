/** Any of the values matches; all filters must. */
export interface Filter {
  name: string;
  values: readonly string[];
}
