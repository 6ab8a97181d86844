import * as z from 'zod';
import { anyObject, open } from './values-shapes.schemas.js';

/** Schema of the permission modes that the newest CLI accepts. */
export const permissionMode = z.enum([
  'default',
  'acceptEdits',
  'bypassPermissions',
  'plan',
  'dontAsk',
  'auto',
]);
/** A permission mode. */
export type PermissionMode = z.infer<typeof permissionMode>;

const behavior = z.enum(['allow', 'deny', 'ask']);
const destination = z.enum(['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg']);
const rules = z.array(z.looseObject({ toolName: z.string(), ruleContent: z.string().optional() }));
const directories = z.array(z.string());

const permissionUpdateSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('addRules'), rules, behavior, destination }),
  z.looseObject({ type: z.literal('replaceRules'), rules, behavior, destination }),
  z.looseObject({ type: z.literal('removeRules'), rules, behavior, destination }),
  z.looseObject({ type: z.literal('setMode'), mode: permissionMode, destination }),
  z.looseObject({ type: z.literal('addDirectories'), directories, destination }),
  z.looseObject({ type: z.literal('removeDirectories'), directories, destination }),
]);

/** A change to rules, mode or folders that an answer can carry and a prompt can suggest. */
export type PermissionUpdate = z.infer<typeof permissionUpdateSchema>;
/** Schema of a change to rules, mode or folders. */
export interface PermissionUpdateSchema extends z.ZodType<PermissionUpdate> {}
/** Schema of a change to rules, mode or folders. */
export const permissionUpdate: PermissionUpdateSchema = permissionUpdateSchema;

const decisionClassification = z.enum(['user_temporary', 'user_permanent', 'user_reject']).optional();

const permissionResultSchema = z.discriminatedUnion('behavior', [
  z.looseObject({
    behavior: z.literal('allow'),
    updatedInput: anyObject.optional(),
    updatedPermissions: z.array(permissionUpdate).optional(),
    toolUseID: z.string().optional(),
    decisionClassification,
  }),
  z.looseObject({
    behavior: z.literal('deny'),
    message: z.string(),
    interrupt: z.boolean().optional(),
    toolUseID: z.string().optional(),
    decisionClassification,
  }),
]);

/** The host's decision on a tool call. */
export type PermissionResult = z.infer<typeof permissionResultSchema>;
/** Schema of the host's decision on a tool call. */
export interface PermissionResultSchema extends z.ZodType<PermissionResult> {}
/** Schema of the host's decision on a tool call. */
export const permissionResult: PermissionResultSchema = permissionResultSchema;

/** Why a prompt is shown or a call was denied. */
export const decisionReasonType = open([
  'rule',
  'mode',
  'subcommandResults',
  'permissionPromptTool',
  'hook',
  'asyncAgent',
  'sandboxOverride',
  'workingDir',
  'safetyCheck',
  'classifier',
  'other',
]);
