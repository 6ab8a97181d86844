/** A validation problem. */
export interface SchemaIssue {
  /** What is wrong. */
  readonly message: string;
  /** The path in the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The result of a validation: the parsed value, or issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** Converts a schema to JSON Schema, for its input or its output. */
export interface JsonSchemaWriter {
  /** Converts the input type. */
  readonly input: (options: { readonly target: string }) => Record<string, unknown>;
  /** Converts the output type. */
  readonly output: (options: { readonly target: string }) => Record<string, unknown>;
}

/** A schema from any library that supports Standard Schema (standardschema.dev): zod, valibot, arktype and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The Standard Schema interface. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** Only for libraries that also support Standard JSON Schema. */
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
