import type { ContentBlock, EmbeddedResource } from '@agentclientprotocol/sdk';
import type { UserInput } from '../../host/session/turns/user-message.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import { misuse } from './failures.js';

/** A client's prompt as a message to the CLI. A single text stays a string: otherwise slash commands do not work. */
export function userInput(prompt: readonly ContentBlock[]): UserInput {
  const blocks = prompt.flatMap((block) => blocksOf(block));
  const [first, ...others] = blocks;
  if (first === undefined) throw misuse('The prompt is empty.');
  if (others.length === 0 && first.type === 'text' && typeof first.text === 'string') {
    if (first.text === '') throw misuse('The prompt is empty.');
    return first.text;
  }
  return blocks as readonly WireObject[] as UserInput;
}

function blocksOf(block: ContentBlock): readonly WireObject[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [textBlock(block.text)];
    case 'image':
      return [picture(block.mimeType, block.data)];
    case 'resource_link':
      return [textBlock(`[${block.title ?? block.name}](${block.uri})`)];
    case 'resource':
      return resourceBlocks(block);
    default:
      throw misuse(`The agent does not accept ${block.type} in a prompt: see its promptCapabilities.`);
  }
}

function resourceBlocks({ resource }: EmbeddedResource): readonly WireObject[] {
  const { uri, mimeType } = resource;
  if ('text' in resource) return [textBlock(`<resource uri="${uri}">\n${resource.text}\n</resource>`)];
  if (mimeType?.startsWith('image/')) return [textBlock(uri), picture(mimeType, resource.blob)];
  if (mimeType === 'application/pdf') {
    const source = { type: 'base64', media_type: mimeType, data: resource.blob };
    return [textBlock(uri), { type: 'document', source }];
  }
  throw misuse(
    `The agent accepts texts, images and PDF documents as resources, not ${mimeType ?? 'bytes'}: ${uri}`,
  );
}

function textBlock(text: string): WireObject {
  return { type: 'text', text };
}

function picture(mediaType: string, data: string): WireObject {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}
