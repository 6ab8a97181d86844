import * as z from 'zod';
import { open, type Schema } from './values-shapes.schemas.js';

const slashCommandSchema = z.looseObject({
  name: z.string(),
  description: z.string(),
  argumentHint: z.string(),
  aliases: z.array(z.string()).optional(),
  builtin: z.boolean().optional(),
});

/** A slash command that the CLI offers. */
export interface SlashCommand extends z.infer<typeof slashCommandSchema> {}
/** Schema of a slash command. */
export const slashCommand: Schema<SlashCommand> = slashCommandSchema;

const agentInfoSchema = z.looseObject({
  name: z.string(),
  description: z.string(),
  model: z.string().optional(),
});

/** An agent that the CLI offers. */
export interface AgentInfo extends z.infer<typeof agentInfoSchema> {}
/** Schema of an available agent. */
export const agentInfo: Schema<AgentInfo> = agentInfoSchema;

const modelInfoSchema = z.looseObject({
  value: z.string(),
  displayName: z.string(),
  description: z.string(),
  resolvedModel: z.string().optional(),
  supportsEffort: z.boolean().optional(),
  supportedEffortLevels: z.array(z.string()).optional(),
  supportsAdaptiveThinking: z.boolean().optional(),
  supportsFastMode: z.boolean().optional(),
  supportsAutoMode: z.boolean().optional(),
  supportsThinkingOff: z.boolean().optional(),
});

/** An available model. */
export interface ModelInfo extends z.infer<typeof modelInfoSchema> {}
/** Schema of an available model. */
export const modelInfo: Schema<ModelInfo> = modelInfoSchema;

const accountInfoSchema = z.looseObject({
  email: z.string().optional(),
  organization: z.string().optional(),
  subscriptionType: z.string().optional(),
  tokenSource: z.string().optional(),
  apiKeySource: z.string().optional(),
  apiProvider: z.string().optional(),
});

/** The account or key that the CLI uses. */
export interface AccountInfo extends z.infer<typeof accountInfoSchema> {}
/** Schema of the account in use. */
export const accountInfo: Schema<AccountInfo> = accountInfoSchema;

const pluginInfoSchema = z.looseObject({
  name: z.string(),
  path: z.string(),
  source: z.string().optional(),
  version: z.string().optional(),
});

/** A plugin that is loaded. */
export interface PluginInfo extends z.infer<typeof pluginInfoSchema> {}
/** Schema of a loaded plugin. */
export const pluginInfo: Schema<PluginInfo> = pluginInfoSchema;

/** Whether fast mode is on. */
export const fastModeState = open(['off', 'cooldown', 'on']);
