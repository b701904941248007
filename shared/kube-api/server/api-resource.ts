/** One entry of an APIResourceList. */
export interface ApiResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string;
  version?: string;
  kind: string;
  verbs: readonly string[];
  shortNames?: readonly string[];
  categories?: readonly string[];
  /** Identifies the stored form of objects, for storage migrations. */
  storageVersionHash?: string;
}

export interface GroupVersion {
  group: string;
  version: string;
  /** Whether it is one of upstream's own kinds. */
  builtIn: boolean;
  /** Whether clients have defined all its kinds. */
  isCustom: boolean;
  resources: ApiResource[];
}
