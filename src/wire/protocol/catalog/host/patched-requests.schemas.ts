import * as z from 'zod';
import { ack, anyObject, noParams, type RequestSchemas } from '../shapes/values-shapes.schemas.js';
import type { patchedRequests } from './patched-requests.js';

const byName = z.looseObject({ server_name: z.string() });

const serverAnswer = z.looseObject({
  success: z.boolean(),
  server_name: z.string(),
  status: z.string(),
  tools_count: z.number(),
  error: z.string().nullish(),
});

/** Schemas of the names that only patched CLIs serve. */
export const patchedSchemas = {
  mcp_tools: {
    params: z.looseObject({ server_name: z.string().nullish() }),
    answer: z.looseObject({
      server_name: z.string().nullish(),
      tools: z.array(
        z.looseObject({
          name: z.string(),
          description: z.string().optional(),
          inputSchema: anyObject.optional(),
        }),
      ),
      count: z.number(),
    }),
  },
  mcp_disable: { params: byName.extend({ remove: z.boolean().optional() }), answer: serverAnswer },
  mcp_enable: { params: byName, answer: serverAnswer },
  agent_run_to_background: {
    params: z.looseObject({ target_id: z.string().optional() }),
    answer: ack,
  },
  get_chrome_status: {
    params: noParams,
    answer: z.looseObject({
      installed: z.boolean(),
      enabled: z.boolean(),
      connected: z.boolean(),
      mcpServerStatus: z.string().nullish(),
      extensionVersion: z.string().nullish(),
    }),
  },
  set_proactive: { params: anyObject, answer: ack },
} satisfies RequestSchemas<keyof typeof patchedRequests>;
