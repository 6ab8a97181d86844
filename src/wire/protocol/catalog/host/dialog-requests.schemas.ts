import * as z from 'zod';
import { anyObject, noParams, type RequestSchemas } from '../shapes/values-shapes.schemas.js';
import type { dialogRequests } from './dialog-requests.js';

const place = z.looseObject({
  kind: z.string(),
  path: z.string(),
  label: z.string(),
  description: z.string(),
  exists: z.boolean().optional(),
});

const memorySwitch = z.looseObject({
  shown: z.boolean().optional(),
  enabled: z.boolean(),
  toggleable: z.boolean(),
  status: z.string(),
  detail: z.string().optional(),
});

const sandbox = z.looseObject({
  supported: z.boolean(),
  locked: z.boolean(),
  overrides_locked: z.boolean().optional(),
  policy_origins: z.array(z.unknown()).optional(),
  enabled: z.boolean(),
  enabled_in_settings: z.boolean().optional(),
  mode: z.string(),
  auto_allow_available: z.boolean().optional(),
  no_sandbox_allowed: z.boolean().optional(),
  unsandboxed_fallback: z.boolean().optional(),
  dependencies: z.looseObject({ errors: z.array(z.string()), warnings: z.array(z.string()) }),
  excluded_commands: z.array(z.string()).optional(),
  restrictions: anyObject,
});

/** Schemas of the requests for what the CLI's own dialogs would show. */
export const dialogSchemas = {
  get_memory_dialog: {
    params: noParams,
    answer: z.looseObject({
      files: z.array(place),
      folders: z.array(place),
      memories: z.array(z.unknown()),
      auto_memory: memorySwitch,
      auto_dream: memorySwitch,
    }),
  },
  get_skills_dialog: { params: noParams, answer: z.looseObject({ skills: z.array(anyObject) }) },
  get_sandbox_dialog: { params: noParams, answer: sandbox },
  get_chrome_dialog: {
    params: noParams,
    answer: z.looseObject({
      allowed: z.boolean(),
      subscriber: z.boolean(),
      wsl: z.boolean(),
      installed: z.boolean(),
      connected: z.boolean(),
      enabled_by_default: z.boolean(),
      at_startup: z.boolean(),
      urls: z.record(z.string(), z.string()),
    }),
  },
  get_chrome_browsers: { params: noParams, answer: anyObject },
  select_chrome_browser: { params: z.looseObject({ device_id: z.string() }), answer: anyObject },
  set_chrome_browser_hints: { params: anyObject, answer: anyObject },
} satisfies RequestSchemas<keyof typeof dialogRequests>;
