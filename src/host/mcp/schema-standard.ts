/** A problem that a schema found. */
export interface SchemaIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where in the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What checking a value gave: the value as the schema reads it, or issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** Writes a schema as JSON Schema, for what goes in or what comes out. */
export interface JsonSchemaWriter {
  /** Writes what goes in. */
  readonly input: (options: { readonly target: string }) => Record<string, unknown>;
  /** Writes what comes out. */
  readonly output: (options: { readonly target: string }) => Record<string, unknown>;
}

/** A schema of any library that keeps to Standard Schema (standardschema.dev): zod, valibot, arktype and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** What Standard Schema asks of a library. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** Only of libraries that also keep to Standard JSON Schema. */
    readonly jsonSchema?: JsonSchemaWriter | undefined;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Whether a value is a schema; those of arktype are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  if (!('~standard' in value)) return false;
  const standard = value['~standard'];
  return typeof standard === 'object' && standard !== null && 'validate' in standard;
}
